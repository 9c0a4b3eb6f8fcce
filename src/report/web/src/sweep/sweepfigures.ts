/** Curves over one axis of the grid, scatter plots, histograms, and fans over time. */

import type { Data, Layout } from "plotly.js-basic-dist-min";
import { check, choice } from "../page/choice.ts";
import { type Role, finiteOrGap, steadyRange } from "../run/data.ts";
import { formatCount, formatNumber } from "../page/format.ts";
import { Figure, baseLayout } from "../figures/plot.ts";
import { COLOR_SCALE, crowdsTheLow, equalRatios, inEqualRatios, isResidual, powerTicks, shade, shadingOf } from "../figures/shades.ts";
import type { Fan, GridAxis, Sweep, SweepColumn } from "./sweepdata.ts";
import { theme } from "../page/theme.ts";

/** `#rrggbb` with an opacity. */
const veiled = (color: string, opacity: number): string => `rgba(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(", ")}, ${opacity})`;

/** Returns magnitudes if the axis is logarithmic, and a gap for a value that cannot be drawn. */
const drawn = (values: readonly number[], log: boolean): number[] =>
  finiteOrGap(log ? values.map((value) => Math.abs(value) || Number.NaN) : values) as number[];

/** A figure of one column that the reader chooses. */
abstract class ColumnFigure extends Figure {
  protected column: SweepColumn;

  constructor(
    id: string,
    title: string,
    note: string,
    protected readonly sweep: Sweep,
    columns: SweepColumn[],
  ) {
    super(id, title, note);
    this.column = columns[0] as SweepColumn;
    this.controls.append(
      choice(`${id}-column`, "Column", columns.map(({ name }) => name), 0, (index) => {
        this.column = columns[index] as SweepColumn;
        this.change();
      }),
    );
  }

  protected change(): void {
    this.reset();
    this.redraw();
  }

  protected reset(): void {
    this.relayout({ "xaxis.autorange": true, "yaxis.autorange": true });
  }

  /** Residuals stand on a logarithmic axis by their magnitude. */
  protected get log(): boolean {
    return isResidual(this.column.role);
  }

  protected layoutOf(x: string, y: string): Partial<Layout> {
    const layout = baseLayout();
    layout.xaxis = { ...layout.xaxis, title: { ...layout.xaxis?.title, text: x } };
    layout.yaxis = { ...layout.yaxis, title: { ...layout.yaxis?.title, text: y }, ...(this.log ? { type: "log" as const } : {}) };
    return layout;
  }

  /** A band between two lines; the second fills down to the first. */
  protected band(name: string, x: number[], low: number[], high: number[], opacity: number): Data[] {
    const color = theme().lines[0] as string;
    const line = { width: 0, color: veiled(color, opacity) };
    return [
      { type: "scatter", mode: "lines", x, y: drawn(low, this.log), line, showlegend: false, hoverinfo: "skip" },
      { type: "scatter", mode: "lines", name, x, y: drawn(high, this.log), line, fill: "tonexty", fillcolor: veiled(color, opacity), hoverinfo: "skip" },
    ];
  }
}

export class CurveFigure extends ColumnFigure {
  private readonly axis: GridAxis;

  constructor(sweep: Sweep) {
    const axis = sweep.axes[0] as GridAxis;
    const cells = sweep.membersPerCell > 1 ? `The line is the mean of up to ${formatCount(sweep.membersPerCell)} members, the band their standard deviation to either side.` : "Each point is one member.";
    super("curve", "Final states", `The state at the end over ${axis.labels.join(", ")}. ${cells} A gap is a member without a finite value.`, sweep, sweep.columns);
    this.axis = axis;
  }

  protected traces(): Data[] {
    const { cells, deviation, name } = this.column;
    const x = this.axis.values[0] as number[];
    const color = theme().lines[0] as string;
    const width = deviation.map((value) => (Number.isFinite(value) ? value : 0));
    const band = deviation.length > 0 && !this.log ? this.band("mean ± deviation", x, cells.map((mean, i) => mean - (width[i] as number)), cells.map((mean, i) => mean + (width[i] as number)), 0.2) : [];
    return [
      ...band,
      { type: "scatter", mode: x.length <= 100 ? "lines+markers" : "lines", name, x, y: drawn(cells, this.log), line: { color, width: 1.6 }, marker: { color, size: 5 }, hovertemplate: `${this.axis.labels[0]} = %{x:.6g}<br>${name} = %{y:.6g}<extra></extra>` },
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = this.layoutOf(this.axis.labels.join(", "), this.log ? `|${this.column.name}|` : this.column.name);
    if (equalRatios(this.axis.values[0] as number[])) layout.xaxis = { ...layout.xaxis, type: "log" };
    const steady = this.log ? undefined : steadyRange([this.column.cells]);
    if (steady) layout.yaxis = { ...layout.yaxis, range: steady };
    return layout;
  }
}

interface Dimension {
  name: string;
  role: Role | undefined;
  values: number[];
}

const UNCOLOURED = "one colour";

export class ScatterFigure extends Figure {
  private readonly dimensions: Dimension[];
  private chosen: [number, number, number];

  constructor(private readonly sweep: Sweep) {
    const all = sweep.members.length === sweep.facts.members;
    super(
      "scatter",
      "Members",
      `Any two quantities against each other, coloured by a third: what was swept, and the state at the end. ${all ? "Every member is a point." : `${formatCount(sweep.members.length)} of ${formatCount(sweep.facts.members)} members are on this page, evenly spread over their numbers; the file has them all.`}`,
    );
    this.dimensions = [
      ...sweep.quantities.map(({ label, points }) => ({ name: label, role: undefined, values: points })),
      ...sweep.columns.map(({ name, role, points }) => ({ name, role, values: points })),
    ];
    const swept = sweep.quantities.length;
    const varied = Math.max(0, sweep.quantities.findIndex(({ random }) => random));
    const other = sweep.quantities.findIndex((_, k) => k !== varied);
    const third = other >= 0 ? other : sweep.columns.length > 1 ? swept + 1 : -1;
    this.chosen = [varied, Math.min(swept, this.dimensions.length - 1), third];
    const names = this.dimensions.map(({ name }) => name);
    const select = (id: string, label: string, which: 0 | 1 | 2, options: string[], shift: number) =>
      choice(id, label, options, this.chosen[which] + shift, (index) => {
        this.chosen[which] = index - shift;
        if (which < 2) this.reset();
        this.redraw();
      });
    this.controls.append(
      select("scatter-x", "Horizontal", 0, names, 0),
      select("scatter-y", "Vertical", 1, names, 0),
      select("scatter-color", "Colour", 2, [UNCOLOURED, ...names], 1),
    );
  }

  /** Returns the values that are drawn on an axis: residuals by magnitude on a logarithmic one. */
  private axis(which: 0 | 1): Dimension & { log: boolean; values: number[] } {
    const dimension = this.dimensions[this.chosen[which]] as Dimension;
    const log = isResidual(dimension.role) || (dimension.role === undefined && (crowdsTheLow(dimension.values) || inEqualRatios(dimension.values)));
    return { ...dimension, log, values: drawn(dimension.values, log) };
  }

  protected traces(): Data[] {
    const [x, y] = [this.axis(0), this.axis(1)];
    const third = this.dimensions[this.chosen[2]];
    const { lines, text, muted } = theme();
    const size = this.sweep.members.length > 2000 ? 4 : 6;
    const shading = third && shadingOf(third.values, third.role);
    const marker = shading
      ? {
          color: third.values.map((value) => (Number.isFinite(value) ? shading.of(value) : Number.NaN)),
          cmin: shading.low,
          cmax: shading.high,
          colorscale: COLOR_SCALE,
          showscale: true,
          colorbar: {
            title: { text: shading.magnitude ? `|${third.name}|` : third.name, side: "right" as const, font: { color: text, size: 13 } },
            thickness: 14,
            outlinewidth: 0,
            tickfont: { color: muted, size: 12 },
            exponentformat: "power" as const,
            ...(shading.logarithmic ? powerTicks(shading.low, shading.high) : {}),
          },
        }
      : { color: lines[0] as string };
    const of = third ? `<br>${third.name} = %{text:.6g}` : "";
    return [
      {
        type: "scatter",
        mode: "markers",
        name: third ? third.name : "members",
        x: x.values,
        y: y.values,
        customdata: this.sweep.members,
        ...(third ? { text: third.values as unknown as string[] } : {}),
        marker: { ...marker, size, opacity: 0.8 },
        hovertemplate: `member %{customdata}<br>${x.name} = %{x:.6g}<br>${y.name} = %{y:.6g}${of}<extra></extra>`,
      } as Data,
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    layout.hovermode = "closest";
    const titled = (which: 0 | 1) => {
      const { name, log, role } = this.axis(which);
      return { title: { ...layout.xaxis?.title, text: isResidual(role) ? `|${name}|` : name }, ...(log ? { type: "log" as const } : {}) };
    };
    layout.xaxis = { ...layout.xaxis, ...titled(0) };
    layout.yaxis = { ...layout.yaxis, ...titled(1) };
    return layout;
  }

  protected reset(): void {
    this.relayout({ "xaxis.autorange": true, "yaxis.autorange": true });
  }
}

export class HistogramFigure extends ColumnFigure {
  private logarithmic = false;

  constructor(sweep: Sweep) {
    const columns = sweep.columns.filter(({ histogram }) => histogram !== undefined);
    super("histogram", "Distribution", "How many members end with which value, of all members with a finite one.", sweep, columns);
    this.controls.append(
      check("histogram-log", "Logarithmic counts", (on) => {
        this.logarithmic = on;
        this.change();
      }),
    );
  }

  protected override get log(): boolean {
    return this.logarithmic;
  }

  protected traces(): Data[] {
    const { from, to, counts } = this.column.histogram as NonNullable<SweepColumn["histogram"]>;
    const width = (to - from) / counts.length;
    return [
      {
        type: "bar",
        name: this.column.name,
        x: counts.map((_, i) => from + (i + 0.5) * width),
        y: counts,
        width,
        marker: { color: theme().lines[0] as string, line: { width: 0 } },
        hovertemplate: `${this.column.name} near %{x:.4g}: %{y} members<extra></extra>`,
      },
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = this.layoutOf(this.column.name, "members");
    layout.separators = ".\u202f";
    layout.yaxis = { ...layout.yaxis, exponentformat: "none", separatethousands: true, automargin: true };
    return layout;
  }
}

/** The values of what was swept, if one axis was swept. */
function valuesOf({ axes, fanCells }: Sweep): string[] {
  const [axis] = axes;
  return axis === undefined ? [] : fanCells.map((cell) => axis.labels.map((label, k) => `${label} = ${formatNumber(axis.values[k]?.[cell] as number, 5)}`).join(", "));
}

/** A fan of all members is no spread by chance if it has several values of a swept quantity. */
function pooled({ quantities, fanCells, axes }: Sweep): string {
  const swept = quantities.filter(({ random }) => !random).map(({ label }) => label);
  if (swept.length === 0) return "";
  if (fanCells.length === 0) return ` All values of ${swept.join(", ")} are in it together.`;
  const some = (axes[0]?.cells ?? 0) > fanCells.length ? `${formatCount(fanCells.length)} values of ${swept.join(", ")}, from the first to the last,` : `All values of ${swept.join(", ")}`;
  return ` ${some} have a line of their own, and a fan to choose.`;
}

const EVERY = "of each value: one line";
const TOGETHER = "of all values together";

export class FanFigure extends ColumnFigure {
  /** Place of a value, or one of the two views of all values. */
  private chosen: number | typeof EVERY | typeof TOGETHER;
  private readonly values: string[];

  constructor(sweep: Sweep) {
    const columns = sweep.columns.filter(({ fan }) => fan !== undefined);
    const quantiles = columns[0]?.fan?.quantiles.length ?? 0;
    const some = sweep.quantileMembers < sweep.facts.members ? ` Quantiles are of ${formatCount(sweep.quantileMembers)} members, evenly spread over their numbers; least and largest are of all.` : "";
    const rows = sweep.times.length < sweep.facts.rows ? ` ${formatCount(sweep.times.length)} of ${formatCount(sweep.facts.rows)} times are drawn.` : "";
    const what = quantiles > 0 ? `The median, half of the members (dark), nine tenths of them (light), and the least and the largest value (thin lines).${some}` : "The mean, the standard deviation to either side (dark), and the least and the largest value (light).";
    super("fan", "Fan over time", `${what}${rows}${pooled(sweep)}`, sweep, columns);
    this.values = valuesOf(sweep);
    this.chosen = this.values.length > 1 ? EVERY : TOGETHER;
    if (this.values.length < 2) return;
    this.controls.append(
      choice("fan-value", "Members", [EVERY, TOGETHER, ...this.values], 0, (index) => {
        this.chosen = index === 0 ? EVERY : index === 1 ? TOGETHER : index - 2;
        this.change();
      }),
    );
  }

  /** The fan that is drawn with bands. */
  private get fan(): Fan {
    const one = typeof this.chosen === "number" ? this.column.fans[this.chosen] : undefined;
    return one ?? (this.column.fan as Fan);
  }

  /** One line a value: its median, or its one member. */
  private lines(): Data[] {
    const last = Math.max(1, this.values.length - 1);
    return this.column.fans.map((fan, k): Data => ({
      type: "scatter",
      mode: "lines",
      name: this.values[k] as string,
      x: this.sweep.times,
      y: drawn(fan.quantiles[2] ?? fan.mean, this.log),
      line: { color: `rgb(${shade(0.92 * (k / last)).join(", ")})`, width: 1.6 },
      hovertemplate: "%{y:.6g}",
    }));
  }

  protected traces(): Data[] {
    if (this.chosen === EVERY) return this.lines();
    const { fan } = this;
    const x = this.sweep.times;
    const color = theme().lines[0] as string;
    const line = (name: string, values: number[], width: number, hidden = false): Data => ({
      type: "scatter",
      mode: "lines",
      name,
      x,
      y: drawn(values, this.log),
      line: { color: hidden ? veiled(color, 0.55) : color, width },
      hovertemplate: "%{y:.6g}",
    });
    const [q05, q25, q50, q75, q95] = fan.quantiles;
    if (q05 && q25 && q50 && q75 && q95) {
      return [...this.band("5 % to 95 %", x, q05, q95, 0.16), ...this.band("25 % to 75 %", x, q25, q75, 0.28), line("least", fan.least, 0.8, true), line("largest", fan.largest, 0.8, true), line("median", q50, 2)];
    }
    const moved = (sign: number) => fan.mean.map((mean, i) => mean + sign * (fan.deviation[i] as number));
    return [
      ...this.band("least to largest", x, fan.least, fan.largest, 0.14),
      ...(this.log ? [] : this.band("mean ± deviation", x, moved(-1), moved(1), 0.28)),
      line("least", fan.least, 0.8, true),
      line("largest", fan.largest, 0.8, true),
      line("mean", fan.mean, 2),
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = this.layoutOf(this.sweep.facts.time, this.log ? `|${this.column.name}|` : this.column.name);
    layout.hovermode = "x unified";
    const { fan } = this;
    const steady = this.log ? undefined : steadyRange([fan.least, fan.largest]);
    if (steady) layout.yaxis = { ...layout.yaxis, range: steady };
    return layout;
  }
}
