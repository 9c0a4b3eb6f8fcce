# %% [markdown]
# # Optimal control
#
# A pendulum hangs from a cart and shall stand upright one metre further, with as little force as possible. Damping is that of a Herglotz
# Lagrangian. The problem is stated in SymPy; the solution is an xarray dataset with a certificate.

# %%
import matplotlib.pyplot as plt
import sympy

import herglotz as hz

x, th, vx, w, z, u, s = sympy.symbols("x theta v_x omega z u s")
M, m, length, g, gamma = sympy.symbols("M m l g gamma", positive=True)

cart_pole = hz.System(
    hz.tangent([x, th], [vx, w]),
    lagrangian=(M + m) * vx**2 / 2 + m * length * vx * w * sympy.cos(th) + m * length**2 * w**2 / 2 + m * g * length * sympy.cos(th) - gamma * z,
    parameters={M: 1.0, m: 0.3, length: 0.5, g: 9.81, gamma: 0.3},
    forces={vx: u},
    control={"controls": [u], "bounds": {u: [-20, 20]}},
    cost={"running": u**2},
    boundary={"duration": 2, "final": {x: 1, th: sympy.pi, vx: 0, w: 0}},
    guess={x: "s", th: "pi*s"},
)
solution = cart_pole.solve()
solution.plot()
solution.cost, solution.cost_error

# %% [markdown]
# The multipliers of the nonlinear programme are the costates, so that the maximum condition can be checked: `stationarity` is how far
# from zero the derivative of the Hamiltonian by the force is, `defect` how well the equations of motion hold.

# %%
solution.certificate

# %% [markdown]
# ## The conditions
#
# Pontryagin's conditions in SymPy. The force that maximises the Hamiltonian is in closed form.

# %%
conditions = cart_pole.equations()
conditions["Maximising controls, where no bound is active"].rows

# %% [markdown]
# ## Following a solution
#
# A solution is the start of the next problem: a weaker damping each time, in a fraction of the time of the first solve.

# %%
path = solution
costs = {}
for value in (0.3, 0.2, 0.1, 0.0):
    path = cart_pole.solve(guess=path, gamma=value)
    costs[value] = path.cost
figure, ax = plt.subplots()
ax.plot(costs.keys(), costs.values(), marker="o")
ax.set(xlabel="damping", ylabel="cost")
costs

# %% [markdown]
# ## A constraint on the control
#
# With at most 9 units of force, it has to be at its bounds for some time. The times at which it comes to them are unknowns of the solver.

# %%
bounded = cart_pole.replace(control={"bounds": {u: [-9, 9]}})
weak = bounded.solve(guess=solution)
weak.plot.controls()
weak.structure, weak.cost
