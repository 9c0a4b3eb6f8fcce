# %% [markdown]
# # Which law of friction?
#
# Measured times, several laws that may have made them, and one question: which of them do the data speak for, and which do they not
# tell apart? The measurements are real: Usain Bolt's world record over 100 m, Berlin 2009, timed every 10 m [GN11].
#
# `pip install ".[plot]" jupyterlab` in a clone installs what this page uses.

# %%
import matplotlib.pyplot as plt
import numpy
import xarray

import herglotz as hz

REACTION = 0.146  # seconds from the shot to the first push
measured = xarray.Dataset({"x": ("t", numpy.arange(10.0, 101.0, 10.0))},
                          {"t": [1.89, 2.88, 3.78, 4.64, 5.47, 6.29, 7.10, 7.92, 8.75, 9.58]})

# %% [markdown]
# ## Laws as systems
#
# For each unit of mass the runner pushes with $F$. Keller's resistance is linear in the velocity [Kel73], and needs no force at all: it is the
# term $-kz$ of a Lagrangian that depends on its own action,
#
# $$L = \tfrac12 v^2 + F x - k z, \qquad \ddot x = F - k \dot x.$$
#
# The drag of air, quadratic in the velocity, is a force here.


# %%
def law(action="0", force="0", **unknown):
    return hz.System(hz.tangent("x", "v"), lagrangian=f"v^2/2 + F*x - ({action})*z", forces={"v": force},
                     parameters={"F": 8.0, **unknown}, initial={"x": 0, "v": 0, "t": REACTION})


laws = {"linear": law(action="k", k=0.6), "quadratic": law(force="-c*v*abs(v)", c=0.05)}
laws["linear"].equations()["Equations of motion"]

# %% [markdown]
# ## From rest
#
# The noise is not known; `fit` estimates it from what is left. Laws are compared by what is left too, with a price for each unknown that is
# right for few data [HT89]: with $K$ unknowns, the noise among them, and $n$ values,
#
# $$\mathrm{AIC_c} = n \log \frac{\sum r^2}{n} + 2K + \frac{2K(K+1)}{n - K - 1}.$$
#
# Differences below 3 decide little, those above 10 decide.


# %%
def criterion(fit):
    n, K = fit.samples, len(fit.parameters) + 1
    return n * numpy.log(float((fit.residuals.x**2).mean())) + 2 * K + 2 * K * (K + 1) / (n - K - 1)


def compare(fits):
    for name, fit in sorted(fits.items(), key=lambda item: criterion(item[1])):
        found = ", ".join(f"{unknown} = {value:.3f} ± {fit.deviations[unknown]:.3f}" for unknown, value in fit.parameters.items())
        print(f"{name:24} AICc {criterion(fit):6.1f}   noise {fit.noise['x']:.2f} m   {found}")


fits = {name: hz.fit(system, measured, parameters=list(system.parameters)) for name, system in laws.items()}
compare(fits)

# %%
figure, axes = plt.subplots(figsize=(7, 3.2))
for name, fit in fits.items():
    axes.plot(measured.t, 100 * fit.residuals.x, ".-", label=name)
axes.axhline(0, color="grey", linewidth=0.5)
axes.set_xlabel("t [s]")
axes.set_ylabel("measured minus fitted [cm]")
axes.legend()

# %% [markdown]
# The linear law wins by far. It predicts a terminal velocity of $F/k$:

# %%
linear = fits["linear"].parameters
print(f"{linear['F'] / linear['k']:.2f} m/s")

# %% [markdown]
# ## Is it the law, or the start?
#
# The quadratic law misses the first 20 m. A runner does not begin at rest and push evenly: the push against the blocks is much stronger, and over before
# the first mark. The laws may begin with a velocity of their own instead.

# %%
pushed = {f"{name}, pushed off": hz.fit(system, measured, parameters=list(system.parameters), initial=["v"])
          for name, system in laws.items()}
compare({**fits, **pushed})

# %% [markdown]
# Now nothing is decided: a quadratic law with a push off the blocks is as good as a linear one from rest. What seemed a verdict on friction was one on the
# start, and ten times at ten marks do not know the start. A law wins only against everything else that could have made the data.
#
# ## What no data of this kind could say
#
# Dry friction $-d$ holds the runner back all the time, as $F$ pushes all the time: only $F - d$ acts. A fit of both says so instead of inventing digits.

# %%
unclear = hz.fit(law(action="k", force="-d", k=0.6, d=1.0), measured, parameters=["F", "k", "d"])
for _, shares, known in unclear.combinations:
    parts = " + ".join(f"{share:.2f} {unknown}" for unknown, share in shares.items() if abs(share) > 0.01)
    print(f"{parts:32} {'determined' if known else 'not fixed by the data'}")
unclear.identifiable

# %% [markdown]
# ## How sure is it?
#
# A standard deviation describes a parabola. The profile likelihood follows $\chi^2$ itself, with all other unknowns fitted again at each point. For the
# quadratic law with a push it says which $c$ these ten times allow.

# %%
sure = hz.fit(laws["quadratic"], measured, parameters=["F", "c"], initial=["v"], profile=["c"])
print(f"c from {sure.profiles['c'].lower:.4f} to {sure.profiles['c'].upper:.4f} (95 %), by the standard deviation "
      f"{sure.parameters['c']:.4f} ± {1.96 * sure.deviations['c']:.4f}")
sure.profiles["c"].plot()
