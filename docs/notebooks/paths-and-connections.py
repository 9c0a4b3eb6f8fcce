# %% [markdown]
# # Paths, variations and connections
#
# The variational principle compares paths that are not motions, and a connection splits its differential [ASC25, Secs. 2-3, 5;
# GG08, Secs. 2-4]. The objects are those of [paths](../paths.md) and [algebroids](../algebroids.md).

# %%
import numpy
import sympy

import herglotz as hz

t, z, gamma = sympy.symbols("t z gamma", real=True)

# %% [markdown]
# ## A path that is not a motion [ASC25, Def. 2.1, Thm 3.2]
#
# On the action algebroid of a heavy top: $\dot\Gamma = \Gamma \times \omega$. The path turns about the third axis.

# %%
top = hz.model("heavy-top")
g1, g2, g3 = top.base
w1, w2, w3 = top.fibre
path = {g1: sympy.sin(t) * sympy.Rational(3, 5), g2: sympy.cos(t) * sympy.Rational(3, 5), g3: sympy.Rational(4, 5), w1: 0, w2: 0, w3: 1}
top.is_admissible(path)

# %% [markdown]
# A section $\xi$ varies it: $\delta x = \rho\, \xi$, $\delta y = \dot\xi + [y, \xi]$.

# %%
section = [sympy.sin(t), 0, t * (2 - t)]
top.admissible_variation(path, section)

# %% [markdown]
# The first variation is the derivative of the action $z(T)$; for a section that vanishes at both ends it is an integral over the rows
# of `euler_lagrange`, the force that the path would need.

# %%
inside = [0, 0, t * (2 - t)]
variation = top.first_variation(path, inside, z0=0, t_end=2)
nodes, weights = numpy.polynomial.legendre.leggauss(20)              # on [-1, 1]
force = top.force_along(path, times=1 + nodes)
xi = force.t * (2 - force.t)
decay = numpy.exp(-top.parameters["gamma"] * (2 - force.t))
variation, -float((weights * decay * xi * force.w3).sum())

# %% [markdown]
# Along a run the forces vanish: it is a critical point, as far as its rows can tell.

# %%
run = hz.simulate(top, t_end=2, tolerance=1e-12, output_step=0.01)
float(abs(top.force_along(run).to_array()).max())

# %% [markdown]
# ## The action of Pontryagin [ASC25, Thm 6.2, Eq. 28]
#
# With velocities $v$ and momenta $p$ beside the path, $\dot z = L(x, v, z) + \langle p, y - v \rangle$. Where $v = y$ the action is that of the
# path for every $p$; elsewhere momenta see the difference.

# %%
same = top.pontryagin_action(path, [0, 0, 1], [0.2, t, 0.7], t_end=2) - top.action_of(path, t_end=2)
assert abs(same) < 1e-12
same, top.pontryagin_action(path, [0, 0, 1.1], [0.2, t, 0.7], t_end=2) - top.action_of(path, t_end=2)

# %% [markdown]
# Its critical points solve equations in which no Legendre map is inverted, so that singular Lagrangians have them as well.

# %%
top.implicit()

# %% [markdown]
# ## The Tulczyjew differential [GG08, Eqs. 3.1-3.3]
#
# The map $\varepsilon: T^*E \to TE^*$ of the algebroid sends $dL$ to rates of positions and momenta over the Legendre map. The motion has these rates and
# $L_z\, p$; `herglotz derive heavy-top --tulczyjew` prints them.

# %%
top.tulczyjew_differential()

# %% [markdown]
# ## A connection and its terms [ASC25, Eqs. 26-27]
#
# On the plane in polar coordinates, with the Levi-Civita connection of the metric.

# %%
r, phi, v_r, v_phi = sympy.symbols("r phi v_r v_phi", real=True)
plane = hz.System(hz.tangent([r, phi], [v_r, v_phi]), (v_r**2 + r**2*v_phi**2)/2 - 1/r - gamma*z, parameters={gamma: 0.1},
                  initial={r: 1, v_phi: 1})
christoffel = [[[0, 0], [0, -r]], [[0, 1/r], [1/r, 0]]]
nabla = plane.connection(christoffel)
nabla.curvature()

# %%
nabla.terms()

# %% [markdown]
# $\nabla_X s$ and $\overline\nabla_s u = \nabla_{\rho u}\, s + [s, u]$; the two differ by the torsion, which vanishes here.

# %%
nabla.nabla([1, 0], [0, 1]), nabla.nabla_bar([0, 1], [1, 0])

# %% [markdown]
# ## Curvature as a bracket [ASC25, Ex. 3.8]
#
# The bracket of two horizontal sections of an Atiyah algebroid is vertical: minus the curvature of its connection.

# %%
wong = hz.model("wong-particle")
wong.section_bracket({"u1": 1}, {"u2": 1})

# %% [markdown]
# Complete lifts are symmetries exactly where $s^C L = 0$ [ASC25, Eq. 22].

# %%
lift = top.complete_lift({w1: g1, w2: g2, w3: g3})
sympy.simplify(sum(component * top.lagrangian.diff(symbol) for symbol, component in lift.items()))
