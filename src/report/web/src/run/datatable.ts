/** The numbers themselves: a summary per column, a table to page through, a download. */

import { type Run, extent, heldRows, toCsv } from "./data.ts";
import { download, el } from "../page/dom.ts";
import { formatCount, formatNumber } from "../page/format.ts";
import { thinningNote } from "./runfacts.ts";

const PAGE = 20;

function summary(run: Run): HTMLElement {
  const head = ["Column", "Role", "First", "Last", "Smallest", "Largest"];
  const cell = (value: number | undefined) => el("td", { title: value }, value === undefined ? "–" : formatNumber(value, 7));
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Summary of the columns" },
    el(
      "table",
      { class: "numbers" },
      el("caption", {}, "Columns"),
      el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
      el(
        "tbody",
        {},
        ...run.columns.map(({ name, role, values }) => {
          const range = extent(values);
          return el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", { class: "word" }, role), cell(values[0]), cell(values.at(-1)), cell(range?.[0]), cell(range?.[1]));
        }),
      ),
    ),
  );
}

export function dataTable(run: Run): HTMLElement {
  const held = heldRows(run);
  const body = el("tbody");
  const place = el("span", { class: "place", "aria-live": "polite" });
  const pages = Math.max(1, Math.ceil(held / PAGE));
  let page = 0;
  const step = (label: string, name: string, to: () => number) =>
    el("button", { type: "button", class: "tool", "aria-label": name, title: name, click: () => show(to()) }, label);
  const show = (wanted: number) => {
    page = Math.min(pages - 1, Math.max(0, wanted));
    const first = page * PAGE;
    const last = Math.min(held, first + PAGE);
    const rows = Array.from({ length: last - first }, (_, i) =>
      el("tr", {}, ...run.columns.map(({ values }) => el("td", { title: values[first + i] }, formatNumber(values[first + i] as number, 9)))),
    );
    body.replaceChildren(...rows);
    place.textContent = held === 0 ? "no rows" : `rows ${formatCount(first + 1)} to ${formatCount(last)} of ${formatCount(held)}`;
  };
  show(0);
  const note = thinningNote(run);
  return el(
    "section",
    { class: "card", id: "data", "aria-labelledby": "data-title" },
    el(
      "header",
      {},
      el("h2", { id: "data-title" }, "Data"),
      el(
        "div",
        { class: "tools" },
        el("button", { type: "button", class: "tool", id: "download-csv", click: () => download(`${run.facts.model_name || "trajectory"}.csv`, "text/csv", toCsv(run)) }, "Download CSV"),
      ),
    ),
    note !== undefined && el("p", { class: "note" }, note),
    summary(run),
    el(
      "div",
      { class: "pager" },
      step("First", "First rows", () => 0),
      step("Previous", "Previous rows", () => page - 1),
      step("Next", "Next rows", () => page + 1),
      step("Last", "Last rows", () => pages - 1),
      place,
    ),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows of the trajectory" },
      el(
        "table",
        { class: "numbers rows" },
        el("caption", { class: "offscreen" }, "Rows of the trajectory"),
        el("thead", {}, el("tr", {}, ...run.columns.map(({ name }) => el("th", { scope: "col" }, el("code", {}, name))))),
        body,
      ),
    ),
  );
}
