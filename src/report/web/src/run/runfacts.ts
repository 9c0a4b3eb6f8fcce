/** Everything that is needed to run this again. */

import { type NamedNumber, type Run, extent, heldRows, timeColumn } from "./data.ts";
import { copyButton, download, el } from "../page/dom.ts";
import { formatCount, formatNumber, formatSeconds } from "../page/format.ts";

export function table(caption: string, head: [string, string], rows: [string, string][], code: boolean): HTMLElement {
  return el(
    "table",
    { class: "pairs" },
    el("caption", {}, caption),
    el("thead", { class: "offscreen" }, el("tr", {}, el("th", { scope: "col" }, head[0]), el("th", { scope: "col" }, head[1]))),
    el(
      "tbody",
      {},
      ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, code ? el("code", {}, name) : name), el("td", {}, value))),
    ),
  );
}

const numbers = (caption: string, pairs: NamedNumber[]): HTMLElement | undefined =>
  pairs.length > 0 ? table(caption, ["Name", "Value"], pairs.map(({ name, value }) => [name, formatNumber(value, 12)]), true) : undefined;

export function runFacts(run: Run): HTMLElement {
  const { facts } = run;
  const reached = extent(timeColumn(run)?.values ?? []);
  const rows: [string, string][] = [
    ["Model", facts.model_name || "unnamed"],
    ["Method", facts.method || "not stated"],
    ...(facts.method_reason ? [["Why this method", facts.method_reason] as [string, string]] : []),
    ["Order of the method", facts.order > 0 ? String(facts.order) : "not stated"],
    ...(facts.step > 0 ? [["Step", formatNumber(facts.step, 12)] as [string, string]] : []),
    ...(facts.tolerance > 0 ? [["Tolerance", formatNumber(facts.tolerance, 12)] as [string, string]] : []),
    ["Time", reached ? `${formatNumber(reached[0])} to ${formatNumber(reached[1])}, asked for ${formatNumber(facts.t_end)}` : "no state stored"],
    ["Status", facts.status],
    ...(facts.gauge ? [["Gauge", facts.gauge] as [string, string]] : []),
    ["Steps", formatCount(facts.steps)],
    ...(facts.rejected_steps > 0 ? [["Rejected steps", formatCount(facts.rejected_steps)] as [string, string]] : []),
    ["Newton iterations", facts.newton_iterations > 0 ? formatCount(facts.newton_iterations) : "none"],
    ["Stored states", formatCount(run.rows)],
    ["Wall time", formatSeconds(facts.wall_seconds)],
    ["Herglotz version", facts.version || "not stated"],
  ];
  return el(
    "section",
    { class: "card", id: "facts", "aria-labelledby": "facts-title" },
    el("h2", { id: "facts-title" }, "Run"),
    el(
      "div",
      { class: "columns" },
      table("Facts", ["Fact", "Value"], rows, false),
      el("div", {}, numbers("Parameters", facts.parameters), numbers("Initial values", facts.initial)),
    ),
  );
}

/** `made` is what the file made: a run, an ensemble. */
export function modelFile(name: string, text: string, made: string): HTMLElement | undefined {
  if (text === "") return undefined;
  return el(
    "section",
    { class: "card", id: "model", "aria-labelledby": "model-title" },
    el(
      "header",
      {},
      el("h2", { id: "model-title" }, "Model file"),
      el(
        "div",
        { class: "tools" },
        copyButton("Copy", () => text),
        el("button", { type: "button", class: "tool", click: () => download(`${name || "model"}.toml`, "application/toml", text) }, "Download"),
      ),
    ),
    el("details", {}, el("summary", {}, `Show the ${formatCount(text.split("\n").length)} lines that made this ${made}`), el("pre", { class: "source", tabindex: 0 }, el("code", {}, text))),
  );
}

/** Says on the page when it shows fewer rows than the run stored. */
export function thinningNote(run: Run): string | undefined {
  const held = heldRows(run);
  if (held >= run.rows) return undefined;
  return (
    `This page holds ${formatCount(held)} of the ${formatCount(run.rows)} stored states: the extremes of every column in each stretch of time, ` +
    "the first and the last state, and evenly spread ones. Each is a stored state with its full precision; the trajectory file has them all."
  );
}
