# %% [markdown]
# # Nonholonomic against vakonomic
#
# The same equation, the same start, two rules. The nonholonomic rule lets the constraint act by a force (d'Alembert); the vakonomic rule
# makes the action extremal among curves that obey it, with a multiplier $\nu$ that is part of the state.

# %%
import matplotlib.pyplot as plt
import sympy

import herglotz as hz

x, y, th, vx, vy, w, z = sympy.symbols("x y th vx vy w z")
edge = vx * sympy.sin(th) - vy * sympy.cos(th)


def skate(rule):
    return hz.System(
        hz.tangent([x, y, th], [vx, vy, w]),
        lagrangian=(vx**2 + vy**2 + w**2 / 2) / 2 + x / 2 - z / 10,
        constraints=[edge],
        rule=rule,
        initial={vx: 0.8, w: 1.0},
        name=f"skate-{rule}",
    )


runs = {rule: hz.simulate(skate(rule), t_end=12, step=0.005) for rule in ("nonholonomic", "vakonomic")}
figure, (path, multiplier) = plt.subplots(1, 2, figsize=(10, 4))
for rule, run in runs.items():
    path.plot(run.y, run.x, label=rule)
    multiplier.plot(run.t, run[run.hz.names("multiplier")[0]], label=rule)
path.set(xlabel="y", ylabel="x (downhill)", aspect="equal")
multiplier.set(xlabel="t", ylabel=r"$\lambda$ and $\nu$")
path.legend()
multiplier.legend();

# %% [markdown]
# They part at once, although both keep the constraint. Which rule nature follows is a question of physics: for a blade on ice it is the
# nonholonomic one.

# %%
{rule: float(abs(run["constraint.1"]).max()) for rule, run in runs.items()}
