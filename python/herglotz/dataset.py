"""Trajectories as xarray datasets."""

from __future__ import annotations

from typing import Any, Optional

import xarray

from .plots import Plots

_LONG_NAMES = {"time": "time", "base": "position", "fibre": "velocity", "action": "action", "multiplier": "multiplier",
               "energy": "Herglotz energy", "factor": "integrating factor", "invariant": "dissipated invariant",
               "residual": "residual of a balance law", "momentum": "momentum", "constraint": "constraint residual",
               "observable": "observable"}


class RunError(RuntimeError):
    """A run that failed on its way; `reached` is the dataset of what was computed before."""

    def __init__(self, message: str, reached: xarray.Dataset):
        super().__init__(message)
        self.reached = reached


def to_dataset(columns: list[tuple[str, str, Any]], facts: dict[str, Any],
               dimensions: Optional[tuple[str, ...]] = None) -> xarray.Dataset:
    """Columns (name, role, values) over the dimension of time (or those given), without copies; facts as attributes."""
    time = next(name for name, role, _ in columns if role == "time")
    variables, coordinates = {}, {}
    for name, role, values in columns:
        target = coordinates if role == "time" else variables
        target[name] = xarray.DataArray(values, dims=time if role == "time" else dimensions or time, attrs={"role": role, "long_name": _LONG_NAMES[role]})
    attributes = {key: value for key, value in facts.items() if not isinstance(value, dict) and key != "notes"}
    attributes["complete"] = int(facts["complete"])
    attributes["notes"] = "\n".join(facts["notes"])
    for table in ("parameters", "initial", "largest_momentum_residuals"):
        attributes.update({f"{table}.{name}": value for name, value in facts[table].items()})
    return xarray.Dataset(variables, coordinates, attributes)


@xarray.register_dataset_accessor("hz")
class Accessor:
    """What a trajectory can do: `dataset.hz.plot.energy_balance()`."""

    def __init__(self, dataset: xarray.Dataset):
        self._dataset = dataset

    def names(self, role: str) -> list[str]:
        """Columns of a role: base, fibre, action, multiplier, invariant, residual, momentum, constraint, observable."""
        return [str(name) for name, column in self._dataset.variables.items() if column.attrs.get("role") == role]

    @property
    def time(self) -> str:
        """The name of the time dimension."""
        return self.names("time")[0]

    @property
    def plot(self) -> Plots:
        return Plots(self._dataset, self.names)
