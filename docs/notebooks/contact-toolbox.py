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
# $X_H$ scales the form, $\mathcal L_{X_H} \eta = -\mathcal R(H)\, \eta$, and leaves $\eta/H$ as it is, whose Reeb field is $-X_H$ [LJL21, Prop. 5]. The
# bracket of two such fields is the field of the bracket [LJL21, Prop. 23].

# %%
H = p**2/2 + sympy.cos(q) + gamma*z
assert all(sympy.simplify(moved + gamma*eta.form()[name]) == 0 for name, moved in eta.lie_derivative(X).items())
scaled = hz.contact({name: component/H for name, component in eta.form().items()}, coordinates=[q, p, z])
assert all(sympy.simplify(component + X[name]) == 0 for name, component in scaled.reeb_field().items())
Y = eta.hamiltonian_field(q*p)
assert all(sympy.simplify(component - eta.hamiltonian_field(eta.bracket(H, q*p))[name]) == 0
           for name, component in eta.lie_bracket(X, Y).items())
eta.lie_derivative(X), eta.lie_bracket(X, Y)

# %% [markdown]
# The Jacobi structure $(\Lambda, -\mathcal R)$ has another sharp, $\Lambda(\alpha, \cdot)$ [LJL21, Eq. 25], and knows its form.

# %%
eta.jacobi().sharp([0, 0, 1]), eta.sharp([0, 0, 1]), eta.jacobi().contact().form()

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
# Every $X_H$ of such a structure has a flow, which runs by any method, and $H$ falls as $\dot H = -\mathcal R(H)\, H$ says [LJL21, Eq. 35].

# %%
flow = eta.flow(p**2/2 + gamma*z, parameters={gamma: 0.1}, initial={q: 0.5, p: 1.0})
run = hz.simulate(flow, t_end=5, tolerance=1e-12)
float(abs(run.H - 0.5*numpy.exp(-0.1*run.t)).max())

# %% [markdown]
# On the command line such structures are files with a table `[structure]`: `herglotz derive chart.toml`, `herglotz flow chart.toml "p^2/2 + gamma*z"`.

# %% [markdown]
# ## The structure of a system [LJL21, Sec. 3]
#
# $\eta_L$ is a contact form on $TQ \times \mathbb R$, in any frame.

# %%
theta, omega = sympy.symbols("theta omega", real=True)
of_pendulum = hz.model("damped-pendulum").contact_structure()
of_pendulum.form(), of_pendulum.flat(of_pendulum.reeb_field()), of_pendulum.kind(
    fields=[[1, 0, 0]], at={"theta": 0.3, "omega": 0.2, "z": 0, **hz.model("damped-pendulum").parameters})

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

# %% [markdown]
# On covectors it is $\bar P = \flat \circ P \circ \sharp$, and the motion is the $X$ with
# $\flat(X) = \bar P(dE_L - (E_L + \mathcal R(E_L))\, \eta_L)$ [LJL21, Thm 11, with the sign of the errata].

# %%
eta_L = blade.contact_structure()
at = {x: 0.4, y: 0.1, phi: 0.3, vx: 0.7*sympy.cos(0.3), vy: 0.7*sympy.sin(0.3), w: 1.2, sympy.Symbol("z", real=True): 0.2, gamma: 0.1}
of_energy = sympy.Matrix(list(eta_L.flat(blade.dynamics_field()).values()))          # flat of the free motion
of_motion = sympy.Matrix(list(eta_L.flat(blade.dynamics_field(constrained=True)).values()))
defect = (blade.covector_projector()*of_energy - of_motion).subs(at).evalf()
float(max(abs(entry) for entry in defect))

# %%
motion = hz.simulate(blade, t_end=2, tolerance=1e-12)
same = hz.simulate(blade.flow("energy", constrained=True), t_end=2, tolerance=1e-12)
other = hz.simulate(blade.flow("x*vx + z", constrained=True), t_end=1, tolerance=1e-12)
float(abs(motion.x[-1] - same.x[-1])), float(abs(other.constraint_1).max())

# %% [markdown]
# ## Constraints of a structure of one's own [LJL21, Secs. 5-7]
#
# The same blade from its contact form alone: $Z = \sharp(\beta)$ with the form $\beta$ of the reaction, $C = d\Phi(Z)$, $P = 1 - C^{-1} Z\, d\Phi$. Nothing knows of a
# Lagrangian here. $\Phi$ is a Casimir of the nonholonomic bracket, and the motion along $P(X_H)$ is that of the model above.

# %%
px, py, pw = sympy.symbols("px py pw", real=True)
of_edge = hz.contact([-px, -py, -pw, 0, 0, 0, 1], coordinates=[x, y, phi, px, py, pw, z])
edge = of_edge.constrained([px*sympy.sin(phi) - py*sympy.cos(phi)], reactions=[{x: sympy.sin(phi), y: -sympy.cos(phi)}])
edge.matrix, edge.structure.bracket(x, px), edge.structure.bracket(edge.constraints[0], x*py)

# %%
H = (px**2 + py**2 + pw**2)/2 + x + gamma*z
start = {phi: 0.3, px: "0.7*cos(0.3)", py: "0.7*sin(0.3)", pw: 1.2}
of_form = hz.simulate(edge.flow(H, parameters={gamma: 0.1}, initial=start), t_end=2, tolerance=1e-12)
float(abs(of_form.x[-1] - motion.x[-1])), float(abs(of_form.constraint_1).max())

# %% [markdown]
# With reactions that do work, $P(X_H)$ and $X_H^\Delta$ are two fields [LJL21, Eq. 107]: both keep $p = q$, and positions follow the velocities along the first alone.

# %%
line = eta.constrained([p - q], reactions=[{q: 1}])
line.dynamics_field(p**2/2 + z/10), line.structure.hamiltonian_field(p**2/2 + z/10)

# %% [markdown]
# Files state the same with `constraints` and `reactions` in `[structure]`: `herglotz flow edge.toml "..." --projected`, or `--constrained`. For a model
# whose constraint is affine in the velocities, only $P(X_E)$ is the motion.

# %%
u, v, a, b = sympy.symbols("u v a b", real=True)
wind = hz.System(hz.tangent([a, b], [u, v]), (u**2 + v**2)/2 - gamma*z, parameters={gamma: 0.1}, constraints=v - a*u - sympy.Rational(1, 2),
                 initial={u: 1.0, v: 0.5})
ends = [float(hz.simulate(one, t_end=2, tolerance=1e-12).b[-1]) for one in
        (wind, wind.flow("energy", projected=True), wind.flow("energy", constrained=True))]
ends[1] - ends[0], ends[2] - ends[0]

# %% [markdown]
# ## Volumes [LJL21, Props 5, 12]
#
# If $L$ depends on $z$ in another way than linearly, the volume of phase space breathes.

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

# %% [markdown]
# Along constraints the volume $\omega$ with $d\Phi \wedge \omega = dx\, dp\, dz$ grows by the divergence of $P(\Gamma)$ [LJL21, Prop. 12]. For the blade
# that is $-3\gamma$ in place of the $-4\gamma$ of the free body. For a sleigh whose centre of mass is off its blade it depends on the motion.

# %%
blade.volume_law().rate

# %%
sleigh = hz.model("chaplygin-sleigh")
run = hz.simulate(sleigh, t_end=5, tolerance=1e-12, columns=["volume", "volume_residual"])
float(run.volume[-1]), float(abs(run.volume_residual).max())
