/** A column over two axes of the grid, as a picture of cells. */

import type { Data, Layout } from "plotly.js-basic-dist-min";
import { type Scale, cut, placeOf, scaleOf } from "./cells.ts";
import { choice, slider } from "../page/choice.ts";
import { el } from "../page/dom.ts";
import { formatNumber, formatResidual } from "../page/format.ts";
import { Figure, type Range, baseLayout } from "../figures/plot.ts";
import { COLOR_SCALE, type Shading, powerTicks, shade, shadingOf } from "../figures/shades.ts";
import type { Sweep, SweepColumn } from "./sweepdata.ts";
import { theme } from "../page/theme.ts";

/** Cells are painted this large at least, so that a saved picture shows them sharp. */
const PICTURE = 800;

interface Pixels {
  p2d(pixel: number): number;
}

function note(sweep: Sweep): string {
  const coarse = sweep.axes.filter(({ width }) => width > 1).map(({ labels, width }) => `${width} along ${labels.join(", ")}`);
  const samples = sweep.quantities.some(({ random }) => random);
  const cells = sweep.membersPerCell === 1 ? "Each cell is one member." : `Each cell stands for up to ${sweep.membersPerCell} members${samples ? ", the samples among them" : ""}${coarse.length > 0 ? `: ${coarse.join(", ")}` : ""}.`;
  return `The state at the end over two quantities. ${cells} Blank cells have no finite value.`;
}

export class MapFigure extends Figure {
  private column = 0;
  private spread = false;
  private axes: [number, number];
  private readonly at: number[];
  private readonly readout = el("output", { class: "readout" }, "Point at the map to read values");
  private readonly sliders = el("span", { class: "sliders" });
  private readonly choices = el("span", { class: "sliders" });

  constructor(private readonly sweep: Sweep) {
    super("map", "Final states", note(sweep));
    const count = sweep.axes.length;
    this.axes = [count - 2, count - 1];
    this.at = sweep.axes.map(() => 0);
    this.controls.append(
      choice("map-column", "Column", sweep.columns.map(({ name }) => name), 0, (index) => {
        this.column = index;
        this.redraw();
      }),
    );
    if (sweep.membersPerCell > 1) {
      this.controls.append(
        choice("map-value", "Show", ["mean", "deviation"], 0, (index) => {
          this.spread = index === 1;
          this.redraw();
        }),
      );
    }
    this.controls.append(this.choices, this.sliders);
    this.offerAxes();
    this.element.append(this.readout);
  }

  /** The axes of the picture; the others get sliders. */
  private offerAxes(): void {
    const names = this.sweep.axes.map(({ labels }) => labels.join(", "));
    const axis = (label: string, id: string, which: 0 | 1) =>
      choice(id, label, names, this.axes[which], (index) => {
        if (this.axes[1 - which] === index) this.axes[1 - which] = this.axes[which] as number;
        this.axes[which] = index;
        this.offerAxes();
        this.reset();
        this.redraw();
      });
    this.choices.replaceChildren(axis("Horizontal", "map-x", 0), axis("Vertical", "map-y", 1));
    const others = this.sweep.axes.map((_, k) => k).filter((k) => !this.axes.includes(k));
    this.sliders.replaceChildren(
      ...others.map((k) => {
        const held = this.sweep.axes[k] as Sweep["axes"][number];
        return slider(`map-at-${k}`, held.cells, this.at[k] ?? 0, (i) => placeOf(held, i), (i) => {
          this.at[k] = i;
          this.redraw();
        });
      }),
    );
  }

  private get chosen(): SweepColumn {
    return this.sweep.columns[this.column] as SweepColumn;
  }

  private values(): number[] {
    return this.spread ? this.chosen.deviation : this.chosen.cells;
  }

  /** Returns the scale of colours, one for all positions of the sliders, so that colours can be compared. */
  private shading(): Shading {
    return shadingOf(this.values(), this.spread ? undefined : this.chosen.role);
  }

  private scales(): [Scale, Scale] {
    return this.axes.map((k) => scaleOf(this.sweep.axes[k] as Sweep["axes"][number])) as [Scale, Scale];
  }

  private picture(): number[][] {
    return cut(this.values(), this.sweep.axes.map(({ cells }) => cells), ...this.axes, this.at);
  }

  /** The picture as an image: cells of equal size, the first row at the bottom unless its axis descends. */
  private image(rows: number[][], shading: Shading, flip: [boolean, boolean]): string {
    const [width, height] = [rows[0]?.length ?? 0, rows.length];
    const factor = Math.max(1, Math.floor(PICTURE / Math.max(width, height, 1)));
    const small = el("canvas", { width, height });
    const large = el("canvas", { width: width * factor, height: height * factor });
    const [from, to] = [small.getContext("2d"), large.getContext("2d")];
    if (!from || !to || width === 0) return "";
    const pixels = from.createImageData(width, height);
    rows.forEach((row, j) => {
      row.forEach((value, i) => {
        if (!Number.isFinite(value)) return;
        const [x, y] = [flip[0] ? width - 1 - i : i, flip[1] ? j : height - 1 - j];
        pixels.data.set([...shade((shading.of(value) - shading.low) / (shading.high - shading.low)), 255], 4 * (y * width + x));
      });
    });
    from.putImageData(pixels, 0, 0);
    to.imageSmoothingEnabled = false;
    to.drawImage(small, 0, 0, large.width, large.height);
    return large.toDataURL("image/png");
  }

  /** The trace draws nothing; it carries the colour bar. */
  protected traces(): Data[] {
    const { logarithmic, magnitude, low, high } = this.shading();
    const { text, muted } = theme();
    const colorbar = {
      title: { text: this.spread ? `deviation of ${this.chosen.name}` : magnitude ? `|${this.chosen.name}|` : this.chosen.name, side: "right" as const, font: { color: text, size: 13 } },
      thickness: 14,
      outlinewidth: 0,
      tickfont: { color: muted, size: 12 },
      exponentformat: "power" as const,
      ...(logarithmic ? powerTicks(low, high) : {}),
    };
    return [
      {
        type: "scatter",
        mode: "markers",
        name: this.chosen.name,
        x: [null],
        y: [null],
        hoverinfo: "skip",
        marker: { color: [low], cmin: low, cmax: high, colorscale: COLOR_SCALE, showscale: true, colorbar },
      } as Data,
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    const [x, y] = this.scales();
    layout.xaxis = { ...layout.xaxis, ...axisOf(x), title: { ...layout.xaxis?.title, text: x.title } };
    layout.yaxis = { ...layout.yaxis, ...axisOf(y), title: { ...layout.yaxis?.title, text: y.title } };
    const [left, right] = rangeOf(x);
    const [bottom, top] = rangeOf(y);
    layout.images = [
      {
        source: this.image(this.picture(), this.shading(), [x.step < 0, y.step < 0]),
        xref: "x",
        yref: "y",
        x: left,
        y: top,
        sizex: right - left,
        sizey: top - bottom,
        sizing: "stretch",
        layer: "below",
        visible: true,
      },
    ];
    return layout;
  }

  protected override ready(): void {
    const plot = this.plot as unknown as HTMLElement;
    plot.addEventListener("pointermove", (event) => this.read(event));
    const describe = () => {
      this.announce("xaxis", false);
      this.announce("yaxis", false);
    };
    this.plot.on("plotly_relayout", describe);
    describe();
  }

  private read(event: PointerEvent): void {
    const box = (this.plot as unknown as HTMLElement).querySelector(".nsewdrag")?.getBoundingClientRect();
    const full = (this.plot as unknown as { _fullLayout?: { xaxis: Pixels; yaxis: Pixels } })._fullLayout;
    if (!box || !full) return;
    const [x, y] = this.scales();
    const i = Math.round((full.xaxis.p2d(event.clientX - box.left) - x.first) / x.step);
    const j = Math.round((full.yaxis.p2d(event.clientY - box.top) - y.first) / y.step);
    const value = this.picture()[j]?.[i];
    if (value === undefined) return;
    const [horizontal, vertical] = this.axes.map((k) => this.sweep.axes[k] as Sweep["axes"][number]) as [Sweep["axes"][number], Sweep["axes"][number]];
    const shown = this.shading().magnitude ? formatResidual(value) : formatNumber(value);
    this.readout.textContent = `${placeOf(horizontal, i)}, ${placeOf(vertical, j)}: ${this.spread ? "deviation of " : ""}${this.chosen.name} = ${shown}`;
  }

  protected reset(): void {
    const [x, y] = this.scales();
    this.relayout({ "xaxis.range": rangeOf(x), "yaxis.range": rangeOf(y) });
  }
}

/** Returns the range from edge to edge of the cells, ascending. */
function rangeOf({ first, step, cells }: Scale): Range {
  const ends = [first - step / 2, first + (cells - 0.5) * step];
  return [Math.min(...ends), Math.max(...ends)];
}

function axisOf(scale: Scale): Partial<Layout["xaxis"]> {
  const ticks = scale.ticks ? { tickmode: "array" as const, tickvals: scale.ticks.at, ticktext: scale.ticks.text } : {};
  return { range: rangeOf(scale), showgrid: false, zeroline: false, ...ticks };
}
