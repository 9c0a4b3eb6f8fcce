# %% [markdown]
# # The contact toolbox
#
# Contact forms, Jacobi structures, their fields and flows [LJL21, Secs. 2-3, 8; ASMLL20, Sec. 2], as
# [contact geometry](../contact-geometry.md) has them.

# %%
import matplotlib.pyplot as plt
import numpy
import sympy

import herglotz as hz

q, p, z, gamma = sympy.symbols("q p z gamma", real=True)

# %% [markdown]
# ## A form of one's own

# %%
eta = hz.contact([-p, 0, 1], coordinates=[q, p, z])
eta.reeb_field(), eta.bracket(q, p), eta.sharp([0, 0, 1])

# %%
X = eta.hamiltonian_field(p**2/2 + sympy.cos(q) + gamma*z)
X, eta.divergence(X), eta.dissipation(p**2/2 + sympy.cos(q) + gamma*z)

# %% [markdown]
# Distributions are horizontal, vertical or oblique; complements of oblique ones differ from left to right [LJL21, Lemma 2].

# %%
eta = hz.contact([-p, 0, 1], coordinates=[q, p, z])
eta.kind(fields=[[1, 0, p]], at={q: 0, p: 1, z: 0}), eta.kind(fields=[[0, 0, 1]], at={q: 0, p: 1, z: 0})

# %% [markdown]
# A bivector and a field are a Jacobi structure if their Schouten brackets agree; `defects` names what does not.

# %%
hz.jacobi([[0, 1], [-1, 0]], [0, 0], coordinates=[q, p]).defects()

# %% [markdown]
# ## The flow of any function [LJL21, Eq. 33]

# %%
pendulum = hz.model("damped-pendulum")
flow = pendulum.flow("theta*p_omega")          # a scaling of positions and momenta
run = hz.simulate(flow, {"theta": 1.0, "p_omega": 0.5, "z": 0.2}, t_end=1, tolerance=1e-12)
float(run.theta[-1]) - numpy.e

# %% [markdown]
# ## Constrained fields [LJL21, Eqs. 100-105, Thms 17-18]
#
# A blade on an incline. The projector splits its fields; constraints are Casimirs, so that they stay along the flow of every $X_f^\Delta$.

# %%
x, y, phi, vx, vy, w = sympy.symbols("x y phi vx vy w", real=True)
blade = hz.System(hz.tangent([x, y, phi], [vx, vy, w]), (vx**2 + vy**2 + w**2)/2 - x - gamma*z, parameters={gamma: 0.1},
                  constraints=vx*sympy.sin(phi) - vy*sympy.cos(phi), initial={phi: 0.3, vx: "0.7*cos(0.3)", vy: "0.7*sin(0.3)", w: 1.2})
P = blade.projector()
(P*P - P).applyfunc(sympy.simplify).is_zero_matrix

# %%
motion = hz.simulate(blade, t_end=2, tolerance=1e-12)
same = hz.simulate(blade.flow("energy", constrained=True), t_end=2, tolerance=1e-12)
other = hz.simulate(blade.flow("x*vx + z", constrained=True), t_end=1, tolerance=1e-12)
float(abs(motion.x[-1] - same.x[-1])), float(abs(other.constraint_1).max())

# %% [markdown]
# ## Volumes [LJL21, Prop. 5]
#
# Where $L$ depends on $z$ in another way than linearly, the volume of phase space breathes.

# %%
system = hz.model("nonlinear-action")
system.volume_law()

# %%
run = hz.simulate(system, t_end=6, output_step=0.01, tolerance=1e-11)
volume = system.volume_along(run)
figure, axes = plt.subplots(1, 2, figsize=(9, 3))
volume.volume.plot(ax=axes[0])
volume.volume_residual.plot(ax=axes[1])
figure.tight_layout()
