"""Makes a model smaller as long as something remains wrong with it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

from model import NUMBER, Model


def _smaller(model: Model) -> Iterator[Model]:
    """Models with one piece less."""

    def changed(change: Callable[[Model], None]) -> Model:
        copied = copy.deepcopy(model)
        change(copied)
        return copied

    for key in ("observables", "symmetries", "forces", "definitions"):
        for name in list(model[key]):
            yield changed(lambda m: m[key].pop(name))
    for k in range(len(model["equations"])):
        yield changed(lambda m: m["equations"].pop(k))
    for k in range(len(model["terms"])):
        yield changed(lambda m: m["terms"].pop(k))
    for k, equation in enumerate(model["equations"]):
        for j in range(len(equation)):
            yield changed(lambda m: m["equations"][k].pop(j))
    for name, terms in model["forces"].items():
        for j in range(len(terms)):
            yield changed(lambda m: m["forces"][name].pop(j))
    table = model["algebroid"]
    for key in ("anchor", "right_anchor", "connection", "frame", "generators"):
        for a, row in enumerate(table.get(key, [])):
            for i, text in enumerate(row):
                plain = "1" if key == "frame" and a == i else "0"
                if text != plain:
                    yield changed(lambda m: m["algebroid"][key][a].__setitem__(i, plain))
    if "right_anchor" in table:
        yield changed(lambda m: m["algebroid"].pop("right_anchor"))
    for pair in table.get("brackets", {}):
        yield changed(lambda m: m["algebroid"]["brackets"].pop(pair))
    if model["t"] != 0:
        yield changed(lambda m: m.update(t=0.0, t_end=m["t_end"] - m["t"]))
    for name, value in model["start"].items():
        if value not in (0.0, 0.5):
            yield changed(lambda m: m["start"].__setitem__(name, 0.5))
    for k, text in enumerate(model["terms"]):
        for number in NUMBER.finditer(text):
            if number.group() not in ("1", "2"):
                yield changed(lambda m: m["terms"].__setitem__(k, text[: number.start()] + "1" + text[number.end() :]))


def shrink(model: Model, faulty_still: Callable[[Model], bool], attempts: int = 150) -> Model:
    """The smallest model found that still has the fault."""
    again = True
    while again and attempts > 0:
        again = False
        for candidate in _smaller(model):
            attempts -= 1
            try:
                faulty = faulty_still(candidate)
            except Exception:  # a piece that others use was taken away
                faulty = False
            if faulty:
                model, again = candidate, True
                break
            if attempts <= 0:
                break
    return model
