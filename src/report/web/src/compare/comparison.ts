/** The page of two runs: both verdicts, what differs, curves over each other, and differences. */

import type { Figure } from "../figures/plot.ts";
import { PhaseFigure } from "../figures/phasefigure.ts";
import { TimeFigure, TimeWindow } from "../figures/timefigure.ts";
import { el } from "../page/dom.ts";
import { equations } from "../page/equations.ts";
import { formatResidual } from "../page/format.ts";
import { showPage } from "../page/frame.ts";
import { type Column, type Run, extent, timeColumn } from "../run/data.ts";
import { type Line, type Panel, PALETTE_SIZE, SHOWN_AT_FIRST, defaultPhasePair, phaseColumns, timePanels } from "../run/panels.ts";
import { modelFile, thinningNote } from "../run/runfacts.ts";
import { verdict } from "../run/verdict.ts";
import { type RowDifferences, rowsApart, settingsApart } from "./differences.ts";

export interface Comparison {
  names: [string, string];
  runs: [Run, Run];
}

/** The panel of the first run with the lines of the second in the same colours, dashed and named after their run. */
function overlaid({ names, runs }: Comparison): Panel[] {
  const [first, second] = runs;
  const others = timePanels(second);
  const time = timeColumn(second) as Column;
  const panels = timePanels(first).map((panel): Panel => {
    const twin = others.find(({ id }) => id === panel.id);
    const lines = panel.lines.flatMap((line): Line[] => {
      const other = twin?.lines.find(({ column }) => column.name === line.column.name);
      const own: Line = { ...line, name: `${line.column.name}, ${names[0]}` };
      return other ? [own, { ...line, column: other.column, time, name: `${other.column.name}, ${names[1]}`, dash: line.dash + 2, shown: line.shown && other.shown }] : [own];
    });
    return { ...panel, log: panel.log && (twin?.log ?? true), lines, note: `${panel.note} Dotted: ${names[1]}.` };
  });
  return panels;
}

function differencePanel({ names }: Comparison, { columns, exact }: RowDifferences): Panel {
  return {
    id: "differences",
    title: "Differences",
    note: `The magnitude of ${names[1]} minus ${names[0]}, at the times of ${names[0]}. ${exact ? "Both have the same times." : "The times differ: the other run is read off cubics through its rows, whose error limits what can be seen here."}`,
    lines: columns.map((column, i) => ({ column, color: i % PALETTE_SIZE, dash: Math.floor(i / PALETTE_SIZE), shown: i < SHOWN_AT_FIRST })),
    log: true,
    magnitude: true,
  };
}

function settings({ names, runs }: Comparison, rows: RowDifferences | undefined): HTMLElement {
  const apart = settingsApart(...runs);
  const head = ["", ...names].map((name) => el("th", { scope: "col", class: "word" }, name));
  const largest = rows?.columns.map(({ name, largest }) => ({ name, values: [formatResidual(largest)] })) ?? [];
  const row = (name: string, values: string[]) => el("tr", {}, el("th", { scope: "row" }, name), ...values.map((value) => el("td", { class: "word" }, value)));
  const table = (caption: string, columns: HTMLElement[], body: HTMLElement[]) =>
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, el("table", { class: "numbers" }, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...columns)), el("tbody", {}, ...body)));
  return el(
    "section",
    { class: "card", id: "comparison", "aria-labelledby": "comparison-title" },
    el("h2", { id: "comparison-title" }, "What differs"),
    el(
      "div",
      { class: "columns" },
      apart.length > 0 ? table("Settings, parameters and starts", head, apart.map(({ name, values }) => row(name, values))) : el("p", { class: "note" }, "Settings, parameters and starts are the same."),
      largest.length > 0 && table("Largest difference of the states", [el("th", { scope: "col" }, "Column"), el("th", { scope: "col", class: "word" }, "Largest")], largest.map(({ name, values }) => row(name, values))),
    ),
  );
}

function figuresOf(comparison: Comparison, rows: RowDifferences | undefined): Figure[] {
  const [first, second] = comparison.runs;
  const [time, other] = [timeColumn(first), timeColumn(second)];
  if (!time || !other) return [];
  const window = new TimeWindow([...(extent(time.values) ?? []), ...(extent(other.values) ?? [])]);
  const panels = overlaid(comparison);
  if (rows) panels.splice(1, 0, differencePanel(comparison, rows));
  const tolerance = Math.max(first.facts.tolerance, second.facts.tolerance);
  const figures: Figure[] = panels.map((panel) => new TimeFigure(panel, time, window, tolerance));
  const pair = defaultPhasePair(first);
  if (pair) figures.splice(1, 0, new PhaseFigure(phaseColumns(first), pair, time, window, undefined, [], { names: comparison.names, columns: phaseColumns(second), time: other }));
  return figures;
}

export function showComparison(comparison: Comparison): void {
  const { names, runs } = comparison;
  const rows = rowsApart(...runs);
  const thinned = runs.map((run, k) => [names[k], thinningNote(run)] as const).filter(([, note]) => note !== undefined);
  const latex = [...new Set(runs.map(({ facts }) => facts.equations_latex))];
  const texts = [...new Set(runs.map(({ facts }) => facts.model_text))];
  showPage({
    kicker: "Herglotz comparison of two runs",
    title: `${names[0]} and ${names[1]}`,
    reference: [...new Set(runs.map(({ facts }) => facts.title || facts.model_name))].join("; "),
    version: runs[0].facts.version,
    before: [el("div", { class: "figures", id: "verdicts" }, ...runs.map((run, k) => verdict(run, `verdict-${k + 1}`, names[k]))), settings(comparison, rows), latex.length === 1 ? equations(latex[0] as string) : undefined],
    note: thinned.length > 0 ? thinned.map(([name, note]) => `${name}: ${note}`).join(" ") : undefined,
    figures: figuresOf(comparison, rows),
    after: texts.length === 1 ? [modelFile(runs[0].facts.model_name, texts[0] as string, "comparison")] : [],
  });
}
