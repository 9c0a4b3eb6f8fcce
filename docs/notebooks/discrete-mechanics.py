# %% [markdown]
# # Discrete mechanics
#
# A discrete Lagrangian $L_d(q_0, q_1, z_0)$ gives the action gained in one step, $z_1 = z_0 + L_d$. Its motions satisfy the discrete
# Herglotz equations [ASMLL20, Eq. 39]
# $$D_1 L_d(q_k, q_{k+1}, z_k) + \sigma_d\, D_2 L_d(q_{k-1}, q_k, z_{k-1}) = 0, \qquad \sigma_d = 1 + D_z L_d(q_k, q_{k+1}, z_k),$$
# and every step multiplies the contact form, and the momenta of symmetries, by $\sigma_d$ exactly.

# %%
import matplotlib.pyplot as plt
import numpy
import sympy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import herglotz as hz

q, v, z, gamma, q0, q1, z0, h = sympy.symbols("q v z gamma q0 q1 z0 h")

oscillator = hz.System(
    hz.tangent([q], [v]),
    lagrangian=v**2 / 2 - q**2 / 2 + gamma * z,
    parameters={gamma: -0.05},
    discrete={"lagrangian": (q1 - q0) ** 2 / (2 * h) - h * (q0 + q1) ** 2 / 8 + h * gamma * z0},
    initial={q: 1.0},
    next={q: 2.0},
)
oscillator.discrete_equations()

# %% [markdown]
# ## The figures of the source
#
# The discrete motion through $q_0 = 1$ and $q_1 = 2$ with $h = 1/2$, and the exact one through the same two positions: the exact
# retraction finds its velocity by shooting.

# %%
discrete = hz.simulate(oscillator, step=0.5, t_end=20, output_every=1)
f = oscillator.vector_field()


def miss(velocity):
    return solve_ivp(f, (0, 0.5), [1.0, velocity, 0.0], rtol=1e-11, atol=1e-12).y[0, -1] - 2.0


velocity = brentq(miss, 0, 5)
continuous = hz.System(hz.tangent([q], [v]), oscillator.lagrangian, parameters={gamma: -0.05})
exact = hz.simulate(continuous, {q: 1.0, v: velocity}, t_end=20, tolerance=1e-12)

figure, axes = plt.subplots(1, 3, figsize=(12, 3.5))
for ax, column in zip(axes, ("q", "z", "energy")):
    shown = numpy.log if column == "energy" else numpy.asarray
    ax.plot(discrete.t, shown(discrete[column]), ".-", label="discrete")
    ax.plot(exact.t, shown(exact[column]), "k--", label="exact")
    ax.set(xlabel="t", ylabel="log H" if column == "energy" else column)
axes[0].legend();

# %% [markdown]
# ## Methods that are made this way
#
# Every contact method is such a flow. What it keeps shows over a long time: the momentum of a rotation is dissipated exactly, whatever
# the step, where a method without structure loses it.

# %%
planet = hz.model("kepler-drag")
figure, ax = plt.subplots(figsize=(8, 3.5))
for method, settings in (("contact-splitting-4", {"step": 0.02}), ("contact-gauss-4", {"step": 0.02}),
                         ("reference", {"tolerance": 1e-6})):
    run = hz.simulate(planet, method=method, t_end=60, **settings)
    J = run["momentum_invariant.rotation"]
    ax.semilogy(run.t, abs(J / J[0] - 1) + 1e-17, label=method)
ax.set(xlabel="t", ylabel="change of the dissipated momentum")
ax.legend();

# %% [markdown]
# One compiled step is a function, with its conformal factor:

# %%
step = planet.step_map("contact-lobatto-2", 0.05)
u = numpy.array([planet.initial.get(name, 0.0) for name in planet.state])
step(0.0, u), step.factor(0.0, u)
