# %% [markdown]
# # From the papers
#
# Definitions, theorems and examples of the papers behind Herglotz ([bibliography](../bibliography.md)) as they are called from Python:
# paths and their variations, reduction to the algebroid of constraints, contact structures, dissipated functions.

# %%
import matplotlib.pyplot as plt
import numpy
import sympy

import herglotz as hz

t, z, gamma = sympy.symbols("t z gamma", real=True)
w1, w2, w3 = sympy.symbols("w1 w2 w3", real=True)

# %% [markdown]
# ## The variational principle [ASC25, Sec. 3]
#
# A rigid body with damping. On the Lie algebra every path is admissible; the variation of a section is $\dot\xi + y \times \xi$.

# %%
body = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), (w1**2 + 2*w2**2 + 3*w3**2)/2 - gamma*z, parameters={gamma: 0.2},
                 dissipated={"size": "sqrt(p_w1^2 + p_w2^2 + p_w3^2)", "axis": "p_w1"})
body.admissible_variation({w1: sympy.cos(t), w2: t, w3: 1}, [sympy.sin(t), 0, 0])

# %%
body.euler_lagrange()

# %% [markdown]
# The action of a motion is stationary for sections that vanish at both ends, and of no other path.

# %%
motion = hz.simulate(body, {"w1": 1, "w2": 0.5, "w3": -0.7}, t_end=1, tolerance=1e-12)
xi = [t*(1 - t), 0, t**2*(1 - t)]
at_the_motion = body.first_variation(motion, xi)
elsewhere = body.first_variation({w1: 1, w2: 0.5, w3: -0.7}, xi, t_end=1)
assert abs(at_the_motion) < 1e-10 < abs(elsewhere)
at_the_motion, elsewhere

# %% [markdown]
# ## Dissipated functions [ASC25, Ex. 4.7]
#
# $\{E, f\} = 0$ for the size of the momentum, and not for one of its components.

# %%
check = body.check()
assert check.brackets["size"]["holds"] and not check.brackets["axis"]["holds"]
fig, ax = plt.subplots(figsize=(6, 2.5))
for name in ("size", "axis"):
    ax.plot(motion.t, motion[f"dissipated_invariant.{name}"], label=name)
ax.set(xlabel="t", ylabel="integrating factor times f")
ax.legend()
fig.tight_layout()

# %% [markdown]
# ## Symmetries are sections [ASC25, Def. 4.3, Prop. 4.4]
#
# $s^C L = 0$ is solved for $s$: a charge in a uniform magnetic field has translations with a part along the fibre of the bundle, a rotation, and its charge. Their
# momenta are dissipated.

# %%
charge = hz.model("magnetic-uniform")
sections = charge.symmetric_sections()
track = hz.simulate(charge.replace(symmetries=sections), t_end=5, tolerance=1e-12)
for name in sections:
    J = track[f"momentum.{name}"].values
    assert abs(J - J[0]*numpy.exp(-charge.parameters["gamma"]*track.t.values)).max() < 1e-9
sections

# %% [markdown]
# ## Constraints as an algebroid [GG08, Ex. 2]
#
# The sleigh has a velocity $u$ along its blade and a rate of turning; their bracket is projected in the metric of the kinetic energy. Both
# runs agree to round-off.

# %%
import warnings

sleigh = hz.model("chaplygin-sleigh")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # translations are not sections of the constraint
    reduced = sleigh.reduced()
a, b = hz.simulate(sleigh, tolerance=1e-12), hz.simulate(reduced, tolerance=1e-12)
assert abs(a.x - b.x).max() < 1e-10
reduced.fibre, reduced.structure[0, 0, 1], reduced.structure[1, 0, 1], float(abs(a.x - b.x).max())

# %% [markdown]
# ## Reduction by symmetry [ASC25, Ex. 3.8]
#
# The rigid body in Euler angles: its rotations are found, and $TSO(3)/SO(3)$ is $so(3)$. The run on $so(3)$, reconstructed, is the full one.

# %%
phi, theta, psi, vphi, vtheta, vpsi = sympy.symbols("phi theta psi vphi vtheta vpsi", real=True)
spin = (vphi*sympy.sin(theta)*sympy.sin(psi) + vtheta*sympy.cos(psi),
        vphi*sympy.sin(theta)*sympy.cos(psi) - vtheta*sympy.sin(psi), vphi*sympy.cos(theta) + vpsi)
body = hz.System(hz.tangent([phi, theta, psi], [vphi, vtheta, vpsi]), (spin[0]**2 + 2*spin[1]**2 + 3*spin[2]**2)/2 - gamma*z,
                 parameters={gamma: 0.1}, initial={phi: 0.3, theta: 1, psi: 0.4, vphi: 0.5, vtheta: 0.3, vpsi: 0.2})
a = hz.simulate(body, t_end=2, tolerance=1e-13)
b = body.reconstructed(hz.simulate(body.reduced(by="symmetry", with_group=True), t_end=2, tolerance=1e-13))
assert abs(a.phi - b.phi).max() < 1e-11
body.reduced(by="symmetry").lagrangian, dict(body.point_symmetries()), float(abs(a.phi - b.phi).max())

# %% [markdown]
# ## The contact form on a prolongation [ASC25, Rem. 3.3]
#
# The motion is a second-order section: $S(\Gamma_L) = \Delta$ [LJL21, Def. 5].

# %%
prolongation = hz.model("rigid-body").prolongation()
assert prolongation.vertical_endomorphism(prolongation.dynamics()) == prolongation.liouville_section()
prolongation.contact_form(), prolongation.reeb_section(), prolongation.dynamics()

# %% [markdown]
# ## Contact structures [LJL21, Secs. 2-3]

# %%
q, p = sympy.symbols("q p", real=True)
eta = hz.contact([-p, 0, 1], coordinates=[q, p, z])
H = p**2/2 + sympy.cos(q) + gamma*z
X = eta.hamiltonian_field(H)
assert sympy.simplify(eta.divergence(X) + 2*eta.dissipation(H)) == 0
X, eta.bracket(q, p), eta.bracket(q, z), eta.dissipation(H)

# %% [markdown]
# ## The action as a coordinate [LLMR21, Secs. 3-5]
#
# With $\dot z - L = 0$ as a vakonomic constraint the multiplier is $\mu_0$, and $1 + \mu_0$ is the integrating factor.

# %%
oscillator = hz.System(hz.tangent("q"), "v_q^2/2 - q^2/2 - gamma*z", parameters={"gamma": 0.3}, initial={"q": 1.0})
run = hz.simulate(oscillator.extended("vakonomic"), t_end=2, tolerance=1e-12)
assert abs(1 + run.nu1 - numpy.exp(0.3*run.t)).max() < 1e-9
float(abs(1 + run.nu1 - numpy.exp(0.3*run.t)).max())
