# %% [markdown]
# # Discrete objects
#
# Discrete Lagrangians, their Legendre maps, and sequences that are no motions [ASMLL20, Secs. 3-5], as
# [discrete mechanics](../discrete-mechanics.md) has them.

# %%
import numpy

import herglotz as hz

# %% [markdown]
# ## A discrete Lagrangian and its maps [ASMLL20, Eqs. 39-41]

# %%
oscillator = hz.model("discrete-oscillator")
oscillator.discrete_legendre(1.0, 1.2, 0.3, h=0.5)

# %%
oscillator.discrete_equations()

# %% [markdown]
# ## Sequences [ASMLL20, Eqs. 35-38]
#
# The differential of the action along a variation with fixed ends is the sum of the rows of the discrete equations, which vanish for
# the discrete motion.

# %%
sequence = [1.0, 1.3, 1.1, 0.7]
rows = oscillator.discrete_euler_lagrange(sequence, h=0.5, z0=0.3)
oscillator.discrete_action(sequence, h=0.5, z0=0.3), rows, oscillator.discrete_first_variation(sequence, [0, 0.2, -0.1, 0], h=0.5, z0=0.3)

# %%
run = hz.simulate(oscillator, t_end=5)
float(numpy.abs(oscillator.discrete_euler_lagrange(run.q.values, h=0.5, z0=float(run.z[0]))).max())

# %% [markdown]
# ## The contact exponential and the exact discrete Lagrangian [ASMLL20, Eqs. 53, 61, 64]

# %%
pendulum = hz.model("damped-pendulum")
motion = pendulum.contact_exponential(1.0, 0.3, 0.1, h=0.5)
motion

# %%
exact = pendulum.exact_discrete_lagrangian(1.0, motion.q1, 0.1, h=0.5)
exact

# %% [markdown]
# It is the inverse: $v_0$ comes back, $L_d^e = z(h) - z_0$, and $D_z L_d^e = e^b - 1$ with $b = \int_0^h L_z$.

# %%
float(exact.v0[0]) - 0.3, exact.value - (motion.z1 - 0.1), exact.Dz - numpy.expm1(-pendulum.parameters["gamma"] * 0.5)

# %% [markdown]
# Samples of motions are critical for it [ASMLL20, Thm 4.4].

# %%
run = hz.simulate(pendulum, t_end=1, tolerance=1e-13, output_step=0.25)
float(numpy.abs(pendulum.discrete_euler_lagrange(run.theta.values, 0.25, z0=float(run.z[0]), exact=True)).max())

# %% [markdown]
# ## Steps of methods
#
# The step of a contact method is the flow of a discrete Lagrangian [ASMLL20, Eq. 40]: of polynomials (`rule = "galerkin"`) as of collocation. Both
# Legendre maps are found by shooting, and so are generating functions of types II and III.

# %%
cubics = pendulum.replace(discrete={"rule": "galerkin", "degree": 2})
cubics.discrete_legendre(1.0, 1.05, 0.0, h=0.1, method="discrete-galerkin")

# %%
cubics.discrete_order(0.1, method="discrete-galerkin")

# %%
generated = pendulum.generating_function("II", 1.0, 0.2, 0.0, h=0.1, method="contact-gauss-4")
generated.by_position - generated.step.sigma * generated.step.p0, pendulum.contact_defect(
    pendulum.step_map("contact-gauss-4", 0.1), [1.0, 0.2, 0.0])

# %% [markdown]
# ## Energy and momenta together
#
# A discrete gradient that is equivariant under the declared symmetries keeps the decay of the energy and of their momenta [ASC25, Sec. 7].

# %%
spring = hz.System(hz.tangent(["x", "y"], ["vx", "vy"]), "(vx^2 + vy^2)/2 - (x^2 + y^2)^2/4 - gamma*z", parameters={"gamma": 0.05},
                   symmetries={"rotation": ["-y", "x"]}, initial={"x": 1.0, "vy": 0.6})
run = hz.simulate(spring, method="contact-energy-2", step=0.1, t_end=50)
float(abs(run.energy_residual).max()), float(abs(run["momentum_residual.rotation"]).max())
