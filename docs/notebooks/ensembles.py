# %% [markdown]
# # Ensembles
#
# Arrays of initial values or parameters run as one batch. One-dimensional arrays go together; `xarray.DataArray`s with different
# dimensions are crossed.

# %%
import herglotz as hz
import matplotlib.pyplot as plt
import numpy
import xarray

pendulum = hz.model("damped-pendulum")
angle, rate = pendulum.state[:2]
pendulum

# %% [markdown]
# ## A basin of attraction
#
# Around which of its resting positions does the pendulum come to rest?

# %%
rates = xarray.DataArray(numpy.linspace(-14, 14, 57), dims="rate")
angles = xarray.DataArray(numpy.linspace(-3.1, 3.1, 41), dims="angle")
many = hz.simulate(pendulum, {angle: angles, rate: rates}, t_end=40, step=0.02, output_step=40)
turns = (many[angle].isel({many.hz.time: -1}) / (2 * numpy.pi)).round()
figure, ax = plt.subplots(figsize=(8, 4))
image = ax.pcolormesh(angles, rates, turns.transpose("rate", "angle"), cmap="twilight_shifted")
ax.set(xlabel=angle, ylabel=rate)
figure.colorbar(image, label="whole turns at the end");

# %% [markdown]
# ## A parameter study
#
# How fast is energy lost, for ten rates of friction?

# %%
gammas = numpy.geomspace(0.02, 1.0, 10)
study = hz.simulate(pendulum, {angle: 1.0}, parameters={"gamma": gammas}, t_end=20, step=0.02)
figure, ax = plt.subplots(figsize=(8, 3.5))
for k, gamma in enumerate(gammas):
    energy = study.energy.isel(member=k)
    ax.plot(study[study.hz.time], energy - energy[-1], color=plt.cm.viridis(k / 9), label=f"{gamma:.2f}")
ax.legend(title="gamma", ncols=2, fontsize=7)
ax.set(xlabel="t", ylabel="energy");
