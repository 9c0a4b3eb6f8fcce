# %% [markdown]
# # Discrete objects
#
# Discrete Lagrangians, their Legendre maps, and sequences that are not motions [ASMLL20, Secs. 3-5], as
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
# A conformal factor has no zeros, but it may be negative [ASMLL20, Sec. 2, Thm 3.9]: so at steps too large to approximate a motion in continuous
# time, which runs refuse.

# %%
wild = hz.model("discrete-oscillator").discrete_motion(1.0, 2.0, h=25, steps=6)
assert abs(wild.sigma + 0.25).max() < 1e-14
wild.q[:, 0], wild.sigma

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
# ## On groups, action and Atiyah groupoids [ASMLL20, Sec. 4; MMM06]
#
# A discrete Lagrangian is a function of arrows $(x_0, e^\eta)$. That of Moser and Veselov for a damped body, with its Legendre maps:

# %%
w = ["w1", "w2", "w3"]
a2 = "(eta_w1^2 + eta_w2^2 + eta_w3^2)"
body = hz.System(hz.lie_algebra(w, "so3"), "(w1^2 + 2*w2^2 + 3*w3^2)/2 - gamma*z", parameters={"gamma": 0.1},
                 initial={"w1": 0.7, "w2": 0.5, "w3": 1.1},
                 discrete={"lagrangian": f"(1 - cos(sqrt{a2}))/{a2}*(eta_w1^2 + 2*eta_w2^2 + 3*eta_w3^2)/h - h*gamma*z0"})
body.discrete_legendre_on_group([0.1, 0.2, 0.05], z0=0.3, h=0.2)

# %% [markdown]
# The exact one is the action of the motion whose arrow is $e^\eta$. Along $e^{\eta} e^{s e_a}$ its derivative is $p_{1,a}$; so it is for a
# heavy top, which has a base, and for a particle in a field, whose groupoid is $Q \times Q \times G$.

# %%
top = hz.model("heavy-top")
body.exact_on_group([0.1, 0.2, 0.05], z0=0.3, h=0.2), top.exact_on_group([0.1, 0.2, 0.05], z0=0.3, h=0.2, x0=[0, 0.6, 0.8])

# %%
exact = hz.model("wong-particle").exact_on_group([0.2, -0.1, 0.3, 0.2, 0.4], z0=0.2, h=0.4, x0=[0.4, 0.6])
exact.x1, exact.sigma

# %% [markdown]
# A rule makes the discrete Lagrangian of $L$. How well, its order says: of $L_d$ against the exact one, and of the flow.

# %%
order = top.replace(discrete={"rule": "trapezoid"}).discrete_order(0.1)
assert abs(order.lagrangian - 2) < 0.2 and abs(order.flow - 2) < 0.2
order

# %% [markdown]
# Sequences of arrows have an action, rows and variations, too, by the rule or by the exact discrete Lagrangian. With fixed ends the variation is
# the pairing of the rows with the section, times the factors of later steps.

# %%
arrows = [[0.1, 0.2, 0.05], [0.12, 0.15, 0.02]]
rule = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
rule.discrete_action_on_group(arrows, h=0.1, z0=0.2), rule.discrete_euler_lagrange_on_group(arrows, h=0.1, z0=0.2)

# %%
at_rest = [[0, 0, 0], [0.3, -0.2, 0.5], [0, 0, 0]]
rule.discrete_first_variation_on_group(arrows, at_rest, h=0.1, z0=0.2), rule.discrete_first_variation_on_group(
    arrows, at_rest, h=0.1, z0=0.2, exact=True)

# %% [markdown]
# Along the motion of the body of Moser and Veselov the momentum shrinks by $\sigma_d = 1 - \gamma h$ in every step.

# %%
run = hz.simulate(body, step=0.2, t_end=20, output_every=1)
size = numpy.sqrt(run.w1**2 + 4*run.w2**2 + 9*run.w3**2)
spread = float(abs(size.values[1:] / size.values[:-1] - (1 - 0.1*0.2)).max())
assert spread < 1e-12
spread

# %% [markdown]
# ## Energy and momenta together
#
# A discrete gradient that is equivariant under the declared symmetries keeps the decay of the energy and of their momenta [ASC25, Sec. 7].

# %%
spring = hz.System(hz.tangent(["x", "y"], ["vx", "vy"]), "(vx^2 + vy^2)/2 - (x^2 + y^2)^2/4 - gamma*z", parameters={"gamma": 0.05},
                   symmetries={"rotation": ["-y", "x"]}, initial={"x": 1.0, "vy": 0.6})
run = hz.simulate(spring, method="contact-energy-2", step=0.1, t_end=50)
float(abs(run.energy_residual).max()), float(abs(run["momentum_residual.rotation"]).max())
