/** Builds the page from the run or the ensemble that it carries. */

import "./page/styles.ts";
import { showComparison } from "./compare/comparison.ts";
import { liveCard } from "./live/card.ts";
import type { Live } from "./live/module.ts";
import { dataTable } from "./run/datatable.ts";
import { type Run, heldRows, runOf, timeColumn } from "./run/data.ts";
import { el } from "./page/dom.ts";
import { equations } from "./page/equations.ts";
import { showPage } from "./page/frame.ts";
import { type Panel, defaultPhasePair, phaseColumns, timePanels } from "./run/panels.ts";
import { decodeFields } from "./run/fields.ts";
import { planarBodies } from "./run/path.ts";
import { FieldFigure } from "./figures/fieldfigure.ts";
import { PathFigure } from "./figures/pathfigure.ts";
import { PhaseFigure } from "./figures/phasefigure.ts";
import type { Figure } from "./figures/plot.ts";
import { modelFile, runFacts, thinningNote } from "./run/runfacts.ts";
import { unjoined } from "./run/sampling.ts";
import { decodeSolution, solutionPanels, solutionVerdict } from "./run/solution.ts";
import { showSweep } from "./sweep/sweep.ts";
import { sweepOf } from "./sweep/sweepdata.ts";
import { decodeMotion } from "./run/motion.ts";
import { TimeFigure, TimeWindow } from "./figures/timefigure.ts";
import { motionCard } from "./motion/card.ts";
import { MOTION_FRAME, showFrame } from "./motion/frame.ts";
import { verdict } from "./run/verdict.ts";

/** Panels that show where events happened. */
const MARKED = ["trajectory", "energy", "observables"];

function figuresOf(run: Run, panels: Panel[], window: TimeWindow): Figure[] {
  const time = timeColumn(run);
  const apart = unjoined(run);
  // A thinned run holds the extremes of each stretch: a line through them against time is its outline.
  const within = heldRows(run) < run.rows ? undefined : apart;
  const figures: Figure[] = time ? panels.map((panel) => new TimeFigure(panel, time, window, run.facts.tolerance, within, MARKED.includes(panel.id) ? run.events : [])) : [];
  const pair = defaultPhasePair(run);
  const bodies = planarBodies(run);
  if (pair) figures.splice(1, 0, new PhaseFigure(phaseColumns(run), pair, time, window, apart, run.events));
  const fields = decodeFields(run.fields);
  if (fields.length > 0) figures.unshift(new FieldFigure(fields, time?.name ?? "t"));
  if (bodies.length > 0) figures.splice(1, 0, new PathFigure(bodies, time, window, apart));
  return figures;
}

function showRun(run: Run, live: Live | undefined): void {
  const { facts } = run;
  const solution = run.solution === undefined ? undefined : decodeSolution(run.solution);
  const window = new TimeWindow(timeColumn(run)?.values ?? []);
  const motion = decodeMotion(run.motion);
  showPage({
    kicker: solution ? "Herglotz solution report" : "Herglotz run report",
    title: facts.title || facts.model_name || "Untitled run",
    reference: facts.reference,
    version: facts.version,
    before: [solution ? solutionVerdict(run, solution) : verdict(run), live ? liveCard(run, live) : motion && motionCard(run, motion, window.cursor), equations(facts.equations_latex)],
    note: thinningNote(run),
    figures: figuresOf(run, solution ? solutionPanels(run, solution) : timePanels(run), window),
    after: [runFacts(run), modelFile(facts.model_name, facts.model_text, "run"), dataTable(run)],
  });
}

try {
  const data = JSON.parse(document.getElementById("run")?.textContent ?? "");
  if (data.kind === "sweep") showSweep(sweepOf(data));
  else if (data.kind === "comparison") showComparison({ names: data.names, runs: data.runs.map(runOf) });
  else if (window.name === MOTION_FRAME) showFrame(runOf(data));
  else showRun(runOf(data), data.live);
} catch (error) {
  document.getElementById("app")?.replaceChildren(el("main", { class: "wide" }, el("h1", {}, "This report could not be shown"), el("p", {}, String(error))));
  throw error;
}
