# %% [markdown]
# # Writing your own algebroid
#
# An algebroid is a triple: left anchor $\rho$, right anchor $\sigma$, structure functions $c$. The tangent bundle, frames, Lie algebras,
# action and Atiyah algebroids are builders of that triple, and `custom` takes any other.

# %%
import cmath

import matplotlib.pyplot as plt
import sympy

import herglotz as hz

# %% [markdown]
# ## A frame
#
# Polar coordinates with physical velocities: $e_1 = \partial_r$, $e_2 = \frac1r \partial_\varphi$. The brackets are derived.

# %%
r, phi, u, v, z = sympy.symbols("r phi u v z", positive=True)
polar = hz.hamel([r, phi], [u, v], [[1, 0], [0, 1 / r]])
planet = hz.System(polar, (u**2 + v**2) / 2 + 1 / r - z / 50, initial={r: 1.0, v: 1.1},
                   symmetries={"rotation": [0, r]})
planet.structure[1, 0, 1], planet.equations()["Equations of motion"]

# %%
run = hz.simulate(planet, t_end=60, step=0.01)
axes = plt.subplots(subplot_kw={"projection": "polar"}, figsize=(4.5, 4.5))[1]
axes.plot(run.phi, run.r)
run.attrs["largest_momentum_residuals.rotation"]

# %% [markdown]
# ## Anything
#
# A general algebroid need not be skew, nor satisfy the Jacobi identity, nor have equal anchors. The energy law gets the terms that
# then appear [GG08], and the run verifies it all the same.

# %%
a, b, q = sympy.symbols("a b q")
strange = hz.custom(
    base=[q],
    fibre=[a, b],
    anchor=[[1], [q]],
    right_anchor=[[1], [q / 2]],
    brackets={("a", "b"): {"a": q / 3}, ("b", "a"): {"a": -q / 4}, ("b", "b"): {"b": "1/5"}},
    skew=False,
)
system = hz.System(strange, a**2 / 2 + b**2 / 2 - q**2 / 2 - z / 10, initial={q: 0.7, a: 0.2, b: 0.4})
run = hz.simulate(system, t_end=20, tolerance=1e-11)
run.hz.plot.trajectory("q", "a", "b")
run.attrs["largest_energy_residual"]

# %% [markdown]
# ## The adjoint and the opposite [GG08, Sec. 2]
#
# The adjoint exchanges both anchors and the arguments of the bracket; the opposite turns all signs. On skew algebroids they are one.

# %%
adjoint, opposite = (system.adjoint_algebroid(), system.opposite_algebroid())
turned = hz.System(adjoint, system.lagrangian, initial={q: 0.7, a: 0.2, b: 0.4})
turned.anchor, turned.right_anchor, hz.simulate(turned, t_end=5, tolerance=1e-11).attrs["largest_energy_residual"]

# %%
body = hz.model("rigid-body")
one, other = (hz.System(made, body.lagrangian, parameters=body.parameters, initial=body.initial)
              for made in (body.adjoint_algebroid(), body.opposite_algebroid()))
same = hz.simulate(one, t_end=5, tolerance=1e-12).w3 - hz.simulate(other, t_end=5, tolerance=1e-12).w3
float(abs(same).max())

# %% [markdown]
# ## Systems from systems
#
# The flow of any function of phase space is a system again [LJL21, Eq. 33], and so is a motion with its action as one more coordinate, whose
# rate is a constraint by either rule [LLMR21, Secs. 3-5]. All run by any method, and are saved as model files.

# %%
turns = hz.simulate(body.flow("p_w3"), t_end=1, tolerance=1e-12)      # turns the momentum about the third axis, by one radian
p0, p1 = (complex(turns.p_w1[k], turns.p_w2[k]) for k in (0, -1))
abs(cmath.phase(p1 / p0))

# %%
extended = planet.extended("nonholonomic")
far = hz.simulate(extended, t_end=5, tolerance=1e-12)
near = hz.simulate(planet, t_end=5, tolerance=1e-12)
extended.base, float(abs(far.r - near.r).max())
