/** The part of a report that moves: sliders for parameters and start; motion, curves and verdict follow them. */

import { TimeCursor } from "../figures/cursor.ts";
import { Player } from "../motion/player.ts";
import { el } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import { type Facts, type NamedNumber, type Run, heldRows, movable } from "../run/data.ts";
import { decodeOperations } from "../run/motion.ts";
import { laws } from "../run/panels.ts";
import { lawList, outcome } from "../run/verdict.ts";
import { Curves } from "../studio/curves.ts";
import { fragmentOf, stateOf } from "../studio/link.ts";
import { Sliders } from "../studio/sliders.ts";
import { Follower, Stopped } from "./follow.ts";
import { type Live, Module } from "./module.ts";
import { Rows } from "./rows.ts";
import { playableOf } from "./view.ts";

const PREFIX = "live=";
/** Rows of the saddle-point system up to which a page eliminates as the program does. */
const LARGEST_EXACT = 12;
/** Milliseconds of computing between two looks at what the reader does. */
const SLICE = 12;

type Changes = Record<string, number>;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A number as a command line reads it back to the same bits. */
const exact = (value: number): string => String(value);

class LiveCard {
  private readonly cursor = new TimeCursor();
  private readonly player = new Player(this.cursor, () => this.model.facts.model_name || "run", (coordinates) => this.begin({ ...this.changes, ...Object.fromEntries(coordinates) }));
  private readonly curves = new Curves(this.cursor);
  private readonly parameters = new Sliders("Parameters", (name, value) => this.change(name, value));
  private readonly starts = new Sliders("Start", (name, value) => this.change(name, value));
  private readonly verdict = el("div", { class: "live-verdict", id: "live-verdict" });
  private readonly moves = el("p", { class: "note", id: "live-moves" });
  private readonly bits = el("p", { class: "note", id: "live-bits" });
  private readonly command = el("code", {});
  private readonly told = el("span", { class: "told", role: "status" });
  readonly element: HTMLElement;
  private changes: Changes = {};
  private wish = 0;
  private follower: Follower | undefined;
  private bodies = "";
  private time: number | undefined;
  /** The start that was put in the place of one that was off the constraints by so much. */
  private moved: { off: number; start: NamedNumber[] } | undefined;
  private remembering = 0;
  /** The latest motion, for tests and the reader's console. */
  run: Run | undefined;

  constructor(
    private readonly model: Run,
    private readonly live: Live,
  ) {
    const reset = el("button", { type: "button", class: "tool", click: () => this.begin({}) }, "All as in the run");
    const link = el("button", { type: "button", class: "tool", title: "An address of this file that brings back exactly this", click: () => void this.copyLink() }, "Copy link");
    this.element = el(
      "section",
      { class: "card live", id: "live", "aria-labelledby": "live-title" },
      el("header", {}, el("h2", { id: "live-title" }, "Live"), el("div", { class: "tools" }, this.told, reset, link)),
      el(
        "div",
        { class: "live-rooms" },
        el("div", { class: "live-picture" }, this.player.element, this.curves.element),
        el("div", { class: "live-values" }, this.parameters.element, this.starts.element, this.verdict, this.moves),
      ),
      this.bits,
      el("p", { class: "note" }, "The same numbers from the command line: ", this.command),
    );
    Object.assign(this.element, { live: this });
    this.cursor.follow(() => this.remember());
    window.addEventListener("hashchange", () => void this.fromAddress());
  }

  async start(): Promise<void> {
    const { model, live } = this;
    const module = await Module.of(live, model.facts.parameters.length);
    this.follower = new Follower(live, module, model.facts.parameters.length);
    if (!(await this.fromAddress())) this.begin({});
  }

  private async fromAddress(): Promise<boolean> {
    const fragment = location.hash.slice(1);
    if (!fragment.startsWith(PREFIX)) return false;
    const state = await stateOf(fragment.slice(PREFIX.length));
    if (!state) return false;
    this.time = state.time;
    this.begin(state.changes);
    return true;
  }

  private begin(changes: Changes): void {
    const known = new Set([...this.model.facts.parameters, ...this.given].map(({ name }) => name));
    this.changes = Object.fromEntries(Object.entries(changes).filter(([name]) => known.has(name)));
    void this.compute();
  }

  /** Starts that can be moved: the state, but not its time. */
  private get given(): NamedNumber[] {
    return this.model.facts.initial.filter(({ name }) => this.live.state.includes(name));
  }

  private change(name: string, value: number | undefined): void {
    const { [name]: _, ...others } = this.changes;
    this.changes = value === undefined ? others : { ...others, [name]: value };
    void this.compute();
  }

  /** Follows the motion with the values of the sliders, in slices; a newer wish ends an older one. */
  private async compute(): Promise<void> {
    const { model, live, follower } = this;
    if (!follower) return;
    const wish = ++this.wish;
    const began = performance.now();
    const valueOf = ({ name, value }: NamedNumber): number => this.changes[name] ?? value;
    const parameters = model.facts.parameters.map((one) => ({ name: one.name, value: valueOf(one) }));
    follower.kernels.p.values.set(parameters.map(({ value }) => value));
    const t = model.facts.initial.find(({ name }) => !live.state.includes(name))?.value ?? 0;
    const given = live.state.map((name) => valueOf(model.facts.initial.find((one) => one.name === name) as NamedNumber));
    const parametersMoved = model.facts.parameters.some(({ name }) => name in this.changes);
    const moved = parametersMoved || Object.keys(this.changes).length > 0;
    const wanted = moved ? follower.resolved({ t, state: given }, (name) => name in this.changes) : { t, state: given };
    const end = model.facts.t_end;
    const rows = new Rows(live, follower.kernels, this.expected(t, end));
    const crossings = live.events.map(() => new Rows(live, follower.kernels, 0));
    const facts: Partial<Facts> = { method: live.method, step: Math.abs(live.step ?? 0), tolerance: live.tolerance, complete: true, status: "complete", parameters };
    let start = wanted;
    this.moved = undefined;
    try {
      const found = follower.consistent(wanted);
      start = found.start;
      if (start !== wanted) this.moved = { off: found.off, start: live.state.map((name, k) => ({ name, value: start.state[k] as number })) };
      const going = follower.follow(start, end, (sample) => rows.add(sample), (event, sample) => crossings[event]?.add(sample));
      let slice = performance.now();
      for (let step = going.next(); !step.done; step = going.next()) {
        if (performance.now() - slice < SLICE) continue;
        if (performance.now() - began > 300) this.told.textContent = `${Math.round(100 * step.value)} %`;
        await pause();
        if (wish !== this.wish) return;
        slice = performance.now();
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      facts.complete = false;
      facts.status = error.message;
    }
    facts.steps = follower.steps;
    facts.initial = live.state.map((name, k) => ({ name, value: start.state[k] as number }));
    const run = rows.finish(model, facts);
    run.events = crossings.map((found, k) => {
      const { columns, rows: count } = found.finish(model, {});
      return { name: live.events[k]?.name ?? "", count, columns };
    });
    this.show(run, performance.now() - began, moved);
  }

  private expected(t: number, end: number): number {
    const { every, interval, step, times } = this.live;
    if (every > 0) return step === undefined ? 1000 : Math.abs((end - t) / (step * every));
    return interval > 0 ? Math.abs(end - t) / interval : times.length;
  }

  private show(run: Run, milliseconds: number, moved: boolean): void {
    const { live } = this;
    this.run = run;
    this.told.textContent = `${formatNumber(milliseconds, 2)} ms, ${run.facts.steps} steps`;
    this.parameters.show(run.facts.parameters, this.changes);
    this.starts.show(run.facts.initial, this.changes);
    this.verdict.replaceChildren(outcome(run), lawList(laws(run), run.facts.tolerance, "Largest residual of each law"));
    const onto = this.moved ? `The start was off the constraints by ${formatNumber(this.moved.off, 2)}, and was moved onto them: ${this.moved.start.map(({ name, value }) => `${name} = ${formatNumber(value, 5)}`).join(", ")}.` : "";
    const { ended } = this.follower ?? {};
    const found = run.events.map(({ name, count }) => `${name}: ${count} ${count === 1 ? "crossing" : "crossings"}`);
    const passed = live.switches.flatMap(({ text }, k) => {
      const times = this.follower?.pieces?.passed[k] ?? 0;
      return times > 0 ? [`'${text}' ${times} ${times === 1 ? "time" : "times"}`] : [];
    });
    this.moves.textContent = [onto, ended ? `Ended by the event ${ended.name} at t = ${formatNumber(ended.t, 6)}.` : "", found.length > 0 ? `Events: ${found.join(", ")}.` : "", passed.length > 0 ? `Switches passed: ${passed.join(", ")}.` : ""].filter((text) => text !== "").join(" ");
    this.curves.show(run);
    const playable = this.live.motion && playableOf(this.live.motion, run, run.facts.parameters, movable(run));
    this.player.element.hidden = playable === undefined;
    if (playable) {
      const bodies = playable.motion.bodies.map(({ name, shape }) => `${name}:${shape}`).join();
      this.player.show(playable, bodies === this.bodies);
      this.bodies = bodies;
      if (this.time !== undefined) this.cursor.set(this.time);
      this.time = undefined;
    }
    if (!moved) this.compare(run);
    this.command.textContent = this.commandLine();
    this.element.dataset.state = run.facts.complete ? "complete" : "stopped";
    this.element.dataset.wish = String(this.wish);
    this.remember();
  }

  /** Says how the motion of this page and the run of the program agree, if both have the same start. */
  private compare(run: Run): void {
    const { model, live } = this;
    const same = live.method === model.facts.method;
    const width = 1 + live.state.length;
    const last = (from: Run, k: number) => from.columns[k]?.values.at(-1) ?? Number.NaN;
    const places = Array.from({ length: width }, (_, k) => k);
    const equal = heldRows(model) > 0 && places.every((k) => Object.is(last(run, k), last(model, k)));
    const distance = Math.max(...places.map((k) => Math.abs(last(run, k) - last(model, k))));
    const how = live.step === undefined ? `tolerance ${formatNumber(live.tolerance)}` : `step ${formatNumber(Math.abs(live.step))}`;
    const compared = equal ? "Compared here: the last state of the run has the same bits." : `Compared here: the last states differ by at most ${formatNumber(distance, 2)}.`;
    const { constraints } = live;
    const small = !constraints || live.r + constraints.m <= LARGEST_EXACT;
    const columns = `time, state, ${constraints ? "multipliers, " : ""}energy, momenta and observables`;
    const bits = !same
      ? `The run was made by ${model.facts.method}, which a page does not have, so that the bits differ.`
      : small
        ? `That is the method of the run, with the same operations${constraints ? ", by which every step is moved onto the constraints too" : ""}: ${columns} have the bits of the command line. Factor, invariants and residuals take the browser’s exponential, and may differ in their last digits${constraints ? ", as may what is left of the constraints" : ""}.`
        : `That is the method of the run. Beyond ${LARGEST_EXACT} accelerations and multipliers a step is moved onto the constraints by other operations than those of the command line, so that last digits differ.`;
    this.bits.textContent = `This page follows the motion itself, by ${live.method} (${how}). ${bits}${live.events.length === 0 ? "" : same ? " The states at events have its bits too." : " Events are located along the steps of this page."} ${compared}`;
    const computed = new Set(run.columns.map(({ name }) => name));
    const others = model.columns.filter(({ name }) => !computed.has(name)).map(({ name }) => name);
    if (others.length > 0) this.bits.textContent += ` This page does not compute ${others.join(", ")}: the other panels have ${others.length === 1 ? "it" : "them"} for the run as it was made.`;
    this.bits.dataset.equal = String(equal);
  }

  private commandLine(): string {
    const { live, model } = this;
    const words = ["herglotz simulate", model.facts.model_name || "MODEL"];
    const moved = this.moved?.start ?? [];
    const kept = Object.entries(this.changes).filter(([name]) => !moved.some((one) => one.name === name));
    for (const [name, value] of [...kept, ...moved.map(({ name, value }) => [name, value] as const)]) words.push(`--set ${name}=${exact(value)}`);
    words.push(`--method ${live.method}`, live.step === undefined ? `--tolerance ${exact(live.tolerance)}` : `--step ${exact(Math.abs(live.step))}`, `--t-end ${exact(model.facts.t_end)}`);
    if (live.every > 0) words.push(`--output-every ${live.every}`);
    else if (live.interval > 0) words.push(`--output-step ${exact(live.interval)}`);
    return words.join(" ");
  }

  private async fragment(): Promise<string> {
    const { time } = this.cursor;
    return `#${PREFIX}${await fragmentOf({ text: "", method: "", changes: this.changes, ...(time === undefined ? {} : { time }) })}`;
  }

  /** Keeps the address in step with the sliders, once they were moved. */
  private remember(): void {
    clearTimeout(this.remembering);
    if (Object.keys(this.changes).length === 0 && !location.hash.startsWith(`#${PREFIX}`)) return;
    this.remembering = window.setTimeout(async () => history.replaceState(null, "", await this.fragment()), 400);
  }

  private async copyLink(): Promise<void> {
    const fragment = await this.fragment();
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.told.textContent = "The link is copied";
    } catch {
      this.told.textContent = "The link is in the address bar";
    }
  }
}

/** The card, or a card that says why this browser cannot follow the motion. */
export function liveCard(model: Run, raw: Live): HTMLElement {
  const live: Live = { ...raw, ...(raw.motion ? { motion: { ...raw.motion, operations: decodeOperations(raw.motion.operations) } } : {}) };
  const card = new LiveCard(model, live);
  card.start().catch((error) => {
    card.element.replaceChildren(el("h2", {}, "Live"), el("p", { class: "caution" }, `This browser cannot follow the motion: ${error}`));
  });
  return card.element;
}
