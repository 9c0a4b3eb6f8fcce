/** Builds the page of an ensemble. */

import { el } from "../page/dom.ts";
import { formatCount, formatNumber, formatResidual } from "../page/format.ts";
import { showPage } from "../page/frame.ts";
import { MapFigure } from "./mapfigure.ts";
import { motionsCard } from "./motions.ts";
import type { Figure } from "../figures/plot.ts";
import { modelFile, table } from "../run/runfacts.ts";
import { CurveFigure, FanFigure, HistogramFigure, ScatterFigure } from "./sweepfigures.ts";
import type { Sweep, SweepColumn, SweepFacts } from "./sweepdata.ts";

/** Returns whether any member has a value at the end. */
const reached = ({ last }: SweepColumn): boolean => last.count > 0;

export function figuresOf(sweep: Sweep): Figure[] {
  if (sweep.columns.length === 0) return [];
  const figures: Figure[] = [];
  if (sweep.columns.some(({ fan }) => fan?.mean.some((mean, i) => i > 0 && Number.isFinite(mean)))) figures.push(new FanFigure(sweep));
  if (sweep.facts.keep === "statistics" || !sweep.columns.some(reached)) return figures;
  if (sweep.axes.length >= 2) figures.unshift(new MapFigure(sweep));
  if (sweep.axes.length === 1) figures.unshift(new CurveFigure(sweep));
  if (sweep.members.length > 1) figures.push(new ScatterFigure(sweep));
  figures.push(new HistogramFigure(sweep));
  return figures;
}

const KEPT: Record<SweepFacts["keep"], string> = {
  trajectory: "trajectories",
  times: "states at chosen times",
  final: "final states",
  statistics: "statistics over all members",
};

const fact = (name: string, value: string, detail?: string): HTMLElement =>
  el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value, detail !== undefined && el("small", {}, detail)));

function outcome({ facts }: Sweep): HTMLElement {
  const good = facts.complete && facts.failed === 0;
  const word = !facts.complete ? "Stopped early" : good ? "Complete" : facts.failed === facts.members ? "Every member failed" : "Complete, some failed";
  const say = !facts.complete ? "not all members were run; those that were not have no values" : good ? (facts.members === 1 ? "its one member" : `all ${formatCount(facts.members)} members`) : `${formatCount(facts.failed)} of ${formatCount(facts.members)} members`;
  return el("p", { class: good ? "outcome complete" : "outcome stopped", ...(good ? {} : { role: "alert" }) }, el("strong", {}, word), el("span", {}, say));
}

function failures({ facts }: Sweep): HTMLElement | undefined {
  if (facts.failures.length === 0) return undefined;
  const row = ({ reason, members, first }: SweepFacts["failures"][number]) =>
    el("tr", {}, el("td", {}, formatCount(members)), el("td", { class: "word reason" }, reason), el("td", { class: "word" }, first.join(", ") + (members > first.length ? ", …" : "")));
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Members that failed" },
    el(
      "table",
      { class: "numbers failures" },
      el("caption", {}, "Members that failed. Reasons that differ only in their numbers stand in one row, with those of the first."),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Members"), ...["Reason", "Their numbers"].map((name) => el("th", { scope: "col", class: "word" }, name)))),
      el("tbody", {}, ...facts.failures.map(row)),
    ),
  );
}

function largestResiduals({ facts, columns }: Sweep): HTMLElement[] {
  if (facts.largest_residuals.length > 0)
    return facts.largest_residuals.map(({ column, largest }) => fact(`Largest ${column}`, formatResidual(largest), "over all members, as in the summary of a run of each"));
  const kept = columns.some(({ role }) => role === "residual");
  const name = "Largest residuals";
  return [kept ? fact(name, "none", "no member reached the end") : fact(name, "not kept", "keep the column energy_residual to see them")];
}

function verdict(sweep: Sweep): HTMLElement {
  const { facts } = sweep;
  return el(
    "section",
    { class: "card verdict", id: "verdict", "aria-labelledby": "verdict-title" },
    el("h2", { id: "verdict-title" }, "What was run"),
    outcome(sweep),
    el(
      "dl",
      { class: "facts" },
      fact("Members", formatCount(facts.members), facts.shape.length > 1 ? facts.shape.map(formatCount).join(" × ") : undefined),
      fact("Failed", formatCount(facts.failed)),
      fact("Method", facts.method || "not stated", facts.order > 0 ? `of order ${facts.order}, as declared` : undefined),
      fact("Steps", formatCount(facts.steps)),
      ...largestResiduals(sweep),
    ),
    failures(sweep),
  );
}

function lastRow({ facts, columns }: Sweep): HTMLElement {
  const cell = (value: number, any: boolean) => el("td", { title: value }, any ? formatNumber(value, 7) : "–");
  return el(
    "section",
    { class: "card", id: "columns", "aria-labelledby": "columns-title" },
    el("h2", { id: "columns-title" }, "Columns"),
    el("p", { class: "note" }, facts.keep === "final" ? "At the end of each member, over all with a finite value." : `In the last row, ${facts.time} = ${formatNumber(facts.t_last)}, over all members with a finite value.`),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Summary of the columns" },
      el(
        "table",
        { class: "numbers" },
        el("thead", {}, el("tr", {}, ...["Column", "Role", "Members", "Mean", "Deviation", "Least", "Largest"].map((name) => el("th", { scope: "col" }, name)))),
        el(
          "tbody",
          {},
          ...columns.map(({ name, role, last: { count, mean, deviation, least, largest } }) =>
            el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", { class: "word" }, role), el("td", {}, formatCount(count)), cell(mean, count > 0), cell(deviation, count > 1), cell(least, count > 0), cell(largest, count > 0)),
          ),
        ),
      ),
    ),
  );
}

function ensemble({ facts }: Sweep): HTMLElement {
  const rows: [string, string][] = [
    ["Model", facts.model_name || "unnamed"],
    ["Kept", KEPT[facts.keep]],
    ["Members", formatCount(facts.members)],
    ["Grid", facts.shape.map(formatCount).join(" × ")],
    ["Method", facts.method || "not stated"],
    ["Order of the method", facts.order > 0 ? String(facts.order) : "not stated"],
    ["Steps", formatCount(facts.steps)],
    ["Herglotz version", facts.version || "not stated"],
  ];
  return el(
    "section",
    { class: "card", id: "ensemble", "aria-labelledby": "ensemble-title" },
    el("h2", { id: "ensemble-title" }, "Ensemble"),
    el("div", { class: "columns" }, table("Facts", ["Fact", "Value"], rows, false), el("div", {}, el("p", { class: "note" }, "What varies"), el("pre", { class: "source", tabindex: 0 }, el("code", {}, facts.sweep)))),
  );
}

export function showSweep(sweep: Sweep): void {
  const { facts } = sweep;
  showPage({
    kicker: "Herglotz ensemble report",
    title: facts.model_name || "Untitled ensemble",
    version: facts.version,
    before: [verdict(sweep), motionsCard(sweep)],
    figures: figuresOf(sweep),
    after: [lastRow(sweep), ensemble(sweep), modelFile(facts.model_name, facts.model_text, "ensemble")],
  });
}
