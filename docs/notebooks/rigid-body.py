# %% [markdown]
# # A rigid body with dissipation
#
# On a Lie algebra there are no positions: the algebroid has a point as base, and brackets. With
# $L = \tfrac12 \xi \cdot I \xi - \gamma z$ on $\mathfrak{so}(3)$ the equations are Euler's with a friction that acts on the momentum
# as a whole: $\lambda p$ stays on its coadjoint orbit, a sphere, while $p$ shrinks [ASC25, Ex. 4.6].

# %%
import matplotlib.pyplot as plt
import numpy
import sympy

import herglotz as hz

w = sympy.symbols("w1:4")
inertia = sympy.symbols("I1:4")
z, gamma = sympy.symbols("z gamma")

body = hz.System(
    hz.lie_algebra(w, "so3"),
    lagrangian=sum(i * v**2 for i, v in zip(inertia, w)) / 2 - gamma * z,
    parameters={inertia[0]: 1.0, inertia[1]: 2.0, inertia[2]: 3.0, gamma: 0.05},
    initial={w[0]: 0.1, w[1]: 1.0, w[2]: 0.1},
    observables={"momentum": "sqrt(p_w1^2 + p_w2^2 + p_w3^2)"},
)
body

# %% [markdown]
# The structure functions are SymPy, too: $[e_1, e_2] = e_3$ and so on.

# %%
body.structure[2, 0, 1], body.structure[0, 1, 2], body.structure[1, 2, 0]

# %%
run = hz.simulate(body, t_end=60, step=0.02)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5))
run.hz.plot.trajectory("w1", "w2", "w3", ax=left)
casimir = run.integrating_factor * run.momentum
right.plot(run.t, casimir / casimir[0] - 1)
right.set(xlabel="t", ylabel=r"change of $\lambda |p|$")
float(abs(casimir / casimir[0] - 1).max())

# %% [markdown]
# The body starts close to its unstable middle axis and tumbles, while $\lambda |p|$ stays what it was. On the sphere of $\lambda p$ the
# motion looks almost like that of the free body:

# %%
p = numpy.array([run.integrating_factor * i * run[name] for i, name in ((1, "w1"), (2, "w2"), (3, "w3"))])
axes = plt.figure(figsize=(5, 5)).add_subplot(projection="3d")
axes.plot(*p)
axes.set_box_aspect((1, 1, 1));

# %% [markdown]
# ## Its attitude
#
# An action algebroid adds what the group acts on. For a heavy top the base holds the vertical seen from the body.

# %%
top = hz.model("heavy-top")
top.equations()
