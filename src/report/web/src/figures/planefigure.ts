/** Curves in a plane, each with its start and its end; the part within the chosen window of time stands out. */

import type { Data, Layout, ScatterData } from "plotly.js-basic-dist-min";
import { type Column, finiteOrGap, rowsWithin, steadyRange } from "../run/data.ts";
import { rowBefore, valueAt } from "../run/interpolate.ts";
import { unjoinedRows, withGaps } from "../run/sampling.ts";
import { Figure, baseLayout } from "./plot.ts";
import { isPrinting, theme } from "../page/theme.ts";
import type { TimeWindow } from "./timefigure.ts";

/** Taller than a plot against time; the style sheet for print reserves it. */
const PAPER_HEIGHT = 440;

/** The most marks of a line: more of them are no clearer, and slow. */
const MARKS = 4000;

/** Simplified lines turn the bends of a path into corners. */
const EXACT = { simplify: false };

export interface Curve {
  name: string;
  x: Column;
  y: Column;
  /** The times of the line, if they are not the times of the figure. */
  time?: Column | undefined;
  /** Index into the palette. */
  color: number;
  shown: boolean;
}

/** The colour of the chosen part: one that the curve itself does not have. */
const chosenColor = (color: number): number => (color === 1 ? 0 : 1);

/** Draws rows as a line, or as marks if they are too far apart for one; of very many such rows it draws some. */
function pointsOf(x: number[], y: number[], times: readonly number[], apart: boolean[] | undefined, first = 0, end = x.length): Partial<ScatterData> {
  if (!apart) {
    const part = <T>(values: readonly T[]) => (first === 0 && end === x.length ? (values as T[]) : values.slice(first, end));
    return { mode: "lines", x: part(x), y: part(y), customdata: part(times) };
  }
  const { marks, rows, ...points } = withGaps(x, y, apart, first, end, 4);
  const every = Math.ceil(marks.filter((mark) => mark > 0).length / MARKS);
  let seen = 0;
  const kept = rows.map((_, i) => marks[i] === 0 || seen++ % every === 0);
  const pick = <T>(values: readonly T[]) => values.filter((_, i) => kept[i]);
  return { mode: "lines+markers", x: pick(points.x) as number[], y: pick(points.y) as number[], customdata: pick(rows).map((row) => times[row] as number), marker: { size: pick(marks), line: { width: 0 } } };
}

export abstract class PlaneFigure extends Figure {
  constructor(
    id: string,
    title: string,
    note: string,
    protected readonly time: Column | undefined,
    protected readonly window: TimeWindow,
    private readonly apart: readonly boolean[] | undefined,
  ) {
    super(id, title, note);
    window.follow(() => this.redraw());
    this.mark(window.cursor, "dot", (moment) => this.placeAt(moment));
  }

  /** Returns the place on the first curve that is shown at a time. */
  private placeAt(moment: number): [number, number] | undefined {
    const curve = this.curves().find(({ shown }) => shown);
    const times = (curve?.time ?? this.time)?.values;
    if (!curve || !times) return undefined;
    const row = rowBefore(times, moment);
    return [valueAt(times, curve.x.values, row, moment), valueAt(times, curve.y.values, row, moment)];
  }

  protected abstract curves(): Curve[];
  protected abstract axisTitles(): [string, string];
  protected abstract equalScales(): boolean;

  /** First and one-past-last row of the chosen window. */
  protected chosenRows(rows: number, time: Column | undefined): [number, number] {
    return time && !this.window.isWhole ? rowsWithin(time.values, ...this.window.range) : [0, rows];
  }

  protected traces(): Data[] {
    return this.curves().flatMap((curve) => this.tracesOf(curve));
  }

  private tracesOf(curve: Curve): Data[] {
    const { lines, panel } = theme();
    const [x, y] = [curve.x, curve.y].map(({ values }) => finiteOrGap(values) as number[]) as [number[], number[]];
    const apart = this.unjoined(curve);
    const time = curve.time ?? this.time;
    const [first, last] = this.chosenRows(x.length, time);
    const whole = first === 0 && last === x.length;
    const color = lines[curve.color % lines.length] as string;
    const times = time?.values ?? [];
    const at = `${curve.x.name} = %{x:.6g}<br>${curve.y.name} = %{y:.6g}${this.time ? `<br>${this.time.name} = %{customdata:.6g}` : ""}<extra></extra>`;
    const ends = [0, x.length - 1];
    const legendgroup = curve.name;
    const common = { type: "scatter" as const, visible: curve.shown, legendgroup };
    return [
      { ...common, ...pointsOf(x, y, times, apart), name: curve.name, hovertemplate: at, opacity: whole ? 1 : 0.28, line: { ...EXACT, color, width: 1.4 } },
      {
        ...common,
        ...pointsOf(x, y, times, apart, first, last),
        name: "chosen time",
        visible: curve.shown && !whole,
        hoverinfo: "skip",
        line: { ...EXACT, color: lines[chosenColor(curve.color)] as string, width: 2.2 },
      },
      {
        ...common,
        mode: "markers",
        name: "start and end",
        zorder: 1,
        x: ends.map((i) => x[i] as number),
        y: ends.map((i) => y[i] as number),
        customdata: ends.map((i) => times[i] as number),
        text: ["start", "end"],
        hovertemplate: `<b>%{text}</b><br>${at}`,
        cliponaxis: false,
        marker: { size: 9, color: [panel, color], line: { color, width: 2 } },
      },
    ];
  }

  /** Rows at which one of the two columns may not be joined. */
  private unjoined({ x, y }: Curve): boolean[] | undefined {
    const [of, and] = [unjoinedRows(x.values, this.apart), unjoinedRows(y.values, this.apart)];
    return of && and ? of.map((far, i) => far || (and[i] as boolean)) : (of ?? and);
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    const [x, y] = this.axisTitles();
    layout.hovermode = "closest";
    layout.xaxis = { ...layout.xaxis, title: { ...layout.xaxis?.title, text: x } };
    layout.yaxis = { ...layout.yaxis, title: { ...layout.yaxis?.title, text: y } };
    if (isPrinting()) layout.height = PAPER_HEIGHT;
    if (this.equalScales()) Object.assign(layout.yaxis, { scaleanchor: "x", scaleratio: 1 });
    else this.keepSteady(layout);
    return layout;
  }

  /** A constant is drawn as one, not as its round-off. */
  private keepSteady(layout: Partial<Layout>): void {
    for (const axis of ["x", "y"] as const) {
      const range = steadyRange(this.curves().map((curve) => curve[axis].values));
      if (range) layout[`${axis}axis`] = { ...layout[`${axis}axis`], range };
    }
  }

  protected describe(): void {
    this.announce("xaxis", false);
    this.announce("yaxis", false);
  }

  protected override ready(): void {
    this.plot.on("plotly_relayout", () => this.describe());
    this.plot.on("plotly_click", ({ points }) => {
      const at: unknown = points[0]?.customdata;
      this.goTo(Array.isArray(at) ? at[0] : at);
    });
    this.describe();
  }

  protected reset(): void {
    const { xaxis, yaxis } = this.layout();
    const whole = (axis: string, range: unknown) => (range ? { [`${axis}.range`]: range } : { [`${axis}.autorange`]: true });
    this.relayout({ ...whole("xaxis", xaxis?.range), ...whole("yaxis", yaxis?.range) });
  }
}
