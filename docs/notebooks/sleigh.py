# %% [markdown]
# # The Chaplygin sleigh
#
# A platform on a blade that may not slip sideways: a linear constraint on velocities that no equation between positions expresses.
# Constraints are equations $= 0$; the multiplier, and how well the constraint is kept, come back with the run.

# %%
import matplotlib.pyplot as plt
import sympy

import herglotz as hz

x, y, phi, vx, vy, w, z = sympy.symbols("x y phi vx vy w z")
a, gamma = sympy.symbols("a gamma", positive=True)

sideways = vx * sympy.sin(phi) - vy * sympy.cos(phi)
forward = vx * sympy.cos(phi) + vy * sympy.sin(phi)

sleigh = hz.System(
    hz.tangent([x, y, phi], [vx, vy, w]),
    lagrangian=(forward**2 + (sideways - a * w) ** 2) / 2 + w**2 / 2 - gamma * z,
    parameters={a: 0.3, gamma: 0.05},
    constraints=[sideways],
    symmetries={"turning": ["-y", "x", 1]},
    initial={vx: 0.5, w: 1.5},
)
sleigh.equations()

# %%
run = hz.simulate(sleigh, t_end=40, step=0.02)
figure, (path, force, residual) = plt.subplots(1, 3, figsize=(13, 3.8))
path.plot(run.x, run.y)
path.set(xlabel="x", ylabel="y", aspect="equal")
run.hz.plot.trajectory("lambda1", ax=force)
run.hz.plot.constraint_residuals(ax=residual)
float(abs(run["constraint.1"]).max())

# %% [markdown]
# The constraint holds to round-off, at every step. Turning the plane is a symmetry of the Lagrangian, and the field of that symmetry is
# not along the constraint: its momentum obeys a balance law with the work of the constraint force, and the run verifies that law.

# %%
run.attrs["largest_energy_residual"], run.attrs["largest_momentum_residuals.turning"]

# %% [markdown]
# ## Geometry
#
# What lies behind: the projected Reeb field, and the brackets of which the constraint is a Casimir function [LJL21].

# %%
geometry = sleigh.geometry()
list(geometry.sections)
