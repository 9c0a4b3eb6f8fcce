# %% [markdown]
# # Ensembles
#
# `hz.sweep` runs a system at every point of a grid, or for random draws, in all lanes and cores of the machine. Every array is an axis of
# the grid.

# %%
import pathlib
import tempfile

import matplotlib.pyplot as plt
import numpy

import herglotz as hz

pendulum = hz.model("damped-pendulum")
pendulum

# %% [markdown]
# ## A basin of attraction
#
# Around which of its resting positions does the pendulum come to rest? Only the last states are kept.

# %%
basin = hz.sweep(pendulum, initial={"theta": numpy.linspace(-3.1, 3.1, 61), "omega": numpy.linspace(-14, 14, 57)},
                 columns=["theta"], t_end=40, step=0.02)
turns = (basin.theta / (2 * numpy.pi)).round()
figure, ax = plt.subplots(figsize=(8, 4))
turns.plot(ax=ax, x="theta_0", y="omega_0", cmap="twilight_shifted", cbar_kwargs={"label": "whole turns at the end"})
ax.set(title="");

# %% [markdown]
# ## Uncertainty
#
# The friction and the start are known up to a spread. What does the angle do, on the average over 1024 draws of a Sobol sequence?

# %%
spread = hz.sweep(pendulum, parameters={"gamma": hz.log_normal(numpy.log(0.2), 0.3)},
                  initial={"theta": hz.normal(1.0, 0.05), "omega": hz.normal(0.0, 0.1)}, samples=1024, sampling="sobol", seed=1,
                  keep="statistics", columns=["theta"], t_end=20, step=0.02, output_step=0.1)
mean, deviation = spread.theta.sel(statistic="mean"), spread.theta.sel(statistic="deviation")
figure, ax = plt.subplots(figsize=(8, 3.5))
ax.plot(spread.t, mean)
ax.fill_between(spread.t, mean - 2 * deviation, mean + 2 * deviation, alpha=0.3)
ax.set(xlabel="t", ylabel="theta: mean, and two deviations");

# %% [markdown]
# ## Into a file
#
# With `file` the members go to an HDF5 file as they are done, and memory stays bounded. What was stopped goes on with `resume=True`, and
# `hz.open_sweep` reads the file again, a part at a time.

# %%
file = pathlib.Path(tempfile.mkdtemp()) / "pendulum.h5"
stored = hz.sweep(pendulum, parameters={"gamma": numpy.geomspace(0.02, 1.0, 10)}, initial={"theta": [0.5, 1.0, 2.0]}, t_end=20,
                  step=0.02, file=file)
stored.energy.sel(theta_0=1.0)

# %% [markdown]
# ## A parameter study
#
# How fast is energy lost, for ten rates of friction? Arrays given to `hz.simulate` go together as members of one batch, whose rows
# are kept; `xarray.DataArray`s with different dimensions are crossed.

# %%
gammas = numpy.geomspace(0.02, 1.0, 10)
study = hz.simulate(pendulum, {"theta": 1.0}, parameters={"gamma": gammas}, t_end=20, step=0.02)
figure, ax = plt.subplots(figsize=(8, 3.5))
for k, gamma in enumerate(gammas):
    energy = study.energy.isel(member=k)
    ax.plot(study[study.hz.time], energy - energy[-1], color=plt.cm.viridis(k / 9), label=f"{gamma:.2f}")
ax.legend(title="gamma", ncols=2, fontsize=7)
ax.set(xlabel="t", ylabel="energy");
