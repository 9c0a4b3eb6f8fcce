/** Builds the page from the run that it carries. */

import { dataTable } from "./datatable.ts";
import { type Run, decodeRun, timeColumn } from "./data.ts";
import { el } from "./dom.ts";
import { equations, fitEquations } from "./equations.ts";
import { defaultPhasePair, phaseColumns, timePanels } from "./panels.ts";
import { planarBodies } from "./path.ts";
import { PathFigure } from "./pathfigure.ts";
import { PhaseFigure } from "./phasefigure.ts";
import type { Figure } from "./plot.ts";
import { modelFile, runFacts, thinningNote } from "./runfacts.ts";
import { onThemeChange, setPrinting, toggleTheme } from "./theme.ts";
import { TimeFigure, TimeWindow } from "./timefigure.ts";
import { verdict } from "./verdict.ts";

function figuresOf(run: Run): Figure[] {
  const time = timeColumn(run);
  const window = new TimeWindow(time?.values ?? []);
  const figures: Figure[] = time ? timePanels(run).map((panel) => new TimeFigure(panel, time, window, run.facts.tolerance)) : [];
  const pair = defaultPhasePair(run);
  const bodies = planarBodies(run);
  if (pair) figures.splice(1, 0, new PhaseFigure(phaseColumns(run), pair, time, window));
  if (bodies.length > 0) figures.splice(1, 0, new PathFigure(bodies, time, window));
  return figures;
}

/** A plot is drawn when it comes near the window: long reports open at once. */
function drawWhenNear(figures: Figure[]): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        figures.find(({ element }) => element === target)?.draw();
      }
    },
    { rootMargin: "500px" },
  );
  for (const { element } of figures) near.observe(element);
}

/** Paper shows everything, in light colours and at the paper's width. */
function preparePrinting(figures: Figure[]): void {
  const details = () => document.querySelectorAll("details");
  const opened = new Set<HTMLDetailsElement>();
  const refresh = () => {
    for (const figure of figures) {
      figure.draw();
      figure.redraw();
    }
    for (const block of document.querySelectorAll<HTMLElement>(".equations")) fitEquations(block);
  };
  window.addEventListener("beforeprint", () => {
    setPrinting(true);
    document.documentElement.classList.add("printing");
    for (const element of details()) {
      if (!element.open) opened.add(element);
      element.open = true;
    }
    refresh();
  });
  window.addEventListener("afterprint", () => {
    setPrinting(false);
    document.documentElement.classList.remove("printing");
    for (const element of opened) element.open = false;
    opened.clear();
    refresh();
  });
}

function navigation(sections: HTMLElement[]): HTMLElement {
  const links = sections.map(({ id }) => el("a", { href: `#${id}` }, id.charAt(0).toUpperCase() + id.slice(1)));
  return el("nav", { "aria-label": "Sections" }, el("div", { class: "wide" }, ...links));
}

function build(run: Run): void {
  const { facts } = run;
  const figures = figuresOf(run);
  const typeset = equations(facts.equations_latex);
  const model = modelFile(run);
  const grid = el("div", { class: "figures" }, ...figures.map(({ element }) => element));
  const note = thinningNote(run);
  const sections = [verdict(run), typeset, ...figures.map(({ element }) => element), runFacts(run), model, dataTable(run)].filter(
    (section): section is HTMLElement => section !== undefined,
  );
  const shown = sections.filter((section) => !figures.some(({ element }) => element === section));
  const before = shown.filter(({ id }) => id === "verdict" || id === "equations");
  const after = shown.filter((section) => !before.includes(section));
  document.getElementById("app")?.replaceChildren(
    el(
      "header",
      { class: "masthead" },
      el(
        "div",
        { class: "wide" },
        el("p", { class: "kicker" }, "Herglotz run report"),
        el("h1", {}, facts.title || facts.model_name || "Untitled run"),
        facts.reference !== "" && el("p", { class: "reference" }, facts.reference),
        el("button", { type: "button", class: "tool theme", click: toggleTheme, "aria-label": "Switch between light and dark" }, "Light / dark"),
      ),
    ),
    navigation(sections),
    el("main", { id: "main", class: "wide" }, ...before, note !== undefined && el("p", { class: "thinned note" }, note), grid, ...after),
    el("footer", { class: "wide" }, `Made by Herglotz ${facts.version}. This file needs no network and holds everything that it shows.`),
  );
  if (figures.length % 2 === 0 && figures[0]) grid.classList.add("even");
  drawWhenNear(figures);
  preparePrinting(figures);
  onThemeChange(() => figures.forEach((figure) => figure.redraw()));
  const fit = () => typeset && fitEquations(typeset.querySelector(".equations") as HTMLElement);
  fit();
  void document.fonts.ready.then(fit);
  window.addEventListener("resize", fit);
}

const data = document.getElementById("run")?.textContent ?? "";
try {
  build(decodeRun(data));
} catch (error) {
  document.getElementById("app")?.replaceChildren(el("main", { class: "wide" }, el("h1", {}, "This report could not be shown"), el("p", {}, String(error))));
  throw error;
}
