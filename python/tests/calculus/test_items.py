"""The list of what the papers have, docs/items.md: its calls, models and tests are there, and no numbered item is left out."""

import pathlib
import re

import pytest

import herglotz as hz

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs" / "items.md").read_text(encoding="utf-8")
CELLS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]
ROWS = [cells for cells in CELLS if len(cells) == 4 and cells[0] != "item"]
WORDS = [cells for cells in CELLS if len(cells) == 2 and cells[0] != "word"]

NUMBERED = {
    "ASC25": "Def. 2.1; Def. 3.1; Thm 3.2; Ex. 3.4; Ex. 3.5; Ex. 3.6; Ex. 3.7; Ex. 3.8; Ex. 3.9; Prop. 4.1; Ex. "
             "4.2; Def. 4.3; Prop. 4.4; Ex. 4.6; Ex. 4.7; Ex. 4.8; Thm 5.1; Def. 6.1; Thm 6.2; Cor. 6.3; Ex. 6.5; "
             "Ex. 6.6; Ex. 6.7; Lemma A.1",
    "LLMR21": "Def. 1; Thm 1; Thm 2; Thm 3; Thm 4",
    "LJL21": "Def. 1; Def. 2; Def. 3; Def. 4; Def. 5; Def. 6; Def. 7; Ex. 1; Thm 1; Lemma 2; Thm 3; Prop. 4; Prop. "
             "5; Prop. 6; Thm 7; Thm 8; Thm 9; Prop. 10; Thm 11; Prop. 12; Thm 13; Cor. 14; Lemmas 15, 16; Thm 17; "
             "Thm 18; Prop. 19; Cor. 20; Prop. 21; Cor. 22; Prop. 23; Thm 24",
    "GG08": "Thm 1; Thm 2; Thm 3; Thm 4; Thm 5; Thm 6; Thm 7; Defs. 1, 2; Ex. 1; Ex. 2; Ex. 3; Ex. 4",
    "ASMLL20": "Thm 2.1; Thm 2.2; Prop. 3.1; Def. 3.3; Thm 3.4; Lemma 3.6; Thm 3.7; Lemma 3.8; Thm 3.9; Lemma 3.10; "
               "Thm 3.11; Thm 4.1; Lemma 4.2; Thm 4.3; Thm 4.4; Ex. 1; Ex. 2",
}


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_item_of_a_paper_is_listed(paper):
    table = TEXT.split(f"## [{paper}]")[1].split("\n## ")[0]
    items = ", ".join(line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| "))
    missing = [item for item in NUMBERED[paper].split("; ") if not re.search(re.escape(item) + r"(?![0-9])", items)]
    assert missing == []


def test_what_is_called_is_there():
    for _, _, where, _ in ROWS:
        for one in re.findall(r"`([A-Za-z]+)\.([a-z_A-Z]+)`", where):
            owner = hz if one[0] == "hz" else getattr(hz, one[0])
            assert hasattr(owner, one[1]), one
    models = {name for name, *_ in hz.gallery()}
    assert set(re.findall(r"\*\*([a-z0-9-]+)\*\*", TEXT)) <= models


def test_words_of_the_papers_have_sources_and_calls_that_are_there():
    assert len(WORDS) > 20
    for word, where in WORDS:
        assert re.search(r"\[(ASC25|LLMR21|LJL21|GG08|ASMLL20), ", word), word
        calls = re.findall(r"`(hz|[A-Z][A-Za-z]+)\.([a-z_]+)", where)
        assert calls or "`" in where, word
        for owner, name in calls:
            assert hasattr(hz if owner == "hz" else getattr(hz, owner), name), (owner, name)


def test_the_tests_are_there():
    sources = [*ROOT.glob("tests/**/*.cpp"), *ROOT.glob("python/tests/**/test_*.py")]
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    known = set(re.findall(r"^def (test_\w+)", text, re.M))
    known |= {".".join(one) for one in re.findall(r"TEST(?:_P|_F)?\((\w+), (\w+)\)", text)}
    assert {test.strip("`") for *_, test in ROWS} - known == set()
