/** Builds the page from the run or the ensemble that it carries. */

import { dataTable } from "./datatable.ts";
import { type Run, runOf, timeColumn } from "./data.ts";
import { el } from "./dom.ts";
import { equations } from "./equations.ts";
import { showPage } from "./frame.ts";
import { defaultPhasePair, phaseColumns, timePanels } from "./panels.ts";
import { planarBodies } from "./path.ts";
import { PathFigure } from "./pathfigure.ts";
import { PhaseFigure } from "./phasefigure.ts";
import type { Figure } from "./plot.ts";
import { modelFile, runFacts, thinningNote } from "./runfacts.ts";
import { showSweep } from "./sweep.ts";
import { sweepOf } from "./sweepdata.ts";
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

function showRun(run: Run): void {
  const { facts } = run;
  showPage({
    kicker: "Herglotz run report",
    title: facts.title || facts.model_name || "Untitled run",
    reference: facts.reference,
    version: facts.version,
    before: [verdict(run), equations(facts.equations_latex)],
    note: thinningNote(run),
    figures: figuresOf(run),
    after: [runFacts(run), modelFile(facts.model_name, facts.model_text, "run"), dataTable(run)],
  });
}

try {
  const data = JSON.parse(document.getElementById("run")?.textContent ?? "");
  if (data.kind === "sweep") showSweep(sweepOf(data));
  else showRun(runOf(data));
} catch (error) {
  document.getElementById("app")?.replaceChildren(el("main", { class: "wide" }, el("h1", {}, "This report could not be shown"), el("p", {}, String(error))));
  throw error;
}
