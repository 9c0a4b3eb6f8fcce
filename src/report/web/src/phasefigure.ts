/** One column against another: phase portraits, planar paths, projections. */

import type { Data, Layout } from "plotly.js-basic-dist-min";
import { type Column, finiteOrGap, rowsWithin } from "./data.ts";
import { el } from "./dom.ts";
import { Figure, baseLayout } from "./plot.ts";
import { isPrinting, theme } from "./theme.ts";
import type { TimeWindow } from "./timefigure.ts";

/** Taller than a plot against time; the style sheet for print reserves it. */
const PAPER_HEIGHT = 440;

const ROLE_TITLES: [Column["role"], string][] = [
  ["base", "Base"],
  ["fibre", "Fibre"],
  ["action", "Action"],
  ["multiplier", "Multipliers"],
  ["energy", "Energy"],
  ["factor", "Integrating factor"],
  ["momentum", "Momenta"],
  ["invariant", "Invariants"],
  ["observable", "Observables"],
  ["time", "Time"],
];

export class PhaseFigure extends Figure {
  private readonly equal: HTMLInputElement;

  constructor(
    private readonly columns: Column[],
    private pair: [Column, Column],
    private readonly time: Column | undefined,
    private readonly window: TimeWindow,
  ) {
    super("phase", "Phase space", "Any two columns against each other. Open circle: start; filled circle: end. Zooming in time elsewhere brings out that part.");
    this.equal = el("input", { type: "checkbox", id: "phase-equal" });
    this.equal.checked = pair.every(({ role }) => role === "base");
    this.equal.addEventListener("change", () => this.change());
    this.controls.append(
      this.choice("Horizontal", 0),
      this.choice("Vertical", 1),
      el("label", { class: "check", for: "phase-equal" }, this.equal, "Equal scales"),
    );
    window.follow(() => this.redraw());
  }

  private choice(label: string, axis: 0 | 1): HTMLElement {
    const id = `phase-${axis === 0 ? "x" : "y"}`;
    const select = el("select", { id });
    for (const [role, title] of ROLE_TITLES) {
      const group = this.columns.filter((column) => column.role === role);
      if (group.length === 0) continue;
      const options = group.map((column) => {
        const option = el("option", { value: this.columns.indexOf(column) }, column.name);
        option.selected = column === this.pair[axis];
        return option;
      });
      select.append(el("optgroup", { label: title }, ...options));
    }
    select.addEventListener("change", () => {
      this.pair[axis] = this.columns[Number(select.value)] as Column;
      if (!this.pair.every(({ role }) => role === "base")) this.equal.checked = false;
      this.change();
    });
    return el("label", { class: "choice", for: id }, el("span", {}, label), select);
  }

  /** Other columns have other ranges. */
  private change(): void {
    this.relayout({ "xaxis.autorange": true, "yaxis.autorange": true });
    this.redraw();
    this.describe();
  }

  protected traces(): Data[] {
    const { lines, panel } = theme();
    const [x, y] = this.pair.map(({ values }) => finiteOrGap(values) as number[]) as [number[], number[]];
    const color = lines[0] as string;
    const [first, last] = this.time && !this.window.isWhole ? rowsWithin(this.time.values, ...this.window.range) : [0, x.length];
    const whole = first === 0 && last === x.length;
    const hovertemplate = `${"%{x:.6g}"}, ${"%{y:.6g}"}<extra></extra>`;
    const ends = [0, x.length - 1];
    return [
      { type: "scatter", mode: "lines", name: "whole run", x, y, hovertemplate, opacity: whole ? 1 : 0.28, line: { color, width: 1.4 } },
      { type: "scatter", mode: "lines", name: "chosen time", x: x.slice(first, last), y: y.slice(first, last), visible: !whole, hoverinfo: "skip", line: { color: lines[1] as string, width: 2.2 } },
      {
        type: "scatter",
        mode: "markers",
        name: "start and end",
        x: ends.map((i) => x[i] as number),
        y: ends.map((i) => y[i] as number),
        text: ["start", "end"],
        hovertemplate: `%{text}: ${"%{x:.6g}"}, ${"%{y:.6g}"}<extra></extra>`,
        cliponaxis: false,
        marker: { size: 9, color: [panel, color], line: { color, width: 2 } },
      },
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    layout.hovermode = "closest";
    layout.xaxis = { ...layout.xaxis, title: { ...layout.xaxis?.title, text: this.pair[0].name } };
    layout.yaxis = { ...layout.yaxis, title: { ...layout.yaxis?.title, text: this.pair[1].name } };
    if (isPrinting()) layout.height = PAPER_HEIGHT;
    if (this.equal.checked) Object.assign(layout.yaxis, { scaleanchor: "x", scaleratio: 1 });
    return layout;
  }

  private describe(): void {
    this.announce("xaxis", false);
    this.announce("yaxis", false);
  }

  protected override ready(): void {
    this.plot.on("plotly_relayout", () => this.describe());
    this.describe();
  }

  protected reset(): void {
    this.relayout({ "xaxis.autorange": true, "yaxis.autorange": true });
  }
}
