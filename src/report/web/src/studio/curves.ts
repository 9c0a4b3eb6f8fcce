/** Curves against time on a canvas: light enough to follow a slider. */

import type { TimeCursor } from "../figures/cursor.ts";
import { addChips } from "../page/chips.ts";
import { choice } from "../page/choice.ts";
import { download, el } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import { onThemeChange, theme } from "../page/theme.ts";
import { type Run, RESIDUAL_FLOOR, type Column, crossingsOf, extent, timeColumn } from "../run/data.ts";
import { type Panel, timePanels } from "../run/panels.ts";
import { type Pen, SvgPen } from "./svgpen.ts";

const MARGIN = { left: 62, right: 12, top: 10, bottom: 30 };
/** Panels that show where events happened, half the size of a mark, and how many there may be before they hide the line. */
const MARKED = ["trajectory", "energy", "observables"];
const MARK = 3.5;
const MOST_MARKS = 200;
const DASHES = [[], [6, 4], [2, 3], [6, 3, 2, 3], [10, 4]];
type Scale = { low: number; high: number; at: (value: number) => number };

/** Round numbers within a range, about `count` of them. */
function ticks(low: number, high: number, count: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / count));
  const rest = (high - low) / count / power;
  const step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => (first + k) * step);
}

export class Curves {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  private readonly mark = el("div", { class: "cursor cursor-line", "aria-hidden": "true" });
  private readonly controls = el("div", { class: "controls" });
  private readonly picker = el("div", { class: "picker" });
  private panels: Panel[] = [];
  private chosen = "trajectory";
  private shape = "";
  private shown: boolean[] = [];
  private run: Run | undefined;
  private wanted = false;

  constructor(private readonly cursor: TimeCursor) {
    const plot = el("div", { class: "plot curves" }, this.canvas, this.mark);
    this.element = el("section", { class: "card", id: "curves", "aria-labelledby": "curves-title" }, el("header", {}, el("h2", { id: "curves-title" }, "Curves"), this.picker, el("div", { class: "tools" }, el("button", { type: "button", class: "tool", title: "Save as SVG", "aria-label": "Save as SVG: Curves", click: () => this.savePicture() }, "SVG"))), plot, this.controls);
    const go = (event: PointerEvent) => {
      const times = this.times;
      if (!times) return;
      const box = this.canvas.getBoundingClientRect();
      const fraction = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      this.cursor.set(times[0] + Math.min(1, Math.max(0, fraction)) * (times[1] - times[0]));
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
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    cursor.follow(() => this.moveMark());
    onThemeChange(() => this.draw());
  }

  private get times(): [number, number] | undefined {
    return extent((this.run && timeColumn(this.run)?.values) ?? []);
  }

  show(run: Run): void {
    this.run = run;
    this.panels = timePanels(run);
    const shape = this.panels.map(({ id, lines }) => `${id}:${lines.map(({ column }) => column.name)}`).join(";");
    if (shape !== this.shape) {
      this.shape = shape;
      if (!this.panels.some(({ id }) => id === this.chosen)) this.chosen = this.panels[0]?.id ?? "";
      const index = this.panels.findIndex(({ id }) => id === this.chosen);
      this.picker.replaceChildren(choice("curves-panel", "Show", this.panels.map(({ title }) => title), index, (k) => this.choose(this.panels[k]?.id ?? "")));
      this.choose(this.chosen);
    }
    this.draw();
  }

  private get panel(): Panel | undefined {
    return this.panels.find(({ id }) => id === this.chosen);
  }

  private choose(id: string): void {
    this.chosen = id;
    const panel = this.panel;
    this.controls.replaceChildren();
    if (!panel) return;
    this.shown = panel.lines.map(({ shown }) => shown);
    addChips(this.controls, panel.title, panel.lines.map(({ column, color, dash, name }) => ({ name: name ?? column.name, color, dash })), this.shown, () => this.draw());
    this.draw();
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.drawNow();
    });
  }

  private valueOf(value: number, panel: Panel): number {
    if (!panel.log) return value;
    return Math.log10(panel.magnitude ? Math.max(Math.abs(value), RESIDUAL_FLOOR) : value);
  }

  private heightScale(panel: Panel, height: number): Scale {
    const used = panel.lines.filter((_, k) => this.shown[k]);
    const range = extent((used.length > 0 ? used : panel.lines).flatMap(({ column }) => extent(column.values.map((value) => this.valueOf(value, panel))) ?? [])) ?? [0, 1];
    if (panel.magnitude && panel.log) range[1] = Math.max(range[1], -11);
    const size = Math.max(Math.abs(range[0]), Math.abs(range[1]));
    const flat = range[1] - range[0] <= 1e-9 * size || range[1] === range[0];
    const room = flat ? 0.05 * size || 0.5 : 0.06 * (range[1] - range[0]);
    const [low, high] = [range[0] - room, range[1] + room];
    return { low, high, at: (value) => MARGIN.top + (1 - (value - low) / (high - low)) * height };
  }

  private drawNow(): void {
    const { canvas, panel, run } = this;
    // Drawn by the processor: a graphics card gains nothing on so few lines, and where there is none its emulation takes ten times as long.
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!context || !panel || !run || width === 0) return;
    const ratio = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    canvas.setAttribute("aria-label", `${this.said(panel)}. Arrow keys move the time.`);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.paint(context, panel, width, height);
    this.moveMark();
  }

  private said(panel: Panel): string {
    return `${panel.title} against ${(this.run && timeColumn(this.run)?.name) ?? "time"}: ${panel.lines.filter((_, k) => this.shown[k]).map(({ column }) => column.name).join(", ")}`;
  }

  private savePicture(): void {
    const { canvas, panel, run } = this;
    if (!panel || !run) return;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const pen = new SvgPen();
    this.paint(pen, panel, width, height);
    download(`${run.facts.model_name || "run"}-${panel.id}.svg`, "image/svg+xml", pen.picture(width, height, theme().panel, this.said(panel)));
  }

  private paint(context: Pen, panel: Panel, width: number, height: number): void {
    const times = this.run && timeColumn(this.run);
    const range = this.times;
    if (!times || !range) return;
    const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    const y = this.heightScale(panel, inner.height);
    const x = (time: number) => MARGIN.left + ((time - range[0]) / (range[1] - range[0] || 1)) * inner.width;
    this.axes(context, panel, x, y, range, inner, times.name);
    context.save();
    context.beginPath();
    context.rect(MARGIN.left, MARGIN.top, inner.width, inner.height);
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
        else if (joined) context.lineTo(x(times.values[row] as number), y.at(at));
        else {
          context.moveTo(x(times.values[row] as number), y.at(at));
          joined = true;
        }
      });
      context.stroke();
    });
    if (MARKED.includes(panel.id)) this.markEvents(context, panel, x, y, times);
    context.restore();
  }

  /** A cross on every drawn line where an event happened. */
  private markEvents(context: Pen, panel: Panel, x: (time: number) => number, y: Scale, times: Column): void {
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
          const [left, top] = [x(time), y.at(values[i] as number)];
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

  private axes(context: Pen, panel: Panel, x: (time: number) => number, y: Scale, range: [number, number], inner: { width: number; height: number }, name: string): void {
    const { grid, muted } = theme();
    context.strokeStyle = grid;
    context.fillStyle = muted;
    context.font = "12px system-ui, sans-serif";
    context.lineWidth = 1;
    context.setLineDash([]);
    context.textAlign = "right";
    context.textBaseline = "middle";
    const levels = ticks(y.low, y.high, 5).filter((level) => !panel.log || Number.isInteger(level));
    for (const level of levels) {
      context.beginPath();
      context.moveTo(MARGIN.left, y.at(level));
      context.lineTo(MARGIN.left + inner.width, y.at(level));
      context.stroke();
      context.fillText(formatNumber(panel.log ? Number(`1e${level}`) : level, 3), MARGIN.left - 8, y.at(level));
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    const moments = ticks(range[0], range[1], Math.max(3, Math.floor(inner.width / 90))).filter((time) => x(time) < MARGIN.left + inner.width - 30);
    for (const time of moments) context.fillText(formatNumber(time, 4), x(time), MARGIN.top + inner.height + 8);
    context.textAlign = "right";
    context.fillText(name, MARGIN.left + inner.width, MARGIN.top + inner.height + 8);
  }

  private moveMark(): void {
    const range = this.times;
    const { time } = this.cursor;
    this.mark.hidden = !range || time === undefined;
    if (!range || time === undefined) return;
    const fraction = (time - range[0]) / (range[1] - range[0] || 1);
    this.mark.style.height = `${this.canvas.clientHeight - MARGIN.top - MARGIN.bottom}px`;
    this.mark.style.transform = `translate(${MARGIN.left + fraction * (this.canvas.clientWidth - MARGIN.left - MARGIN.right)}px, ${MARGIN.top}px)`;
  }
}
