/** A family as a map beside the curves: time to the right and sites upwards; of a grid its sites at one moment. */

import { edgesOf, paintedCells } from "../figures/cells.ts";
import { type Shading, shadingOf } from "../figures/shades.ts";
import { el } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import { type Cells, type Field, type FieldPicture, pictureOf } from "../run/fields.ts";
import { type Margin, drawAxes, scalesOf } from "./axes.ts";
import type { Pen } from "./svgpen.ts";

/** The share of a range within which values have one colour. */
const COLOR = 1e-3;
/** The bar of colours at the right of a map. */
const BAR = { gap: 12, width: 12, room: 108 };

const transposed = ({ x, y, cells }: FieldPicture): FieldPicture => ({ x: y, y: x, cells: { ...cells, across: cells.up, up: cells.across, width: cells.height, height: cells.width } });

/** The canvases on which maps are painted one after the other, and what stands on them. */
export class Easel {
  private readonly cells = el("canvas");
  private readonly colors = el("canvas");
  private painted: Cells | undefined;

  cellsOf(cells: Cells, shading: Shading): HTMLCanvasElement {
    if (this.painted !== cells) paintedCells(cells, shading, this.cells);
    this.painted = cells;
    return this.cells;
  }

  /** All colours from bottom to top, in so many steps. */
  bar(steps: number): HTMLCanvasElement {
    const values = Float32Array.from({ length: steps }, (_, k) => k / (steps - 1));
    const shading = { logarithmic: false, magnitude: false, low: 0, high: 1, of: (value: number) => value };
    if (this.colors.height !== steps || this.colors.width !== 1) paintedCells({ values, from: 0, across: 1, up: 1, width: 1, height: steps }, shading, this.colors);
    return this.colors;
  }
}

export class FieldMap {
  readonly id: string;
  readonly title: string;
  /** True if time runs to the right. */
  readonly overTime: boolean;
  private shades: Shading | undefined;
  private latest: { moment: number; picture: FieldPicture } | undefined;

  constructor(
    private readonly field: Field,
    private readonly time: string,
    private readonly easel: Easel,
  ) {
    const { name, axes } = field;
    this.id = `map-${name}`;
    this.title = `Map of ${name}[${axes.map((axis) => axis.name).join(",")}]`;
    this.overTime = axes.length === 1;
  }

  /** Found once the map is drawn: one of several is. */
  private get shading(): Shading {
    this.shades ??= shadingOf(this.field.values, "base");
    return this.shades;
  }

  static margin(margin: Margin): Margin {
    return { ...margin, right: BAR.room };
  }

  /** From the first to the last moment of a run of which a part is shown; a map over time reaches from edge to edge of its cells. */
  timesOf(part: number): [number, number] {
    const [low, high] = edgesOf(this.field.times);
    return [low, low + (high - low) / part];
  }

  private momentAt(time: number | undefined): number {
    if (this.overTime || time === undefined) return 0;
    const distances = this.field.times.map((one) => Math.abs(one - time));
    return distances.indexOf(Math.min(...distances));
  }

  private at(time: number | undefined): FieldPicture {
    const moment = this.momentAt(time);
    if (this.latest?.moment !== moment) {
      const upright = pictureOf(this.field, this.time, moment);
      this.latest = { moment, picture: this.overTime ? transposed(upright) : upright };
    }
    return this.latest.picture;
  }

  said(time: number | undefined): string {
    const { x, y } = this.at(time);
    return `${this.title}: ${y.title} upwards, ${x.title} to the right${this.overTime ? "" : `, at ${this.time} = ${formatNumber(this.field.times[this.momentAt(time)] as number, 4)}`}`;
  }

  /** Draws a run, or the share of it that is there on the axis of the whole. */
  paint(context: Pen, time: number | undefined, part: number, margin: Margin, width: number, height: number): void {
    const picture = this.at(time);
    const { x, y } = scalesOf(this.overTime ? this.timesOf(part) : edgesOf(picture.x.places), edgesOf(picture.y.places), margin, width, height);
    drawAxes(context, x, y, picture.x.title, false);
    const [right, top, bottom] = [x.at(x.high), y.at(y.high), y.at(y.low)];
    const [from, to] = edgesOf(picture.x.places).map(x.at) as [number, number];
    context.imageSmoothingEnabled = false;
    context.drawImage(this.easel.cellsOf(picture.cells, this.shading), from, top, to - from, bottom - top);
    this.paintBar(context, right + BAR.gap, top, bottom);
  }

  private paintBar(context: Pen, left: number, top: number, bottom: number): void {
    const { low, high, logarithmic } = this.shading;
    context.drawImage(this.easel.bar(Math.max(2, Math.round(bottom - top))), left, top, BAR.width, bottom - top);
    context.fillStyle = theme().muted;
    context.textAlign = "left";
    // Beside the other end, a value that is no part of a colour is 0.
    const label = (value: number) => formatNumber(logarithmic ? 10 ** value : Math.abs(value) < COLOR * (high - low) ? 0 : value, 2);
    context.textBaseline = "top";
    context.fillText(label(high), left + BAR.width + 5, top);
    context.textBaseline = "middle";
    context.fillText(this.field.name, left + BAR.width + 5, (top + bottom) / 2);
    context.textBaseline = "bottom";
    context.fillText(label(low), left + BAR.width + 5, bottom);
  }
}
