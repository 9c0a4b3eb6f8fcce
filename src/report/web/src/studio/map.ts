/** A family as a map beside the curves: time to the right and sites upwards; of a grid its sites at one moment. */

import { edgesOf, paintedCells } from "../figures/cells.ts";
import { type Shading, shadingOf } from "../figures/shades.ts";
import { formatNumber } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import { type Field, type FieldPicture, pictureOf } from "../run/fields.ts";
import { type Margin, drawAxes, scalesOf } from "./axes.ts";
import type { Pen } from "./svgpen.ts";

/** The bar of colours at the right of a map. */
const BAR = { gap: 12, width: 12, room: 82 };

const transposed = ({ x, y, rows }: FieldPicture): FieldPicture => ({ x: y, y: x, rows: (rows[0] ?? []).map((_, k) => rows.map((row) => row[k] as number)) });

export class FieldMap {
  readonly id: string;
  readonly title: string;
  /** True if time runs to the right. */
  readonly overTime: boolean;
  private shades: Shading | undefined;
  private latest: { moment: number; picture: FieldPicture; cells: HTMLCanvasElement } | undefined;

  constructor(
    private readonly field: Field,
    private readonly time: string,
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

  private at(time: number | undefined): { picture: FieldPicture; cells: HTMLCanvasElement } {
    const moment = this.momentAt(time);
    if (this.latest?.moment !== moment) {
      const upright = pictureOf(this.field, this.time, moment);
      const picture = this.overTime ? transposed(upright) : upright;
      this.latest = { moment, picture, cells: paintedCells(picture.rows, this.shading) };
    }
    return this.latest;
  }

  said(time: number | undefined): string {
    const { x, y } = this.at(time).picture;
    return `${this.title}: ${y.title} upwards, ${x.title} to the right${this.overTime ? "" : `, at ${this.time} = ${formatNumber(this.field.times[this.momentAt(time)] as number, 4)}`}`;
  }

  /** Draws a run, or the share of it that is there on the axis of the whole. */
  paint(context: Pen, time: number | undefined, part: number, margin: Margin, width: number, height: number): void {
    const { picture, cells } = this.at(time);
    const { x, y } = scalesOf(this.overTime ? this.timesOf(part) : edgesOf(picture.x.places), edgesOf(picture.y.places), margin, width, height);
    drawAxes(context, x, y, picture.x.title, false);
    const [right, top, bottom] = [x.at(x.high), y.at(y.high), y.at(y.low)];
    const [from, to] = edgesOf(picture.x.places).map(x.at) as [number, number];
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, from, top, to - from, bottom - top);
    this.paintBar(context, right + BAR.gap, top, bottom);
  }

  private paintBar(context: Pen, left: number, top: number, bottom: number): void {
    const { low, high, logarithmic } = this.shading;
    const steps = Math.max(2, Math.round(bottom - top));
    const levels = Array.from({ length: steps }, (_, k) => [low + (k / (steps - 1)) * (high - low)]);
    context.drawImage(paintedCells(levels, { ...this.shading, of: (value) => value }), left, top, BAR.width, bottom - top);
    context.fillStyle = theme().muted;
    context.textAlign = "left";
    const label = (value: number) => formatNumber(logarithmic ? 10 ** value : value, 2);
    context.textBaseline = "top";
    context.fillText(label(high), left + BAR.width + 5, top);
    context.textBaseline = "middle";
    context.fillText(this.field.name, left + BAR.width + 5, (top + bottom) / 2);
    context.textBaseline = "bottom";
    context.fillText(label(low), left + BAR.width + 5, bottom);
  }
}
