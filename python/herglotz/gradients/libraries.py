"""The libraries that runs are given to, none of which the package needs."""

from __future__ import annotations

import importlib
from types import ModuleType


def require(package: str, called: str, function: str) -> None:
    """Raises ImportError, with what the library is called, if it is missing."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ImportError(f"{function} needs {called}; pip install {package}", name=package) from error


def module_of(package: str, called: str, function: str) -> ModuleType:
    """The module that gives runs to a library. Raises ImportError if the library is missing."""
    require(package, called, function)
    return importlib.import_module(f"herglotz.gradients.{package}_solve")
