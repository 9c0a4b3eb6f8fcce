/** A family over its sites and time, as a picture: the space-time map of a chain, or a grid at one moment. */

import type { Data, Layout } from "plotly.js-basic-dist-min";
import { choice, slider } from "../page/choice.ts";
import { el } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import { type Cells, type Field, type FieldPicture, pictureOf } from "../run/fields.ts";
import { edgesOf, paintedCells } from "./cells.ts";
import { Figure, baseLayout } from "./plot.ts";
import { COLOR_SCALE, type Shading, shadingOf } from "./shades.ts";

/** Cells are painted so that the picture has at least this many pixels, and is sharp when it is saved. */
const PICTURE = 800;

const NOTES = ["Values at the sites (to the right) against time (upwards).", "Values at the sites of the grid at one moment."];

export class FieldFigure extends Figure {
  private shown = 0;
  private moment = 0;
  private readonly sliders = el("span", { class: "sliders" });

  constructor(
    private readonly fields: Field[],
    private readonly time: string,
  ) {
    super("fields", fields.every(({ axes }) => axes.length === 1) ? "Space-time map" : "Fields", NOTES[(fields[0] as Field).axes.length - 1] as string);
    const names = fields.map(({ name }) => name);
    this.controls.append(
      choice("field", "Family", names, 0, (index) => {
        this.shown = index;
        this.offerMoments();
        this.redraw();
      }),
      this.sliders,
    );
    this.offerMoments();
  }

  private get field(): Field {
    return this.fields[this.shown] as Field;
  }

  private offerMoments(): void {
    const { axes, times } = this.field;
    this.moment = Math.min(this.moment, times.length - 1);
    const label = (k: number) => `${this.time} = ${formatNumber(times[k] as number)}`;
    this.sliders.replaceChildren(
      ...(axes.length < 2
        ? []
        : [
            slider("field-moment", times.length, this.moment, label, (k) => {
              this.moment = k;
              this.redraw();
            }),
          ]),
    );
  }

  private picture(): FieldPicture {
    return pictureOf(this.field, this.time, this.moment);
  }

  /** Returns the scale of colours, one for all moments, so that colours can be compared. */
  private shading(): Shading {
    return shadingOf(this.field.values, "base");
  }

  private image(cells: Cells, shading: Shading): string {
    const small = paintedCells(cells, shading);
    const { width, height } = small;
    const factor = Math.max(1, Math.ceil(PICTURE / Math.max(width, height, 1)));
    const large = el("canvas", { width: width * factor, height: height * factor });
    const to = large.getContext("2d");
    if (!to || width === 0) return "";
    to.imageSmoothingEnabled = false;
    to.drawImage(small, 0, 0, large.width, large.height);
    return large.toDataURL("image/png");
  }

  /** The trace draws nothing; it carries the colour bar. */
  protected traces(): Data[] {
    const { low, high } = this.shading();
    return [
      {
        type: "scatter",
        mode: "markers",
        name: this.field.name,
        x: [null],
        y: [null],
        hoverinfo: "skip",
        marker: { color: [low], cmin: low, cmax: high, colorscale: COLOR_SCALE, showscale: true, colorbar: { title: { text: this.field.name, side: "right" as const }, thickness: 14, outlinewidth: 0, exponentformat: "power" as const } },
      } as Data,
    ];
  }

  protected layout(): Partial<Layout> {
    const layout = baseLayout();
    const { x, y, cells } = this.picture();
    const [[left, right], [bottom, top]] = [edgesOf(x.places), edgesOf(y.places)];
    layout.xaxis = { ...layout.xaxis, range: [left, right], showgrid: false, zeroline: false, title: { ...layout.xaxis?.title, text: x.title } };
    layout.yaxis = { ...layout.yaxis, range: [bottom, top], showgrid: false, zeroline: false, title: { ...layout.yaxis?.title, text: y.title } };
    layout.images = [{ source: this.image(cells, this.shading()), xref: "x", yref: "y", x: left, y: top, sizex: right - left, sizey: top - bottom, sizing: "stretch", layer: "below", visible: true }];
    return layout;
  }

  protected reset(): void {
    const { x, y } = this.picture();
    this.relayout({ "xaxis.range": edgesOf(x.places), "yaxis.range": edgesOf(y.places) });
  }
}
