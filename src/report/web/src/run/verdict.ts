/** The first thing on the page: did the run finish, and do its laws hold? */

import { type Run, extent, timeColumn } from "./data.ts";
import { el } from "../page/dom.ts";
import { formatCount, formatNumber, formatResidual, formatSeconds, gaugePosition } from "../page/format.ts";
import { samplingNote } from "./sampling.ts";
import { DISCRETE_NOTE, type Law, isBroken, laws } from "./panels.ts";

function gauge(law: Law, tolerance: number): HTMLElement {
  const position = (value: number) => `${(100 * gaugePosition(value)).toFixed(2)}%`;
  const bar = el("span", { class: "bar" });
  bar.style.width = position(law.largest);
  const track = el("span", { class: "gauge", "aria-hidden": "true" }, bar);
  if (tolerance > 0 && law.kind === "law") {
    const mark = el("span", { class: "tolerance" });
    mark.style.left = position(tolerance);
    track.append(mark);
  }
  return track;
}

function scale(): HTMLElement {
  const ticks = ["−18", "−15", "−12", "−9", "−6", "−3", "0"].map((power) => el("span", {}, "10", el("sup", {}, power)));
  return el("div", { class: "law scale", "aria-hidden": "true" }, el("span"), el("span"), el("span", { class: "ticks" }, ...ticks));
}

function lawRow(law: Law, tolerance: number): HTMLElement {
  const large = isBroken(law);
  return el(
    "div",
    { class: large ? "law large" : "law", role: "listitem" },
    el("span", { class: "law-name" }, law.label, law.roundOffFrom !== undefined && el("small", {}, ` at round-off from t = ${formatNumber(law.roundOffFrom, 4)}`)),
    el("span", { class: "law-value" }, formatResidual(law.largest), large && el("span", { class: "word" }, " large")),
    gauge(law, tolerance),
  );
}

export const fact = (name: string, value: string, detail?: string): HTMLElement =>
  el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value, detail !== undefined && el("small", {}, detail)));

export function outcome(run: Run): HTMLElement {
  const { facts } = run;
  const reached = extent(timeColumn(run)?.values ?? [])?.[1];
  const at = reached === undefined ? "no state was stored" : `t = ${formatNumber(reached)}`;
  if (facts.complete) {
    return el("p", { class: "outcome complete" }, el("strong", {}, "Complete"), el("span", {}, reached === undefined ? at : `reached ${at}`));
  }
  return el(
    "p",
    { class: "outcome stopped", role: "alert" },
    el("strong", {}, "Stopped early"),
    el("span", {}, `at ${at} of ${formatNumber(facts.t_end)}: ${facts.status}`),
  );
}

/** A sentence as one: the program's messages begin without a capital. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function notes(run: Run): HTMLElement | undefined {
  const sampling = samplingNote(run);
  const all = [...run.facts.notes.map(sentence), ...(sampling === undefined ? [] : [sampling])];
  return all.length > 0 ? el("ul", { class: "notes", "aria-label": "Notes on this run" }, ...all.map((note) => el("li", {}, note))) : undefined;
}

/** Laws with their largest residuals on one scale. */
export const lawList = (laws: readonly Law[], tolerance: number, label: string): HTMLElement =>
  el(
    "div",
    { class: "laws", role: "list", "aria-label": label },
    el("div", { class: "law law-head", "aria-hidden": "true" }, el("span", {}, "Law"), el("span", {}, "Largest residual"), el("span", {}, "")),
    ...laws.map((law) => lawRow(law, tolerance)),
    scale(),
  );

/** `id` and `title` tell the verdicts of several runs apart. */
export function verdict(run: Run, id = "verdict", title = "What was verified"): HTMLElement {
  const { facts } = run;
  const checked = laws(run);
  const how =
    facts.tolerance > 0 ? `tolerance ${formatNumber(facts.tolerance)}` : facts.step > 0 ? `step ${formatNumber(facts.step)}` : undefined;
  const body = checked.length
    ? lawList(checked, facts.tolerance, "Largest residual of each law")
    : el("p", {}, "No balance law was recorded with this run.");
  return el(
    "section",
    { class: "card verdict", id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    outcome(run),
    notes(run),
    el(
      "dl",
      { class: "facts" },
      fact("Method", facts.method || "not stated", how),
      fact("Order", facts.order > 0 ? String(facts.order) : "not stated", facts.order > 0 ? "declared by the method, not measured on this run" : undefined),
      fact("Steps", formatCount(facts.steps), facts.rejected_steps > 0 ? `${formatCount(facts.rejected_steps)} rejected` : undefined),
      fact("Wall time", formatSeconds(facts.wall_seconds)),
    ),
    body,
    el(
      "p",
      { class: "note" },
      "Every residual is computed from the trajectory: how far the integrated balance law is from holding, relative to its largest term in the run.",
      checked.some(({ ofContinuousTime }) => ofContinuousTime) && ` ${DISCRETE_NOTE}`,
      facts.tolerance > 0 && checked.length > 0 && " The vertical mark is the tolerance.",
      checked.some(({ kind }) => kind === "constraint") && " Constraints and declared invariants are given as the largest magnitude of their equation, in its own units.",
    ),
    checked.some(isBroken) &&
      el("p", { class: "caution" }, "A residual marked “large” says that the step or the tolerance is too coarse for this motion, or that the run came near a singular state."),
  );
}
