/** The path of planar bodies: y over x in equal scales, with the heading at a few times. */

import type { Data } from "plotly.js-basic-dist-min";
import { addChips } from "../page/chips.ts";
import type { Column } from "../run/data.ts";
import { el } from "../page/dom.ts";
import { PALETTE_SIZE, SHOWN_AT_FIRST } from "../run/panels.ts";
import { type Body, evenlyInTime, markerAngle } from "../run/path.ts";
import { type Curve, PlaneFigure } from "./planefigure.ts";
import { theme } from "../page/theme.ts";
import type { TimeWindow } from "./timefigure.ts";

/** Arrows of one body: enough to follow a turn, few enough to stay apart on a phone. */
const ARROWS = 20;
const ARROW_LENGTH = 12;

const pathName = ({ x, y }: Body): string => `${x.name}, ${y.name}`;
/** The name of a heading without the ending of its body. */
const stem = ({ suffix }: Body, { name }: Column): string => (suffix === "" ? name : name.slice(0, -suffix.length));

function noteOf(bodies: Body[]): string {
  const arrows = bodies.some(({ headings }) => headings.length > 0);
  return (
    "The position in the plane, in equal scales. Open circle: start; filled circle: end. " +
    (arrows ? "Arrows: the heading, an angle from the x axis, at even times. " : "") +
    "Zooming in time elsewhere brings out that part."
  );
}

export class PathFigure extends PlaneFigure {
  private readonly shown: boolean[];
  private heading: string;

  constructor(
    private readonly bodies: Body[],
    time: Column | undefined,
    window: TimeWindow,
    apart: readonly boolean[] | undefined = undefined,
  ) {
    super("path", "Path", noteOf(bodies), time, window, apart);
    this.shown = bodies.map((_, i) => i < SHOWN_AT_FIRST);
    const stems = [...new Set(bodies.flatMap((body) => body.headings.map((column) => stem(body, column))))];
    this.heading = stems[0] ?? "";
    if (stems.length > 0) this.controls.append(this.headingChoice(stems));
    if (bodies.length > 1) {
      const chips = stems.length > 0 ? el("div", { class: "controls" }) : this.controls;
      const lines = bodies.map((body, i) => ({ name: pathName(body), color: i % PALETTE_SIZE, dash: 0 }));
      addChips(chips, this.title, lines, this.shown, () => this.redraw());
      if (chips !== this.controls) this.controls.after(chips);
    }
  }

  private headingChoice(stems: string[]): HTMLElement {
    const select = el("select", { id: "path-heading" });
    for (const name of stems) select.append(el("option", { value: name }, name));
    select.append(el("option", { value: "" }, "none"));
    select.addEventListener("change", () => {
      this.heading = select.value;
      this.redraw();
    });
    return el("label", { class: "choice", for: "path-heading" }, el("span", {}, "Heading"), select);
  }

  protected curves(): Curve[] {
    return this.bodies.map((body, i) => ({
      name: pathName(body),
      x: body.x,
      y: body.y,
      color: i % PALETTE_SIZE,
      shown: this.shown[i] as boolean,
    }));
  }

  protected override traces(): Data[] {
    return [...super.traces(), ...this.bodies.flatMap((body, i) => this.arrows(body, i))];
  }

  private arrows(body: Body, i: number): Data[] {
    const angle = body.headings.find((column) => stem(body, column) === this.heading);
    if (!angle || !this.time) return [];
    const { lines, text, panel } = theme();
    const times = this.time.values;
    const rows = evenlyInTime(times, this.window.range, ARROWS).filter((row) =>
      [body.x, body.y, angle].every(({ values }) => Number.isFinite(values[row])),
    );
    const at = (column: Column) => rows.map((row) => column.values[row] as number);
    return [
      {
        type: "scatter",
        mode: "markers",
        name: `heading ${angle.name}`,
        legendgroup: pathName(body),
        visible: this.shown[i] as boolean,
        x: at(body.x),
        y: at(body.y),
        customdata: rows.map((row) => [times[row] as number, angle.values[row] as number]),
        hovertemplate: `${angle.name} = %{customdata[1]:.6g}<br>${body.x.name} = %{x:.6g}<br>${body.y.name} = %{y:.6g}<br>${this.time.name} = %{customdata[0]:.6g}<extra></extra>`,
        marker: {
          symbol: "arrow",
          size: ARROW_LENGTH,
          // Its tip is the symbol's origin; halfway forward its middle lies on the path.
          standoff: -ARROW_LENGTH / 2,
          angle: at(angle).map(markerAngle),
          color: this.bodies.length > 1 ? (lines[i % PALETTE_SIZE] as string) : text,
          line: { color: panel, width: 1 },
        },
      } as Data,
    ];
  }

  protected axisTitles(): [string, string] {
    const [only] = this.bodies;
    return this.bodies.length === 1 && only ? [only.x.name, only.y.name] : ["x", "y"];
  }

  protected equalScales(): boolean {
    return true;
  }
}
