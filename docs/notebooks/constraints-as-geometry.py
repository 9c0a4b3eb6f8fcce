# %% [markdown]
# # Constraints as geometry
#
# Constraints span a bundle with a bracket of its own, have a curvature, and can be obeyed by two rules [GG08, Secs. 3, 5; LLMR21;
# LJL21, Sec. 4]; thermodynamic ones by a third [ASC25, Rem. 4.9]. See [constraints](../constraints.md).

# %%
import numpy
import sympy

import herglotz as hz

# %% [markdown]
# ## The algebroid of a constraint [GG08, Ex. 2]

# %%
sleigh = hz.model("chaplygin-sleigh")
reduced = sleigh.reduced()
reduced.fibre, reduced.structure

# %%
full, small = hz.simulate(sleigh, t_end=5, tolerance=1e-12), hz.simulate(reduced, t_end=5, tolerance=1e-12)
max(abs(float(full[name][-1] - small[name][-1])) for name in ("x", "y", "phi", "w", "z"))

# %% [markdown]
# Holonomic constraints have an algebroid, too: the tangent spaces of their leaves. Which leaf it is, an invariant keeps.

# %%
pendulum = hz.model("spherical-pendulum")
leaf = pendulum.reduced()
full, small = (hz.simulate(one, t_end=2, tolerance=1e-12, output_step=0.5) for one in (pendulum, leaf))
off = max(float(abs(full[name.name] - small[name.name]).max()) for name in (*pendulum.base, pendulum.action))
assert off < 1e-10
leaf.fibre, off

# %% [markdown]
# ## Variations [LJL21, Eq. 61; GG08, Def. 2]
#
# The variation of a section is one of the nonholonomic rule where $\Phi_y \cdot \xi$ vanishes, and one of the vakonomic rule where
# $d\Phi(\delta x, \delta y)$ does. A section along the blade is the first and not the second: constraints that are not integrable have two rules.

# %%
turning = hz.simulate(sleigh, t_end=1, tolerance=1e-12)
along = ["sin(pi*t)*cos(phi)", "sin(pi*t)*sin(phi)", 0]
variation = sleigh.constraint_variation(turning, along)
{rule: float(numpy.abs(numpy.asarray(values)).max()) for rule, values in variation.items()}

# %% [markdown]
# ## How constraints are curved
#
# The rows $\sigma \Phi_x + \Phi_y\, c\, y - \frac{d}{dt} \Phi_y$ vanish on $\ker \Phi_y$ exactly for integrable constraints. Accelerations are in
# those of a constraint that is nonlinear in the velocities.

# %%
sleigh.constraint_curvature()

# %%
hz.model("isokinetic").constraint_curvature()

# %% [markdown]
# ## One start, two rules [LLMR21, Sec. 6]
#
# The rolling disk moves by the vakonomic rule as by the nonholonomic one, with its momenta as multipliers; the sleigh does only where it
# does not turn.

# %%
hz.model("rolling-disk").compare_rules(2.0)

# %%
sleigh.compare_rules(2.0).agree, sleigh.compare_rules(2.0, initial={"w": 0}).agree

# %% [markdown]
# ## A thermodynamic constraint: a heavy top in a Stokes flow [ASC25, Rem. 4.9; CGB20]
#
# Friction of a fluid, $-\kappa\, \omega$, heats it: $T \dot S = \kappa\, |\omega|^2$ with $T = U'(S)$. Variations obey
# $T\, \delta S = \kappa\, \langle \omega, \eta \rangle$, so that the constraint force is along $(-\kappa\, \omega, T)$. The rule of Chetaev takes
# $(-2 \kappa\, \omega, T)$, and the row of $S$ makes the multiplier 1; the force $\kappa\, \omega$ makes up for the difference.

# %%
g, omega = sympy.symbols("g1:4", real=True), sympy.symbols("w1:4", real=True)
S, vS, kappa = sympy.symbols("S vS kappa", real=True)
inertia, arm = (1, sympy.Rational(3, 2), sympy.Rational(4, 5)), (sympy.Rational(3, 10), sympy.Rational(1, 10), sympy.Rational(6, 5))
turning = hz.action(g, omega, [[0, g[2], -g[1]], [-g[2], 0, g[0]], [g[1], -g[0], 0]], "so3")
U = 2*sympy.exp(S/2)/2
speed = sum(one**2 for one in omega)
mechanical = sum(J*one**2 for J, one in zip(inertia, omega))/2 + sum(m*one for m, one in zip(arm, g))
top = hz.System(hz.product(turning, hz.tangent([S], [vS])),
                sum(J*one**2 for J, one in zip(inertia, omega)) - mechanical - U, name="stokes-top", parameters={kappa: 0.15},
                forces={one: kappa*one for one in omega}, constraints=U.diff(S)*vS - kappa*speed,
                observables={"mechanical": mechanical, "internal": U},
                initial={g[1]: 0.6, g[2]: 0.8, omega[0]: 0.7, omega[1]: 0.5, omega[2]: 1.1, S: 0.1,
                         vS: "kappa*(w1^2 + w2^2 + w3^2)/(exp(S/2)/2)"})
run = hz.simulate(top, t_end=20, tolerance=1e-11)
float(abs(run.energy - run.energy[0]).max()), float((run.S.diff("t") >= 0).all()), float(abs(run.lambda1 - 1).max())

# %%
run[["mechanical", "internal"]].to_array("part").plot.line(x="t", figsize=(7, 3));

# %% [markdown]
# The energy is kept, and only entropy rises. In [ASC25, Ex. 4.8] the entropy is the action variable instead, and the energy falls.

# %% [markdown]
# ## Affine constraints [GG08, 5.14-5.20]
#
# The velocities of a ball on a turning table are an affine bundle $A = e_0 + v(A)$. Its momenta are kept without friction.

# %%
affine = hz.model("ball-on-rotating-table").affine_reduction()
affine.origin, affine.frame, affine.affgebroid

# %%
affine.legendre, affine.tulczyjew

# %%
full = hz.simulate(hz.model("ball-on-rotating-table"), t_end=3, tolerance=1e-12, output_step=0.5)
short = hz.simulate(affine.system, t_end=3, tolerance=1e-12, output_step=0.5)
max(float(abs(full[name] - short[name]).max()) for name in ("x", "y", "vx", "vy", "w1", "w2", "w3", "z"))
