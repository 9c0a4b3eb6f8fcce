/** Marks where events happened, one shape for each event. */

import type { Data } from "plotly.js-basic-dist-min";
import { el } from "../page/dom.ts";
import { formatCount } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import { type Column, type RunEvent, crossingsOf } from "../run/data.ts";

const SHAPES = ["diamond", "square", "triangle-up", "cross", "x", "star"] as const;
/** More marks than these on every line would hide it. */
const MARKS_AT_FIRST = 60;
const LETTERS: Record<(typeof SHAPES)[number], string> = { diamond: "◆", square: "■", "triangle-up": "▲", cross: "✚", x: "✖", star: "★" };

export class EventMarks {
  readonly events: RunEvent[];
  private readonly shown: boolean[];

  /** `crowded` says how many crossings are drawn unasked. */
  constructor(events: readonly RunEvent[], crowded = MARKS_AT_FIRST) {
    this.events = events.filter(({ count }) => count > 0);
    this.shown = this.events.map(({ count }) => count <= crowded);
  }

  /** Returns a row of buttons, one for each event; undefined without events. */
  chips(changed: () => void): HTMLElement | undefined {
    if (this.events.length === 0) return undefined;
    const buttons = this.events.map(({ name, count, columns }, k) => {
      const held = columns[0]?.values.length ?? 0;
      const title = held < count ? `${formatCount(held)} of ${formatCount(count)} are on this page, evenly spread` : undefined;
      const button = el("button", { type: "button", class: "chip", "aria-pressed": String(this.shown[k]), title }, el("span", { class: "shape", "aria-hidden": "true" }, LETTERS[this.shape(k)]), `${name} (${formatCount(count)})`);
      button.addEventListener("click", () => {
        this.shown[k] = !this.shown[k];
        button.setAttribute("aria-pressed", String(this.shown[k]));
        changed();
      });
      return button;
    });
    return el("div", { class: "controls chips", role: "group", "aria-label": "Events" }, el("span", { class: "choice" }, "Events"), ...buttons);
  }

  private shape(k: number): (typeof SHAPES)[number] {
    return SHAPES[k % SHAPES.length] as (typeof SHAPES)[number];
  }

  /** The marks of all events over two columns, in one colour. */
  traces(x: Column, y: Column, color: string, visible: boolean, of: (values: number[]) => (number | null)[] = (values) => values): Data[] {
    const { panel, text } = theme();
    return this.events.map((event, k) => ({
      type: "scatter" as const,
      mode: "markers" as const,
      name: event.name,
      zorder: 2,
      visible: visible && (this.shown[k] as boolean),
      x: crossingsOf(event, x),
      y: of(crossingsOf(event, y)) as number[],
      hovertemplate: `<b>${event.name}</b><br>${x.name} = %{x:.6g}<br>${y.name} = %{y:.6g}<extra></extra>`,
      marker: { symbol: this.shape(k), size: event.count > MARKS_AT_FIRST ? 6 : 9, color, line: { color: color === text ? panel : text, width: 0.8 } },
    }));
  }
}
