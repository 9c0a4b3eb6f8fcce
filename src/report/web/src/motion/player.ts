/** The card that plays a motion: picture, time, speed, views, pictures to keep. */

import { choice } from "../page/choice.ts";
import { el, saveBlob } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import { onThemeChange } from "../page/theme.ts";
import type { TimeCursor } from "../figures/cursor.ts";
import type { Motion } from "../run/motion.ts";
import { coordinatesFor, handleOf } from "./drag.ts";
import { type Preset, Stage } from "./stage.ts";
import { Tape } from "./tape.ts";

/** Units of the model's time in one second. */
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];
/** The number of seconds in which a run plays at first, roughly. */
const WHOLE = 30;
const STEPS = 1000;
const PRESETS: [Preset, string][] = [
  ["start", "Start"],
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
];

export interface Playable {
  motion: Motion;
  times: readonly number[];
  timeName: string;
  column: (name: string) => ArrayLike<number> | undefined;
  /** Coordinates of the start that a drag may change. */
  movable?: ReadonlyMap<string, number>;
}

function tapeOf({ motion, times, column }: Playable): Tape {
  const carried = new Map(motion.columns.map(({ name, values }) => [name, values]));
  return new Tape(motion.operations, times, (name) => carried.get(name) ?? column(name));
}

export class Player {
  readonly element: HTMLElement;
  private readonly view = el("div", { class: "view" });
  private readonly note = el("p", { class: "note" });
  private readonly slider = el("input", { type: "range", id: "motion-time", min: 0, max: STEPS, step: 1, value: 0, "aria-label": "Time" });
  private readonly clock = el("output", { for: "motion-time", class: "clock" });
  private readonly button = el("button", { type: "button", class: "tool play", click: () => this.toggle() }, "Play");
  private readonly recorder = el("button", { type: "button", class: "tool", title: "Record the whole run as a video", click: () => this.record() }, "WebM");
  private readonly follow = el("input", { type: "checkbox", id: "motion-follow" });
  private readonly pace: HTMLSelectElement;
  private stage: Stage | undefined;
  private shown: Playable | undefined;
  private tape: Tape | undefined;
  /** The body that is dragged, and the place at which it was taken. */
  private dragged: { place: readonly number[]; from: ReadonlyMap<string, number> } | undefined;
  private playing = false;
  private last = 0;
  private recording: MediaRecorder | undefined;
  /** Milliseconds of script of the latest frames. */
  readonly frameCosts: number[] = [];

  constructor(
    private readonly cursor: TimeCursor,
    private readonly fileName: () => string,
    /** Takes the coordinates of the start that a drag of a body asks for. */
    private readonly moved?: (coordinates: ReadonlyMap<string, number>) => void,
  ) {
    const speeds = choice("motion-speed", "Speed", SPEEDS.map((speed) => `${speed}×`), SPEEDS.indexOf(1), () => {});
    this.pace = speeds.querySelector("select") as HTMLSelectElement;
    const { follow } = this;
    follow.addEventListener("change", () => this.stage?.follow(follow.checked));
    const presets = PRESETS.map(([preset, label]) => el("button", { type: "button", class: "tool", "aria-label": `View: ${label}`, click: () => this.stage?.look(preset) }, label));
    const tools = el(
      "div",
      { class: "tools" },
      ...presets,
      el("button", { type: "button", class: "tool", title: "Save as PNG", "aria-label": "Save as PNG: Motion", click: () => this.savePicture() }, "PNG"),
      typeof MediaRecorder === "undefined" ? undefined : this.recorder,
    );
    this.element = el(
      "section",
      { class: "card motion", id: "motion", "aria-labelledby": "motion-title" },
      el("header", {}, el("h2", { id: "motion-title" }, "Motion"), tools),
      this.note,
      this.view,
      el(
        "div",
        { class: "transport" },
        this.button,
        this.slider,
        this.clock,
        speeds,
        el("label", { class: "check", for: "motion-follow" }, follow, "Follow"),
      ),
    );
    this.slider.addEventListener("input", () => {
      this.pause();
      this.cursor.set(this.start + (Number(this.slider.value) / STEPS) * (this.end - this.start));
    });
    cursor.follow((time) => this.showTime(time));
    onThemeChange(() => this.stage?.rebuild());
  }

  private get start(): number {
    return this.shown?.times[0] ?? 0;
  }
  private get end(): number {
    return this.shown?.times.at(-1) ?? 1;
  }
  /** Returns whether the motion rests at its first moment, at which bodies can be dragged. */
  get standsAtStart(): boolean {
    return !this.playing && this.cursor.time === this.start;
  }
  private get speed(): number {
    return SPEEDS[Number(this.pace.value)] ?? 1;
  }

  /** Shows a motion, of the same bodies as before if `keep` is set: then time and camera stay. Other motions are its ghosts. */
  show(shown: Playable, keep = false, ghosts: readonly Playable[] = []): void {
    this.shown = shown;
    this.note.textContent = shown.motion.note ?? "";
    this.note.hidden = shown.motion.note === undefined;
    const tape = tapeOf(shown);
    this.tape = tape;
    try {
      this.stage ??= this.prepare();
    } catch {
      this.view.replaceChildren(el("p", { class: "caution" }, "This browser draws no WebGL, which the motion needs. Everything else on this page works."));
      return;
    }
    this.stage.canvas.setAttribute("aria-label", `Motion of ${[...shown.motion.bodies, ...shown.motion.arrays].map(({ name }) => name).join(", ")}. Space plays and pauses, arrow keys turn the view, plus and minus zoom, 0 returns to the first view.`);
    this.stage.show(shown.motion, tape, keep, ghosts.map((one) => ({ motion: one.motion, tape: tapeOf(one) })));
    this.follow.checked = this.stage.follows;
    if (!keep) this.pace.value = String(this.firstSpeed());
    const held = keep && this.cursor.time !== undefined ? Math.min(Math.max(this.cursor.time, Math.min(this.start, this.end)), Math.max(this.start, this.end)) : this.start;
    this.cursor.set(held);
    this.showTime(held);
  }

  private firstSpeed(): number {
    const wanted = Math.abs(this.end - this.start) / WHOLE;
    const enough = SPEEDS.findIndex((speed) => speed >= wanted);
    return Math.max(enough < 0 ? SPEEDS.length - 1 : enough, wanted > 0.2 ? SPEEDS.indexOf(1) : 0);
  }

  private prepare(): Stage {
    const stage = new Stage();
    const { canvas } = stage;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.addEventListener("keydown", (event) => this.key(event));
    if (this.moved) this.listenForDrags(canvas);
    this.view.replaceChildren(canvas);
    new ResizeObserver(() => stage.resize(this.view.clientWidth, this.view.clientHeight)).observe(this.view);
    stage.resize(this.view.clientWidth, this.view.clientHeight);
    return stage;
  }

  /** Lets the reader draw a body to another place while the motion stands at its start. */
  private listenForDrags(canvas: HTMLCanvasElement): void {
    const bodyUnder = ({ clientX, clientY }: PointerEvent): readonly number[] | undefined => {
      const { shown, stage, tape } = this;
      if (!shown?.movable || !stage || !this.standsAtStart) return undefined;
      const places = stage.bodiesAt(clientX, clientY).map((body) => handleOf(shown.motion, body));
      return places.find((place) => place?.some((k) => tape?.varies(k)));
    };
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        const place = event.button === 0 && !event.shiftKey ? bodyUnder(event) : undefined;
        if (!place || !this.stage) return;
        this.dragged = { place, from: this.shown?.movable as ReadonlyMap<string, number> };
        this.stage.turns = false;
        canvas.setPointerCapture(event.pointerId);
      },
      { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => {
      const { dragged, stage, tape } = this;
      if (!dragged) {
        canvas.style.cursor = event.buttons === 0 && bodyUnder(event) ? "grab" : "";
        return;
      }
      if (!stage || !tape) return;
      canvas.style.cursor = "grabbing";
      const { from, along } = stage.sightAt(event.clientX, event.clientY);
      const found = coordinatesFor(tape, this.start, dragged.place, dragged.from, from, along);
      if (found) this.moved?.(new Map([...found].filter(([name, value]) => value !== dragged.from.get(name))));
    });
    const end = () => {
      this.dragged = undefined;
      if (this.stage) this.stage.turns = true;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = 0.12;
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.stage?.turn(-turn, 0),
      ArrowRight: () => this.stage?.turn(turn, 0),
      ArrowUp: () => this.stage?.turn(0, turn),
      ArrowDown: () => this.stage?.turn(0, -turn),
      "+": () => this.stage?.turn(0, 0, 0.85),
      "=": () => this.stage?.turn(0, 0, 0.85),
      "-": () => this.stage?.turn(0, 0, 1 / 0.85),
      0: () => this.stage?.look("start"),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private showTime(time: number): void {
    const began = performance.now();
    this.stage?.update(time);
    this.slider.value = String(Math.round((STEPS * (time - this.start)) / (this.end - this.start || 1)));
    const said = `${this.shown?.timeName ?? "t"} = ${formatNumber(time, 4)}`;
    this.clock.textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    this.frameCosts.push(performance.now() - began);
    if (this.frameCosts.length > 240) this.frameCosts.shift();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || !this.shown) return;
    if (this.cursor.time === this.end) this.cursor.set(this.start);
    this.playing = true;
    this.button.textContent = "Pause";
    this.last = performance.now();
    requestAnimationFrame((now) => this.advance(now));
  }

  pause(): void {
    this.playing = false;
    this.button.textContent = "Play";
    if (this.recording?.state === "recording") this.recording.stop();
  }

  private advance(now: number): void {
    if (!this.playing) return;
    const sign = this.end >= this.start ? 1 : -1;
    const next = (this.cursor.time ?? this.start) + (sign * this.speed * Math.max(0, now - this.last)) / 1000;
    this.last = now;
    const over = sign * next >= sign * this.end;
    this.cursor.set(over ? this.end : next);
    if (over) this.pause();
    else requestAnimationFrame((later) => this.advance(later));
  }

  private savePicture(): void {
    this.stage?.drawNow();
    this.stage?.canvas.toBlob((blob) => blob && saveBlob(`${this.fileName()}-motion.png`, blob), "image/png");
  }

  /** Records from the start to the end, or until the reader stops it. */
  private record(): void {
    if (!this.stage || !this.shown) return;
    if (this.recording?.state === "recording") return this.pause();
    const parts: Blob[] = [];
    const recording = new MediaRecorder(this.stage.canvas.captureStream(60), { mimeType: "video/webm", videoBitsPerSecond: 12_000_000 });
    recording.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recording.addEventListener("stop", () => {
      this.recorder.textContent = "WebM";
      saveBlob(`${this.fileName()}-motion.webm`, new Blob(parts, { type: "video/webm" }));
    });
    this.recording = recording;
    this.recorder.textContent = "Stop and save";
    this.pause();
    this.cursor.set(this.start);
    recording.start();
    this.play();
  }
}
