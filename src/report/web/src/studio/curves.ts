/** Curves against time, and maps of families, on a canvas: light enough to follow a slider. */

import type { TimeCursor } from "../figures/cursor.ts";
import { addChips } from "../page/chips.ts";
import { choice } from "../page/choice.ts";
import { download, el } from "../page/dom.ts";
import { onThemeChange, theme } from "../page/theme.ts";
import { type Run, RESIDUAL_FLOOR, type Column, crossingsOf, extent, timeColumn } from "../run/data.ts";
import { decodeFields } from "../run/fields.ts";
import { type Panel, timePanels } from "../run/panels.ts";
import { type Margin, type Scale, drawAxes, scalesOf } from "./axes.ts";
import { Easel, FieldMap } from "./map.ts";
import { namesIn } from "./sites.ts";
import { type Pen, SvgPen } from "./svgpen.ts";

const MARGIN = { left: 62, right: 12, top: 10, bottom: 30 };
/** Panels that show where events happened, half the size of a mark, and how many there may be before they hide the line. */
const MARKED = ["trajectory", "energy", "observables"];
const MARK = 3.5;
const MOST_MARKS = 200;
const DASHES = [[], [6, 4], [2, 3], [6, 3, 2, 3], [10, 4]];

export class Curves {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  private readonly mark = el("div", { class: "cursor cursor-line", "aria-hidden": "true" });
  private readonly controls = el("div", { class: "controls" });
  private readonly picker = el("div", { class: "picker" });
  private readonly sites = el("input", { type: "text", class: "sites", placeholder: "q[0], q[::100]", "aria-label": "Sites with curves", title: "Sites that have curves, as `columns` names them; empty: the first, the middle and the last one" });
  private panels: Panel[] = [];
  private maps: FieldMap[] = [];
  private readonly easel = new Easel();
  private chosen = "";
  /** True if a reader chose what is shown. */
  private picked = false;
  private shape = "";
  private shown: boolean[] = [];
  private run: Run | undefined;
  /** The share of a run that is shown. */
  private part = 1;
  /** The ranges of the axes of the latest whole run, which stay while only a part of the next run is there. */
  private before: { panel: string; heights: [number, number] | undefined } | undefined;
  private wanted = false;

  constructor(
    private readonly cursor: TimeCursor,
    /** Takes the sites whose curves the reader asks for, if they can be chosen. */
    private readonly chooseSites?: (columns: string[]) => void,
  ) {
    const plot = el("div", { class: "plot curves" }, this.canvas, this.mark);
    this.element = el("section", { class: "card", id: "curves", "aria-labelledby": "curves-title" }, el("header", {}, el("h2", { id: "curves-title" }, "Curves"), this.picker, this.sites, el("div", { class: "tools" }, el("button", { type: "button", class: "tool", title: "Save as SVG", "aria-label": "Save as SVG: Curves", click: () => this.savePicture() }, "SVG"))), plot, this.controls);
    const go = (event: PointerEvent) => {
      const [times, axis] = [this.times, this.timeAxis];
      if (!times || !axis) return;
      const box = this.canvas.getBoundingClientRect();
      const { left, right } = this.margin;
      const time = axis[0] + ((event.clientX - box.left - left) / (box.width - left - right)) * (axis[1] - axis[0]);
      this.cursor.set(Math.min(times[1], Math.max(times[0], time)));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons > 0 && go(event));
    this.canvas.addEventListener("keydown", (event) => {
      const times = this.times;
      const way = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (way === 0 || !times) return;
      event.preventDefault();
      this.cursor.set(Math.min(times[1], Math.max(times[0], (this.cursor.time ?? times[0]) + (way * (times[1] - times[0])) / 100)));
    });
    this.sites.addEventListener("change", () => this.chooseSites?.(namesIn(this.sites.value)));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    cursor.follow(() => (this.map?.overTime === false ? this.draw() : this.moveMark()));
    onThemeChange(() => this.draw());
  }

  private get times(): [number, number] | undefined {
    const values = (this.run && timeColumn(this.run)?.values) ?? [];
    const first = values[0] ?? 0;
    const end = first + ((values.at(-1) ?? first) - first) / this.part;
    return values.length > 0 ? extent([...values, end]) : undefined;
  }

  /** The range of the axis of time, if there is one. */
  private get timeAxis(): [number, number] | undefined {
    const { map } = this;
    return map ? (map.overTime ? map.timesOf(this.part) : undefined) : this.times;
  }

  private get margin(): Margin {
    return this.map ? FieldMap.margin(MARGIN) : MARGIN;
  }

  /** Shows a run with the sites that a reader chose to have curves; of a beginning that is a part of it, in the axes that the whole run has and the one before had. */
  show(run: Run, columns: readonly string[] = [], part = 1): void {
    const { panel } = this;
    if (part === 1) this.before = undefined;
    else if (this.run) this.before ??= { panel: this.chosen, heights: panel && this.heightRange(panel) };
    this.part = part;
    this.run = run;
    this.panels = timePanels(run);
    const time = timeColumn(run)?.name ?? "t";
    this.maps = decodeFields(run.fields).map((field) => new FieldMap(field, time, this.easel));
    this.sites.hidden = !this.chooseSites || run.fields === undefined;
    if (document.activeElement !== this.sites) this.sites.value = columns.join(", ");
    const shape = `${this.maps.map(({ title }) => title)};${this.panels.map(({ id, lines }) => `${id}:${lines.map(({ column }) => column.name)}`).join(";")}`;
    if (shape !== this.shape) {
      this.shape = shape;
      const offered = [...this.maps, ...this.panels];
      if (!this.picked || !offered.some(({ id }) => id === this.chosen)) this.chosen = (this.maps[0] ?? this.panels.find(({ id }) => id === "trajectory") ?? offered[0])?.id ?? "";
      const index = offered.findIndex(({ id }) => id === this.chosen);
      this.picker.replaceChildren(
        choice("curves-panel", "Show", offered.map(({ title }) => title), index, (k) => {
          this.picked = true;
          this.choose(offered[k]?.id ?? "");
        }),
      );
      this.choose(this.chosen);
    }
    this.drawNow();
  }

  private get map(): FieldMap | undefined {
    return this.maps.find(({ id }) => id === this.chosen);
  }

  private get panel(): Panel | undefined {
    return this.panels.find(({ id }) => id === this.chosen);
  }

  private choose(id: string): void {
    this.chosen = id;
    const panel = this.panel;
    this.controls.replaceChildren();
    if (!panel) return this.draw();
    this.shown = panel.lines.map(({ shown }) => shown);
    addChips(this.controls, panel.title, panel.lines.map(({ column, color, dash, name }) => ({ name: name ?? column.name, color, dash })), this.shown, () => this.draw());
    this.draw();
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => this.wanted && this.drawNow());
  }

  private valueOf(value: number, panel: Panel): number {
    if (!panel.log) return value;
    return Math.log10(panel.magnitude ? Math.max(Math.abs(value), RESIDUAL_FLOOR) : value);
  }

  private heightRange(panel: Panel): [number, number] {
    const own = this.ownHeights(panel);
    const { before } = this;
    return before?.heights && before.panel === panel.id ? [Math.min(own[0], before.heights[0]), Math.max(own[1], before.heights[1])] : own;
  }

  private ownHeights(panel: Panel): [number, number] {
    const used = panel.lines.filter((_, k) => this.shown[k]);
    const range = extent((used.length > 0 ? used : panel.lines).flatMap(({ column }) => extent(column.values.map((value) => this.valueOf(value, panel))) ?? [])) ?? [0, 1];
    if (panel.magnitude && panel.log) range[1] = Math.max(range[1], -11);
    const size = Math.max(Math.abs(range[0]), Math.abs(range[1]));
    const flat = range[1] - range[0] <= 1e-9 * size || range[1] === range[0];
    const room = flat ? 0.05 * size || 0.5 : 0.06 * (range[1] - range[0]);
    return [range[0] - room, range[1] + room];
  }

  /** A run is drawn when it comes, in the time that is left until the next frame; what else changes, with that frame. */
  private drawNow(): void {
    this.wanted = false;
    const { canvas, run } = this;
    // The processor draws: a graphics card gains nothing on so few lines, and its emulation takes ten times as long if there is no card.
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!context || (!this.panel && !this.map) || !run || width === 0) return;
    const ratio = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    canvas.setAttribute("aria-label", `${this.said()}. Arrow keys move the time.`);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.paint(context, width, height);
    this.moveMark();
  }

  private said(): string {
    const { map, panel } = this;
    if (map) return map.said(this.cursor.time);
    if (!panel) return "";
    return `${panel.title} against ${(this.run && timeColumn(this.run)?.name) ?? "time"}: ${panel.lines.filter((_, k) => this.shown[k]).map(({ column }) => column.name).join(", ")}`;
  }

  private savePicture(): void {
    const { canvas, run } = this;
    if (!run || this.chosen === "") return;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const pen = new SvgPen();
    this.paint(pen, width, height);
    download(`${run.facts.model_name || "run"}-${this.chosen}.svg`, "image/svg+xml", pen.picture(width, height, theme().panel, this.said()));
  }

  private paint(context: Pen, width: number, height: number): void {
    const { map, panel } = this;
    const times = this.run && timeColumn(this.run);
    const range = this.times;
    if (map) return map.paint(context, this.cursor.time, this.part, this.margin, width, height);
    if (!panel || !times || !range) return;
    const { x, y } = scalesOf(range, this.heightRange(panel), MARGIN, width, height);
    drawAxes(context, x, y, times.name, panel.log);
    context.save();
    context.beginPath();
    context.rect(x.at(x.low), y.at(y.high), x.at(x.high) - x.at(x.low), y.at(y.low) - y.at(y.high));
    context.clip();
    panel.lines.forEach((line, k) => {
      if (!this.shown[k]) return;
      context.strokeStyle = theme().lines[line.color] as string;
      context.lineWidth = 1.6;
      context.setLineDash(DASHES[line.dash % DASHES.length] as number[]);
      context.beginPath();
      let joined = false;
      line.column.values.forEach((value, row) => {
        const at = this.valueOf(value, panel);
        if (!Number.isFinite(at)) joined = false;
        else if (joined) context.lineTo(x.at(times.values[row] as number), y.at(at));
        else {
          context.moveTo(x.at(times.values[row] as number), y.at(at));
          joined = true;
        }
      });
      context.stroke();
    });
    if (MARKED.includes(panel.id)) this.markEvents(context, panel, x, y, times);
    context.restore();
  }

  /** A cross on every drawn line where an event happened. */
  private markEvents(context: Pen, panel: Panel, x: Scale, y: Scale, times: Column): void {
    context.setLineDash([]);
    context.lineWidth = 1.2;
    for (const event of this.run?.events ?? []) {
      const moments = crossingsOf(event, times);
      if (moments.length > MOST_MARKS) continue;
      panel.lines.forEach(({ column, color }, k) => {
        if (!this.shown[k]) return;
        const values = crossingsOf(event, column);
        context.strokeStyle = theme().lines[color] as string;
        context.beginPath();
        moments.forEach((time, i) => {
          const [left, top] = [x.at(time), y.at(values[i] as number)];
          if (!Number.isFinite(top)) return;
          for (const way of [1, -1]) {
            context.moveTo(left - MARK, top - way * MARK);
            context.lineTo(left + MARK, top + way * MARK);
          }
        });
        context.stroke();
      });
    }
  }

  private moveMark(): void {
    const axis = this.timeAxis;
    const { time } = this.cursor;
    this.mark.hidden = !axis || time === undefined;
    if (!axis || time === undefined) return;
    const { left, right, top, bottom } = this.margin;
    const fraction = (time - axis[0]) / (axis[1] - axis[0] || 1);
    this.mark.style.height = `${this.canvas.clientHeight - top - bottom}px`;
    this.mark.style.transform = `translate(${left + fraction * (this.canvas.clientWidth - left - right)}px, ${top}px)`;
  }
}
