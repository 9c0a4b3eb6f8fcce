"""How compiled code of JAX calls the package."""

from __future__ import annotations

from herglotz import _herglotz
from herglotz.gradients.libraries import require


def jax_calls() -> str:
    """How code that JAX compiles calls `to_jax_solve`, `LogLikelihood.to_jax` and `VectorField.to_jax` on the processor.

    Returns "xla" for custom calls by XLA's foreign function interface, without Python; otherwise "callbacks: " and the reason
    why it calls back into Python instead: XLA takes custom calls that were compiled with its own version or an earlier one.
    On other devices there are callbacks.

    Raises:
        ImportError: JAX is missing.
    """
    require("jax", "JAX", "jax_calls")
    from jaxlib.version import __version__ as there
    built = _herglotz.xla_jaxlib
    if built is None:
        return "callbacks: herglotz was built where there was no jaxlib; install jaxlib, and herglotz from its source again"
    if _numbers(there) < _numbers(built):
        return f"callbacks: herglotz was built with jaxlib {built}, and this is {there}; update JAX"
    return "xla"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split(".")[:3])
