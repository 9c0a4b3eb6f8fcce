"""Dissipative geometric mechanics: a Lagrangian in; equations, invariants and verified trajectories out.

>>> import herglotz as hz
>>> system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2 - gamma*z", parameters={"gamma": 0.1})
>>> run = hz.simulate(system, {"q": 1.0}, t_end=20, step=0.01)
>>> run.hz.plot.energy_balance()
"""

from . import plots as plot
from ._herglotz import ModelError, gallery, indexed_gallery, methods, problem_gallery, version as __version__
from .algebroids import (
    Algebroid,
    action,
    atiyah,
    constrained,
    custom,
    hamel,
    lie_algebra,
    lie_group,
    product,
    tangent,
)
from .calculus.contact import ContactStructure, JacobiStructure, contact, jacobi
from .calculus.prolongation import Prolongation
from .calculus.related import PointSymmetries
from .calculus.rules import RuleComparison
from .calculus.sections import Connection
from .calculus.volumes import VolumeLaw
from .check import Check
from .dataset import RunError
from .equations import Equations, Section
from .expressions import UnsupportedFunction
from .final_set import Constraints, FinalSet
from .functions import StepMap, VectorField
from .gradients.continuation import Branch, follow_equilibria
from .gradients.fit import Fit, Profile, fit
from .gradients.hessian import HessianProduct, hessian, hessian_product
from .gradients.jax_calls import jax_calls
from .gradients.likelihood import LogLikelihood, log_likelihood
from .gradients.linear import Linearisation
from .gradients.orbits import PeriodicOrbit, lyapunov_exponents, periodic_orbit
from .gradients.value import Gradient, ValueAndGradient, value_and_gradient
from .indexed.system import IndexedSystem, WrittenOut
from .report import Report, report
from .robots.urdf import import_urdf
from .simulation import Run, run, simulate
from .solution import Certificate, Solution, open_solution
from .solving import solve
from .sweep import (
    exponential,
    log_normal,
    log_uniform,
    merge,
    normal,
    open_sweep,
    sweep,
    uniform,
)
from .system import System, load, model
from .work_precision import work_precision

__all__ = [
    "Algebroid",
    "Branch",
    "Certificate",
    "Check",
    "Connection",
    "Constraints",
    "ContactStructure",
    "Equations",
    "FinalSet",
    "Fit",
    "Gradient",
    "HessianProduct",
    "IndexedSystem",
    "JacobiStructure",
    "Linearisation",
    "LogLikelihood",
    "ModelError",
    "PeriodicOrbit",
    "PointSymmetries",
    "Profile",
    "Prolongation",
    "Report",
    "RuleComparison",
    "Run",
    "RunError",
    "Section",
    "Solution",
    "StepMap",
    "System",
    "UnsupportedFunction",
    "ValueAndGradient",
    "VectorField",
    "VolumeLaw",
    "WrittenOut",
    "__version__",
    "action",
    "atiyah",
    "constrained",
    "contact",
    "custom",
    "exponential",
    "fit",
    "follow_equilibria",
    "gallery",
    "hamel",
    "hessian",
    "hessian_product",
    "import_urdf",
    "indexed_gallery",
    "jacobi",
    "jax_calls",
    "lie_algebra",
    "lie_group",
    "load",
    "log_likelihood",
    "log_normal",
    "log_uniform",
    "lyapunov_exponents",
    "merge",
    "methods",
    "model",
    "normal",
    "open_solution",
    "open_sweep",
    "periodic_orbit",
    "plot",
    "problem_gallery",
    "product",
    "report",
    "run",
    "simulate",
    "solve",
    "sweep",
    "tangent",
    "uniform",
    "value_and_gradient",
    "work_precision",
]
