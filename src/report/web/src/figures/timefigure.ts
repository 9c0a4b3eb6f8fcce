/** A panel of lines against time. All such panels share one window of time. */

import type { Annotations, Data, Layout, ScatterData } from "plotly.js-basic-dist-min";
import { addChips } from "../page/chips.ts";
import { type Column, RESIDUAL_FLOOR, type RunEvent, ROUND_OFF, extent, finiteOrGap, magnitudes, residualRange, steadyRange } from "../run/data.ts";
import type { Line, Panel } from "../run/panels.ts";
import { TimeCursor } from "./cursor.ts";
import { Figure, type Range, baseLayout } from "./plot.ts";
import { EventMarks } from "./eventmarks.ts";
import { unjoinedRows, withGaps } from "../run/sampling.ts";
import { DASHES, theme } from "../page/theme.ts";

/** The window of time that the panels show together, and the moment that they mark. */
export class TimeWindow {
  readonly whole: Range;
  readonly cursor = new TimeCursor();
  private current: Range;
  private readonly listeners: ((range: Range) => void)[] = [];

  constructor(times: readonly number[]) {
    const [low, high] = extent(times) ?? [0, 1];
    this.whole = low < high ? [low, high] : [low - 0.5, high + 0.5];
    this.current = this.whole;
  }

  get range(): Range {
    return this.current;
  }

  get isWhole(): boolean {
    const slack = 1e-9 * (this.whole[1] - this.whole[0]);
    return this.current[0] <= this.whole[0] + slack && this.current[1] >= this.whole[1] - slack;
  }

  set(range: Range): void {
    const slack = 1e-12 * (this.whole[1] - this.whole[0]);
    if (Math.abs(range[0] - this.current[0]) <= slack && Math.abs(range[1] - this.current[1]) <= slack) return;
    this.current = range;
    for (const listener of this.listeners) listener(range);
  }

  follow(listener: (range: Range) => void): void {
    this.listeners.push(listener);
  }
}

/** The whole range of a logarithmic axis, with a little room, in powers of ten. */
function logRange(columns: (number | null)[][]): Range {
  const range = extent(columns.flatMap((values) => extent(values.map((value) => value ?? Number.NaN)) ?? [])) ?? [0.1, 1];
  return [Math.log10(range[0]) - 0.4, Math.log10(range[1]) + 0.4];
}

export class TimeFigure extends Figure {
  private readonly values: (number | null)[][];
  private readonly shown: boolean[];
  private readonly marks: EventMarks;

  constructor(
    private readonly panel: Panel,
    private readonly time: Column,
    private readonly window: TimeWindow,
    private readonly tolerance: number,
    private readonly apart: readonly boolean[] | undefined = undefined,
    events: readonly RunEvent[] = [],
  ) {
    super(panel.id, panel.title, panel.note);
    this.marks = new EventMarks(events);
    this.values = panel.lines.map(({ column }) => (panel.magnitude ? magnitudes : finiteOrGap)(column.values));
    this.shown = panel.lines.map(({ shown }) => shown);
    const lines = panel.lines.map(({ name, column, color, dash }) => ({ name: name ?? column.name, color, dash }));
    addChips(this.controls, panel.title, lines, this.shown, (i, shown) => this.show(i, shown));
    const chips = this.marks.chips(() => this.redraw());
    if (chips) this.controls.after(chips);
    window.follow((range) => this.relayout({ "xaxis.range": [...range] }));
    this.mark(window.cursor, "line", (time) => [time, undefined]);
  }

  /** The vertical axis fits the lines that are shown. */
  private show(i: number, shown: boolean): void {
    if (this.marks.events.length > 0) this.redraw();
    else this.restyle({ visible: shown }, [i]);
    this.relayout(this.wholeHeight());
  }

  private wholeHeight(): Record<string, unknown> {
    const range = this.layout().yaxis?.range;
    return range ? { "yaxis.range": range } : { "yaxis.autorange": true };
  }

  /** Values of the lines that are shown, or of all lines if none is shown. */
  private get fitted(): (number | null)[][] {
    const fitted = this.values.filter((_, i) => this.shown[i]);
    return fitted.length > 0 ? fitted : this.values;
  }

  protected traces(): Data[] {
    const colors = theme().lines;
    const lines: Data[] = this.panel.lines.map((line, i) => ({
      type: "scatter",
      name: line.name ?? line.column.name,
      ...this.points(line, i),
      visible: this.shown[i] as boolean,
      hovertemplate: this.panel.magnitude ? "%{y:.2e}" : "%{y:.6g}",
      line: { color: colors[line.color] as string, width: 1.6, dash: DASHES[line.dash % DASHES.length] as "solid" },
    }));
    const marks = this.panel.lines.flatMap(({ column, color }, i) => this.marks.traces(this.time, column, colors[color] as string, this.shown[i] as boolean, finiteOrGap));
    return [...lines, ...marks];
  }

  /** A line, or marks where rows are too far apart for one. */
  private points({ column, time = this.time }: Line, i: number): Partial<ScatterData> {
    const [x, y] = [time.values, this.values[i] as number[]];
    const apart = this.panel.magnitude ? undefined : unjoinedRows(column.values, this.apart);
    if (!apart) return { mode: x.length > 1 ? "lines" : "markers", x, y };
    const { marks, ...points } = withGaps(x, y, apart);
    return { mode: "lines+markers", x: points.x as number[], y: points.y as number[], marker: { size: marks, line: { width: 0 } } };
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    layout.hovermode = "x unified";
    layout.xaxis = {
      ...layout.xaxis,
      title: { ...layout.xaxis?.title, text: this.time.name },
      range: [...this.window.range],
      hoverformat: ".6g",
    };
    if (this.panel.log) {
      const range = this.panel.magnitude ? residualRange(this.fitted) : logRange(this.fitted);
      const decades = range[1] - range[0];
      layout.yaxis = { ...layout.yaxis, type: "log", range, dtick: Math.max(1, Math.ceil(decades / 7)), minor: { showgrid: false } };
      layout.yaxis.minexponent = 1;
    }
    const steady = this.panel.log ? undefined : steadyRange(this.fitted);
    if (steady) layout.yaxis = { ...layout.yaxis, range: steady };
    layout.shapes = [];
    layout.annotations = [];
    this.addLevels(layout);
    if (this.panel.magnitude) this.addRoundOff(layout);
    if (this.panel.id === "residuals" && this.tolerance > 0) this.addTolerance(layout);
    return layout;
  }

  private addLevels(layout: Partial<Layout>): void {
    const color = theme().muted;
    for (const { text, at } of this.panel.levels ?? []) {
      layout.shapes?.push({ type: "line", xref: "paper", x0: 0, x1: 1, yref: "y", y0: at, y1: at, line: { color, width: 1, dash: "dash" } });
      layout.annotations?.push(this.label(text, at, "left", text.endsWith("≤") ? "bottom" : "top"));
    }
    for (const t of this.panel.moments ?? []) {
      layout.shapes?.push({ type: "line", xref: "x", x0: t, x1: t, yref: "paper", y0: 0, y1: 1, line: { color, width: 1, dash: "dot" } });
    }
  }

  /** A veil over the lines: what happens within round-off is there, and does not ask for attention. */
  private addRoundOff(layout: Partial<Layout>): void {
    const { veil } = theme();
    const at = Math.log10(ROUND_OFF);
    if (at <= (layout.yaxis?.range as Range)[0]) return;
    layout.shapes?.push({ type: "rect", layer: "above", xref: "paper", x0: 0, x1: 1, yref: "y", y0: 1e-3 * RESIDUAL_FLOOR, y1: ROUND_OFF, line: { width: 0 }, fillcolor: veil });
    layout.annotations?.push(this.label("round-off", at, "left", "top"));
  }

  private addTolerance(layout: Partial<Layout>): void {
    const at = Math.log10(Math.max(this.tolerance, RESIDUAL_FLOOR));
    const [low, high] = layout.yaxis?.range as Range;
    layout.yaxis = { ...layout.yaxis, range: [Math.min(low, at - 0.4), Math.max(high, at + 0.6)] };
    layout.shapes?.push({ type: "line", xref: "paper", x0: 0, x1: 1, yref: "y", y0: this.tolerance, y1: this.tolerance, line: { color: theme().muted, width: 1, dash: "dash" } });
    layout.annotations?.push(this.label("tolerance", at, "right", "bottom"));
  }

  /** Words at a level of the logarithmic axis. */
  private label(text: string, at: number, side: "left" | "right", yanchor: "top" | "bottom"): Partial<Annotations> {
    return { xref: "paper", x: side === "left" ? 0 : 1, xanchor: side, yref: "y", y: at, yanchor, text, showarrow: false, font: { color: theme().muted, size: 11 } };
  }

  protected override ready(): void {
    const describe = () => {
      this.announce("xaxis", false);
      this.announce("yaxis", this.panel.log);
    };
    this.plot.on("plotly_relayout", () => {
      const range = this.range("xaxis");
      if (range) this.window.set(range);
      describe();
    });
    this.plot.on("plotly_click", ({ points }) => this.goTo(points[0]?.x));
    describe();
  }

  protected override zoomAxes(): "xaxis"[] {
    return ["xaxis"];
  }

  protected reset(): void {
    this.window.set(this.window.whole);
    this.relayout({ "xaxis.range": [...this.window.whole], ...this.wholeHeight() });
  }
}
