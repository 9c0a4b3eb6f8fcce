# %% [markdown]
# # Groups that leave points where they are
#
# Rotations of space do not act freely: each point of a sphere stays where it is under the rotations about its own axis, its isotropy group.
# A system is reduced by them all the same ([isotropy groups](../reduction.md#isotropy-groups)), to an algebroid over the distance
# [ASC25, Ex. 3.8].
#
# A planet that moves through a thin gas, in space. Its symmetries are found.

# %%
import matplotlib.pyplot as plt
import numpy
import sympy
from scipy.integrate import solve_ivp

import herglotz as hz

x, y, h, vx, vy, vh, z = sympy.symbols("x y h vx vy vh z", real=True)
gamma = sympy.Symbol("gamma", positive=True)
planet = hz.System(
    hz.tangent([x, y, h], [vx, vy, vh]),
    (vx**2 + vy**2 + vh**2) / 2 + 1 / sympy.sqrt(x**2 + y**2 + h**2) - gamma * z,
    parameters={gamma: 0.1},
    initial={x: 1, vy: 0.8, vh: 0.3},
    name="planet",
)
rotations = planet.point_symmetries()
dict(rotations)

# %% [markdown]
# They turn into each other, $[X_1, X_2] = X_3$ and so on, up to signs: the algebra of rotations. Three fields move a point on a sphere, which
# has two dimensions.

# %%
assert rotations.closed and all(abs(rotations.structure[C, (C + 1) % 3, (C + 2) % 3]) == 1 for C in range(3))
reduced = planet.reduced(by="symmetry", group=list(rotations))
reduced.base, reduced.fibre, reduced.lagrangian

# %% [markdown]
# Of the six coordinates of $TQ$ four are left: the distance, its rate, and two velocities along the sphere. Their momenta are dissipated, and
# the distance follows the radial equation $\ddot r = \ell_0^2 e^{-2\gamma t}/r^3 - 1/r^2 - \gamma \dot r$, integrated here by SciPy.

# %%
run = hz.simulate(reduced, t_end=10, tolerance=1e-12)
ell = 0.8**2 + 0.3**2


def radial(t, u):
    return [u[1], ell * numpy.exp(-0.2 * t) / u[0]**3 - 1 / u[0]**2 - 0.1 * u[1]]


by_hand = solve_ivp(radial, (0, 10), [1, 0], t_eval=run.t.values, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
assert abs(run.x_bar.values - by_hand).max() < 1e-8
float(abs(run.x_bar.values - by_hand).max())

# %% [markdown]
# ## With the group, and back
#
# With coordinates of the group all three angular momenta are symmetries of the reduced system, though two numbers $\eta$ move it, and
# `reconstructed` finds the motion in space. Both know the group by the same names.

# %%
with_group = planet.reduced(by="symmetry", group=list(rotations), with_group=True)
moved = hz.simulate(with_group, t_end=10, tolerance=1e-12)
motion = planet.reconstructed(moved, group=list(rotations))
full = hz.simulate(planet, t_end=10, tolerance=1e-12)
assert max(float(abs(motion[name] - full[name]).max()) for name in ("x", "y", "h")) < 1e-8
J = numpy.cross(numpy.array([full.x, full.y, full.h]).T, numpy.array([full.vx, full.vy, full.vh]).T)
found = numpy.array([moved[f"momentum.{name}"] for name in rotations]).T
assert abs(numpy.linalg.norm(found, axis=1) - numpy.linalg.norm(J, axis=1)).max() < 1e-9
assert abs(found - found[0] * numpy.exp(-0.1 * moved.t.values)[:, None]).max() < 1e-9
with_group.base, list(with_group.symmetries)

# %% [markdown]
# The plane of the orbit stays, and its angular momentum fades like $e^{-\gamma t}$.

# %%
fig, (orbit, fading) = plt.subplots(1, 2, figsize=(9, 3.5))
orbit.plot(motion.x, numpy.hypot(motion.y, motion.h) * numpy.sign(motion.y), label="reconstructed")
orbit.plot(full.x, numpy.hypot(full.y, full.h) * numpy.sign(full.y), "--", label="full")
orbit.set(xlabel="x", ylabel="along the plane of the orbit", aspect="equal")
orbit.legend()
fading.plot(moved.t, found)
fading.set(xlabel="t", ylabel="momenta of the rotations")
fig.tight_layout()

# %% [markdown]
# ## A group with a spin
#
# A symmetric body turns with its own spin too: rotations of space and the spin, four fields on a space of three dimensions. The reduced system
# is over a point: three numbers.

# %%
phi, theta, psi, vphi, vtheta, vpsi = sympy.symbols("phi theta psi vphi vtheta vpsi", real=True)
body = hz.System(
    hz.tangent([phi, theta, psi], [vphi, vtheta, vpsi]),
    (vtheta**2 + sympy.sin(theta)**2 * vphi**2) / 2 + (vpsi + vphi * sympy.cos(theta))**2 - gamma * z,
    parameters={gamma: 0.1},
    initial={phi: 0.3, theta: 1, psi: 0.4, vphi: 0.5, vtheta: 0.3, vpsi: 0.2},
    name="symmetric-body",
)
turns = body.point_symmetries()
spin = body.reduced(by="symmetry", group=list(turns))
assert len(turns) == 4 and spin.base == () and len(spin.fibre) == 3
whole = hz.simulate(body, t_end=5, tolerance=1e-12)
part = hz.simulate(spin, t_end=5, tolerance=1e-12)
assert abs(float(part.z[-1] - whole.z[-1])) < 1e-9 and abs(float(part.energy[-1] - whole.energy[-1])) < 1e-9
spin.fibre, spin.lagrangian
