# %% [markdown]
# # A first model in Python
#
# A Lagrangian that depends on its own action, $L(q, v, z)$ with $\dot z = L$, describes a dissipative system. The simplest way to let
# it is a term $-\gamma z$.
#
# `pip install ".[plot]" scipy jupyterlab` in a clone installs what this page uses.

# %%
import matplotlib.pyplot as plt
import numpy
import sympy

import herglotz as hz

theta, omega, z, gamma = sympy.symbols("theta omega z gamma")

pendulum = hz.System(
    hz.tangent([theta], [omega]),
    lagrangian=omega**2 / 2 + sympy.cos(theta) - gamma * z,
    parameters={gamma: 0.2},
    initial={theta: 2.5},
)
pendulum

# %% [markdown]
# The cell shows what was derived: the damping came out of the action. Every equation is a SymPy expression in your symbols, too.

# %%
pendulum.equations()["Equations of motion"]

# %% [markdown]
# ## Before it runs
#
# `check` judges the system and its start: the algebroid, whether velocities follow from momenta, constraints and symmetries, and the
# method that a run would take.

# %%
print(pendulum.check())

# %% [markdown]
# ## A verified run
#
# `simulate` compiles the equations and returns an `xarray.Dataset`. Its columns hold the motion, and what proves it: along every
# trajectory the Herglotz energy $E$ obeys $\dot E = \frac{\partial L}{\partial z} E$, so $\lambda E$ with
# $\lambda = \exp(-\int \partial L/\partial z)$ is constant.

# %%
run = hz.simulate(pendulum, t_end=40, step=0.02)
run

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5))
run.hz.plot.phase_space(ax=left)
run.hz.plot.energy_balance(ax=right)
run.attrs["largest_energy_residual"]

# %% [markdown]
# ## Change one term
#
# Let the damping depend on the action itself. Nothing else has to be given: equations, energy and balance law follow.

# %%
nonlinear = hz.System(
    hz.tangent([theta], [omega]),
    lagrangian=omega**2 / 2 + sympy.cos(theta) - gamma * z - z**2 / 20,
    parameters={gamma: 0.2},
    initial={theta: 2.5},
)
changed = hz.simulate(nonlinear, t_end=40, step=0.02)
figure, ax = plt.subplots(figsize=(10, 3.5))
run.hz.plot.trajectory("theta", ax=ax)
changed.hz.plot.trajectory("theta", ax=ax)
ax.legend(["linear in z", "with z² / 20"])
changed.attrs["largest_energy_residual"]

# %% [markdown]
# ## Many at once
#
# An array in place of a number runs a batch, with the same bits as single runs.

# %%
fan = hz.simulate(pendulum, {theta: numpy.linspace(0.5, 3.0, 6)}, t_end=20, step=0.02)
fan.theta.plot.line(x="t", add_legend=False, figsize=(10, 3.5));

# %% [markdown]
# ## With SciPy
#
# The compiled right-hand side and its Jacobian work on their own.

# %%
from scipy.integrate import solve_ivp

f = pendulum.vector_field()
theirs = solve_ivp(f, (0, 40), [2.5, 0.0, 0.0], rtol=1e-10, atol=1e-10, jac=f.jacobian, method="LSODA")
abs(theirs.y[0, -1] - float(run.theta[-1]))
