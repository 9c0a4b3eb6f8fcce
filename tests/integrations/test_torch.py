"""Runs under the transformations of PyTorch."""

import numpy
import pytest
import torch

import herglotz as hz

TIMES = [0.0, 0.5, 1.0, 2.0]


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


@pytest.fixture(params=["runge-kutta-4", "contact-gauss-4", "taylor"])
def solve(request, pendulum):
    return pendulum.to_torch_solve(TIMES, method=request.param, step=0.05, columns=["q", "energy"])


def table(solve):
    return lambda u: torch.stack(list(solve({"q": u[0]}, {"gamma": u[1]}).values()))


def test_values_are_those_of_the_run(solve, pendulum):
    found = solve({"q": number([1.1, 0.7])}, {"gamma": 0.3})
    for k, q in enumerate((1.1, 0.7)):
        run = hz.simulate(pendulum, {"q": q}, parameters={"gamma": 0.3}, method="reference", t_end=2.0, output_step=0.5)
        for name in ("q", "energy"):
            assert found[name].shape == (2, 4)
            numpy.testing.assert_allclose(found[name][k].detach(), run[name].values[[0, 1, 2, 4]], rtol=1e-5)


def test_derivatives_are_those_of_the_run(solve):
    def columns(q, gamma):
        return tuple(solve({"q": q}, {"gamma": gamma}).values())

    assert torch.autograd.gradcheck(columns, (number(1.1), number(0.3)), check_forward_ad=True)
    assert torch.autograd.gradcheck(columns, (number([1.1, 0.7, 0.2]), number(0.3)), check_forward_ad=True)


def test_the_transpose_is_that_of_the_derivative(solve):
    # <c, J v> = <J^T c, v>
    u, v = number([1.1, 0.3]), torch.tensor([0.4, -0.7], dtype=torch.float64)
    c = torch.cos(torch.arange(8, dtype=torch.float64)).reshape(2, 4)
    along = torch.func.jvp(table(solve), (u,), (v,))[1]
    back = torch.func.vjp(table(solve), u)[1](c)[0]
    assert float((c * along).sum().detach()) == pytest.approx(float(back.detach() @ v), rel=1e-13)


def test_many_are_mapped(solve):
    us = torch.tensor([[1.1, 0.3], [0.7, 0.2], [0.2, 0.1]], dtype=torch.float64)
    slopes = torch.func.vmap(torch.func.grad(lambda u: table(solve)(u)[0, -1]))(us)
    for u, slope in zip(us, slopes):
        for jacobian in (torch.func.jacfwd, torch.func.jacrev):
            numpy.testing.assert_allclose(jacobian(table(solve))(u)[0, -1], slope, rtol=1e-13)
    assert torch.func.vmap(torch.func.vmap(table(solve)))(torch.stack([us, us])).shape == (2, 3, 2, 4)


def test_derivatives_go_through_impacts():
    # dropped from q with restitution e: behind the impact at T = sqrt(2 q/g) the height is e g T (t - T) - g (t - T)^2/2
    ball = hz.System(hz.tangent("q", "v"), "v^2/2 - g*q", parameters={"g": 9.81, "e": 0.8}, initial={"q": 1.0},
                     impacts={"floor": {"gap": "q", "restitution": "e"}})
    e, q = number(0.8), number(1.0)
    g = ball.parameters["g"]
    solve = ball.to_torch_solve([0.6], method="reference", tolerance=1e-12, columns=["q"])
    found = torch.autograd.grad(solve({"q": q, "v": 0.0}, {"e": e})["q"][0], (e, q))
    T = torch.sqrt(2 * q / g)
    exact = torch.autograd.grad(e * g * T * (0.6 - T) - g * (0.6 - T)**2 / 2, (e, q))
    numpy.testing.assert_allclose(found, exact, rtol=1e-9)


def test_an_optimiser_finds_what_a_fit_finds(pendulum, times, measured, fitted):
    solve = pendulum.to_torch_solve(times, method="reference", columns=["q"])
    target = torch.from_numpy(measured)
    u = number([1.2, 0.2])
    optimiser = torch.optim.LBFGS([u], tolerance_grad=1e-12, tolerance_change=1e-14, max_iter=100, line_search_fn="strong_wolfe")

    def misfit():
        optimiser.zero_grad()
        loss = ((solve({"q": u[0]}, {"gamma": u[1]})["q"] - target)**2).sum()
        loss.backward()
        return loss

    optimiser.step(misfit)
    numpy.testing.assert_allclose(u.detach(), [fitted.parameters["q"], fitted.parameters["gamma"]], rtol=1e-6)


def test_a_run_that_fails_is_an_error_or_nan(pendulum):
    steep = {"gamma": number([0.3, -1e300])}
    with pytest.raises(hz.RunError, match="not finite"):
        pendulum.to_torch_solve(TIMES, method="runge-kutta-4", step=0.05)({}, steep)
    solve = pendulum.to_torch_solve(TIMES, method="runge-kutta-4", step=0.05, failures="nan")
    found = solve({}, steep)["q"]
    assert torch.equal(found[0], solve({}, {"gamma": 0.3})["q"])
    assert found[1].isnan().all()
    found.sum().backward()
    assert steep["gamma"].grad.isnan().tolist() == [False, True]
    assert solve({}, {"gamma": number(float("nan"))})["q"].isnan().all()


def test_what_does_not_fit_is_one_sentence(solve, pendulum):
    with pytest.raises(TypeError, match=r"'q' is a tensor of torch.float32; runs have 64-bit numbers, give torch.float64"):
        solve({"q": torch.tensor(1.0)})
    with pytest.raises(ValueError, match=r"'q' \(2,\), 'gamma' \(3,\)"):
        solve({"q": number([1.0, 2.0])}, {"gamma": number([1.0, 2.0, 3.0])})
    with pytest.raises(ValueError, match="on the device meta"):
        solve({"q": torch.empty((), device="meta", dtype=torch.float64)})
    with pytest.raises(ValueError, match="unknown initial value 'gamma'; there are q"):
        solve({"gamma": 1.0})
    with pytest.raises(ValueError, match="unknown parameter 'gama'; did you mean gamma"):
        solve({}, {"gama": 1.0})
    with pytest.raises(NotImplementedError, match="first derivatives only"):
        torch.func.hessian(lambda q: solve({"q": q})["q"][-1])(number(1.0))
    stiff = pendulum.to_torch_solve(TIMES, method="stiff")({"q": number(1.0)})["q"]
    with pytest.raises(ValueError, match="method stiff is not differentiated"):
        stiff.sum().backward()
