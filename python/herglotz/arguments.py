"""Arguments as users give them, made into numbers, counts and names; what is of another type is named in one sentence."""

from __future__ import annotations

import math
import numbers
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy
import sympy

_NO_NUMBERS = (str, bytes, bytearray, memoryview, bool, numpy.bool_, numpy.character)
_LARGEST_COUNT = 2**63 - 1


def shown(value: Any) -> str:
    """The value in a message: its repr in one line, shortened where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:60]} ... {text[-16:]}"


def to_number(name: Any, value: Any) -> float:
    """The value as a number; `name` is what errors call it.

    Raises TypeError for what is not a real number (strings, bytes and booleans among them), ValueError for one beyond doubles.
    """
    if isinstance(value, float):
        return float(value)
    try:
        if not isinstance(value, _NO_NUMBERS) and not numpy.iscomplexobj(value) and not is_array(name, value):
            return float(value)
    except OverflowError:
        raise ValueError(f"{name} = {shown(value)} is beyond the largest number, 1.8e308") from None
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} = {shown(value)}; a number is needed")


def to_finite(name: Any, value: Any) -> float:
    """The value as a finite number; `name` is what errors call it."""
    number = to_number(name, value)
    if not math.isfinite(number):
        raise ValueError(f"'{name}' is {number}; a finite number is needed")
    return number


def to_count(name: Any, value: Any, least: int = 0, most: int = _LARGEST_COUNT) -> int:
    """The value as a whole number from `least` to `most`; `name` is what errors call it."""
    if isinstance(value, (bool, numpy.bool_)) or not isinstance(value, (numbers.Integral, sympy.Integer)):
        raise TypeError(f"{name} = {shown(value)}; a whole number is needed")
    count = int(value)
    if count < least:
        raise ValueError(f"{name} = {shown(count)}; it must be at least {least}")
    if count > most:
        raise ValueError(f"{name} = {shown(count)}; it must be at most {most}")
    return count


def is_array(name: Any, value: Any) -> bool:
    """Returns whether the value has several entries: an array, or a list that makes one. Raises TypeError for uneven rows."""
    if isinstance(value, (float, int, str, bytes, bytearray, memoryview, sympy.Basic, Mapping)):
        return False
    try:
        return numpy.ndim(value) > 0
    except ValueError:
        raise TypeError(f"{name} = {shown(value)}; numbers in rows of equal lengths are needed") from None


def to_array(name: Any, value: Any) -> numpy.ndarray:
    """The value as an array of numbers; `name` is what errors call it.

    Raises TypeError for entries that are not real numbers: strings, bytes, booleans, None, complex numbers.
    """
    if isinstance(value, _NO_NUMBERS) or value is None:
        raise TypeError(f"{name} = {shown(value)}; numbers are needed")
    is_array(name, value)  # raises for uneven rows
    array = numpy.asarray(value)
    if array.dtype.kind in "iuf" or (array.size == 0 and array.dtype.kind != "c"):
        return array.astype(numpy.float64, copy=False)
    if array.dtype.kind == "c":
        raise TypeError(f"{name} has complex numbers, whose imaginary parts would be lost; give real ones")
    if array.dtype.kind == "O":
        entries = [to_number(f"{name}[{k}]", entry) for k, entry in enumerate(array.ravel())]
        return numpy.array(entries).reshape(array.shape)
    raise TypeError(f"{name} = {shown(value)}; numbers are needed")


def to_string(name: str, value: Any, what: str = "a string") -> str:
    """The value as a string of Python alone; `name` is what errors call it, and `what` what it should be."""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {shown(value)}; {what} is needed")
    return require_unicode(name, str(value))


def require_unicode(name: str, text: str) -> str:
    """The text. Raises ValueError for halves of characters, which files cannot hold; `name` is what errors call it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} = {shown(text)} has a character that is not Unicode text; leave it out") from None
    return text


def to_switch(name: str, value: Any) -> bool:
    """The value as True or False; numbers are neither."""
    if not isinstance(value, (bool, numpy.bool_)):
        raise TypeError(f"{name} = {shown(value)}; True or False is needed")
    return bool(value)


def to_table(name: str, value: Any) -> Mapping[Any, Any]:
    """The value as {name: value}, with nothing for None; `name` is what errors call it."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} = {shown(value)}; a mapping {{name: value}} is needed")
    for key in value:
        if not isinstance(key, (str, sympy.Basic)):
            raise TypeError(f"{name} has the key {shown(key)}; names are strings or SymPy symbols")
        if isinstance(key, str) and not key.isascii():
            require_unicode(f"a name in {name}", key)
    return value


def to_list(name: str, value: Any, of: str) -> list[Any]:
    """Returns the entries of the value; `of` names them in the plural. Raises TypeError for a string."""
    if isinstance(value, (str, bytes, bytearray, Mapping)) or not isinstance(value, (Sequence, Iterable)):
        raise TypeError(f"{name} = {shown(value)}; a list of {of} is needed")
    return list(value)


def to_names(name: str, value: Any) -> list[str]:
    """A list of names, from strings and symbols."""
    entries = to_list(name, value, "names")
    for entry in entries:
        if not isinstance(entry, (str, sympy.Basic)):
            raise TypeError(f"{name} has the entry {shown(entry)}; names are strings or SymPy symbols")
    return [require_unicode(name, str(entry)) for entry in entries]


def to_path(name: str, value: Any) -> pathlib.Path:
    """The value as the path of a file; `name` is what errors call it."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise TypeError(f"{name} = {shown(value)}; the path of a file is needed")
    if not os.fspath(value):
        raise ValueError(f"{name} = ''; the path of a file is needed")
    return pathlib.Path(value)
