/** A figure: a card with a plot that is drawn when it comes near the window, a toolbar and keys. */

import Plotly, { type Data, type Layout, type PlotlyHTMLElement } from "plotly.js-basic-dist-min";
import { el } from "../page/dom.ts";
import { isPrinting, theme } from "../page/theme.ts";
import { CursorMark, type Frame, type TimeCursor, axesFrame } from "./cursor.ts";

export type Range = [number, number];
type AxisName = "xaxis" | "yaxis";

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
/** Fits between the margins of A4 and of Letter; the style sheet for print reserves this height. */
const PAPER = { width: 660, height: 300 };
const ZOOM = 0.6;
const PAN = 0.2;

/** Returns the layout that all plots share: type, grid, margins. Axis titles and ranges come from the figure. */
export function baseLayout(): Partial<Layout> {
  const { text, muted, grid, zero, panel } = theme();
  const axis = {
    gridcolor: grid,
    zerolinecolor: zero,
    linecolor: zero,
    tickcolor: zero,
    ticks: "outside" as const,
    ticklen: 4,
    showline: true,
    automargin: true,
    // Where no label has room, Plotly would measure the labels that it hid and place the title at infinity.
    ticklabeloverflow: "allow" as const,
    exponentformat: "power" as const,
    tickfont: { color: muted, size: 12 },
    title: { font: { color: text, size: 13 }, standoff: 8 },
  };
  return {
    paper_bgcolor: panel,
    plot_bgcolor: panel,
    font: { family: FONT, size: 12, color: text },
    margin: { l: 64, r: 16, t: 12, b: 46 },
    hoverlabel: { bgcolor: panel, bordercolor: zero, font: { family: FONT, size: 12, color: text } },
    showlegend: false,
    ...(isPrinting() ? { autosize: false, ...PAPER } : { autosize: true }),
    dragmode: window.matchMedia("(pointer: coarse)").matches ? false : "zoom",
    xaxis: { ...axis },
    yaxis: { ...axis },
  };
}

export abstract class Figure {
  readonly element: HTMLElement;
  protected readonly plot: PlotlyHTMLElement;
  protected readonly controls: HTMLElement;
  private drawn = false;
  private moveMark: (() => void) | undefined;
  private cursor: TimeCursor | undefined;

  constructor(
    readonly id: string,
    readonly title: string,
    note: string,
  ) {
    this.plot = el("div", {
      class: "plot",
      tabindex: 0,
      role: "group",
      "aria-label": `Plot: ${title}. ${note} Arrow keys move, plus and minus zoom, 0 shows everything.`,
      keydown: (event) => this.key(event as KeyboardEvent),
    }) as unknown as PlotlyHTMLElement;
    this.controls = el("div", { class: "controls" });
    const tool = (label: string, name: string, act: () => void) =>
      el("button", { type: "button", class: "tool", "aria-label": `${name}: ${title}`, title: name, click: act }, label);
    this.element = el(
      "section",
      { class: `card figure figure-${id}`, id, "aria-labelledby": `${id}-title` },
      el(
        "header",
        {},
        el("h2", { id: `${id}-title` }, title),
        el(
          "div",
          { class: "tools" },
          tool("−", "Zoom out", () => this.zoom(1 / ZOOM)),
          tool("+", "Zoom in", () => this.zoom(ZOOM)),
          tool("Reset", "Show everything", () => this.reset()),
          tool("SVG", "Save as SVG", () => this.save("svg")),
          tool("PNG", "Save as PNG", () => this.save("png")),
        ),
      ),
      el("p", { class: "note" }, note),
      this.controls,
      this.plot,
    );
  }

  protected abstract traces(): Data[];
  protected abstract layout(): Partial<Layout>;
  protected abstract reset(): void;
  /** Called once, when the plot exists. */
  protected ready(): void {}

  draw(): void {
    if (this.drawn) return;
    this.drawn = true;
    void Plotly.newPlot(this.plot, this.traces(), this.layout(), { displayModeBar: false, responsive: true, doubleClick: false });
    this.plot.on("plotly_doubleclick", () => this.reset());
    this.ready();
    this.moveMark?.();
    this.plot.on("plotly_afterplot", () => this.moveMark?.());
  }

  /** Marks the cursor's moment at the place that `place` gives; without an ordinate over the whole height. */
  protected mark(cursor: TimeCursor, kind: "line" | "dot", place: (time: number) => [number, number | undefined] | undefined): void {
    let mark: CursorMark | undefined;
    let frame: Frame | undefined;
    this.cursor = cursor;
    const move = (time: number | undefined) => {
      if (!this.drawn || time === undefined || !frame) return;
      mark ??= new CursorMark(this.plot, kind);
      const [at, x, y] = [place(time), this.range("xaxis"), this.range("yaxis")];
      if (!at || !x || !y) return mark.hide();
      mark.move(frame, (at[0] - x[0]) / (x[1] - x[0]), at[1] === undefined ? 1 : (at[1] - y[0]) / (y[1] - y[0]));
    };
    this.moveMark = () => {
      frame = axesFrame(this.plot);
      move(cursor.time);
    };
    cursor.follow(move);
  }

  /** Shows the moment of a point that was clicked, if something on the page moves. */
  protected goTo(time: unknown): void {
    if (this.cursor?.time !== undefined && typeof time === "number") this.cursor.set(time);
  }

  /** Draws again with the ranges that the reader has chosen, e.g. in other colours. */
  redraw(): void {
    if (!this.drawn) return;
    const layout = this.layout();
    for (const axis of ["xaxis", "yaxis"] as const) {
      const current = this.plot.layout[axis];
      if (current.range && !current.autorange) layout[axis] = { ...layout[axis], range: [...current.range] };
    }
    void Plotly.react(this.plot, this.traces(), layout);
    if (!isPrinting()) Plotly.Plots.resize(this.plot);
  }

  protected relayout(update: Record<string, unknown>): void {
    if (this.drawn) void Plotly.relayout(this.plot, update as Partial<Layout>);
  }

  protected restyle(update: Record<string, unknown>, traces?: number[]): void {
    if (this.drawn) void Plotly.restyle(this.plot, update as Data, traces);
  }

  /** The axes that zoom and pan reach by button and key. */
  protected zoomAxes(): AxisName[] {
    return ["xaxis", "yaxis"];
  }

  protected range(axis: AxisName): Range | undefined {
    const range = this.plot.layout?.[axis]?.range;
    return range ? [Number(range[0]), Number(range[1])] : undefined;
  }

  private zoom(factor: number): void {
    const update: Record<string, unknown> = {};
    for (const axis of this.zoomAxes()) {
      const range = this.range(axis);
      if (!range) continue;
      const middle = (range[0] + range[1]) / 2;
      update[`${axis}.range`] = range.map((end) => middle + (end - middle) * factor);
    }
    this.relayout(update);
  }

  private pan(axis: AxisName, fraction: number): void {
    const range = this.range(axis);
    if (range) this.relayout({ [`${axis}.range`]: range.map((end) => end + fraction * (range[1] - range[0])) });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== (this.plot as unknown)) return;
    const acts: Record<string, () => void> = {
      "+": () => this.zoom(ZOOM),
      "=": () => this.zoom(ZOOM),
      "-": () => this.zoom(1 / ZOOM),
      0: () => this.reset(),
      ArrowLeft: () => this.pan("xaxis", -PAN),
      ArrowRight: () => this.pan("xaxis", PAN),
      ArrowDown: () => this.pan("yaxis", -PAN),
      ArrowUp: () => this.pan("yaxis", PAN),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** A picture that leaves the page needs the legend, which the page shows as buttons. */
  private save(format: "svg" | "png"): void {
    this.draw();
    const layout = { ...this.plot.layout, showlegend: true, legend: { orientation: "h" as const, y: -0.2 }, title: { text: this.title } };
    layout.margin = { ...layout.margin, t: 48, b: 90 };
    const figure = { data: this.plot.data, layout } as unknown as PlotlyHTMLElement;
    const size = { width: 1000, height: 620, scale: format === "png" ? 2 : 1 };
    void Plotly.downloadImage(figure, { format, filename: this.id, ...size });
  }

  /** Names a range for assistive technology and for tests. */
  protected announce(axis: AxisName, log: boolean): void {
    const range = this.range(axis);
    if (range) this.plot.dataset[axis] = range.map((end) => (log ? 10 ** end : end).toPrecision(12)).join(" ");
  }
}
