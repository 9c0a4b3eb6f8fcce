/**
 * Smooth pieces of a motion between the switches of its equations: integrate_pieces and simulate::SwitchedMotion of the program, by the same operations.
 * The outcome of every comparison is a parameter, and a piece ends where a condition of such an outcome ceases to hold. No switch holds the motion.
 */

import type { EventFinder } from "./events.ts";
import { type Follower, type Part, type Sink, type Start, rowTimes } from "./follow.ts";
import type { Live, Stretch } from "./module.ts";
import type { Rates } from "./rates.ts";
import type { Sample } from "./rows.ts";

/** Parts of the time within which two times are one. */
const NOW = 1e-12;
/** Parts of the largest value of a function within which it is zero where a piece ends. */
const ROUND_OFF = 1e-10;
/** Share of the motion's time over which the side is found to which a start on a switch goes. */
const AHEAD = 1e-7;
/** Difference of the energies on both sides of a switch, relative to their terms, up to which they are equal. */
const EQUAL = 1e-9;
/** Number of times that a motion may pass a switch at one time. */
const MOST_AT_ONCE = 3;
/** The least normal number. */
const LEAST = 2.2250738585072014e-308;

const signOf = (value: number): number => (value > 0 ? 1 : value < 0 ? -1 : 0);

export class Pieces {
  /** How often each switch was passed since the motion began. */
  readonly passed: number[];
  private readonly own: number;
  /** The place of the first function of each switch. */
  private readonly first: number[] = [];
  private readonly modes: Float64Array;
  private duration = 0;
  private begin: Start = { t: 0, state: [] };
  private signs: number[] = [];
  private sizes: number[] = [];
  private happened: (number | undefined)[] = [];
  /** The time of the last switches, and how often each of them was passed then. */
  private since = Number.NaN;
  private passedHere = new Map<string, number>();

  constructor(
    private readonly live: Live,
    private readonly follower: Follower,
    private readonly finder: EventFinder,
    private readonly rates: Rates,
    p: Stretch,
  ) {
    this.own = live.events.length;
    this.modes = p.values.subarray(p.values.length - live.switches.length);
    this.passed = live.switches.map(() => 0);
    let place = this.own;
    for (const { rounds } of live.switches) {
      this.first.push(place);
      place += rounds ? 2 : 1;
    }
  }

  /** Emits the samples of a part of a motion, as Follower.part does, through all of its pieces. */
  *part({ start, end, times: listed }: Part, sink: Sink): Generator<number, void> {
    const { finder, follower, live, own } = this;
    const forwards = end >= start.t;
    this.duration = end - start.t;
    this.begin = start;
    this.signs = live.events.map(() => 0);
    this.sizes = live.events.map(() => 0);
    this.happened = live.events.map(() => undefined);
    this.since = Number.NaN;
    this.passedHere.clear();
    finder.conditions = live.switches.flatMap(({ text, rounds }) => Array.from({ length: rounds ? 2 : 1 }, () => ({ name: text, direction: forwards ? -1 : 1, stop: true, resets: [] })));
    finder.adjust = (t, values, given) => this.adjusted(t, values, given);
    this.chooseSides();
    const bySteps = live.every > 0 && live.step === undefined;
    let times = bySteps ? [] : [...(listed ?? rowTimes(live, start.t, end))];
    let latest: Sample | undefined;
    for (;;) {
      const here = this.begin.t;
      const ahead = times.findIndex((time) => (forwards ? time > here : time < here));
      times = ahead < 0 ? [] : times.slice(ahead);
      const before: Sample | undefined = latest;
      let carried: number[] = [];
      const whole = (sample: Sample): Sample => {
        const growth = Math.exp(-sample.logFactor);
        const logFactor = sample.logFactor + (before?.logFactor ?? 0);
        return { ...sample, logFactor, budgets: Array.from(sample.budgets, (budget, k) => (carried[k] ? budget + carried[k] * growth : budget)) };
      };
      let reached: Sample | undefined;
      let held: Sample | undefined;
      const flush = () => {
        if (held) sink.emit(held);
        held = undefined;
      };
      const carrying: Sink = {
        emit: (sample) => {
          const begins = !reached;
          reached = sample;
          if (begins) carried = Array.from(sample.budgets, (budget, k) => (before ? (before.budgets[k] as number) - budget : 0));
          if (begins && before) return;
          flush();
          held = latest = whole(sample);
          if (begins) flush();
        },
        cross: (event, sample) => {
          if (event >= own) return;
          this.signs[event] = -(this.signs[event] as number);
          this.happened[event] = sample.t;
          sink.cross(event, whole(sample));
        },
      };
      for (const share of follower.smooth({ start: this.begin, end, times }, carrying)) yield (here - start.t + share * (end - here)) / (end - start.t);
      const stop = follower.stopped;
      const at = reached as Sample | undefined;
      if (!stop || !at || stop.event < own || at.t === end) {
        if (stop && stop.event >= own) follower.stopped = undefined;
        flush();
        return;
      }
      if (!bySteps && !times.includes(at.t)) held = undefined;
      flush();
      this.carrySigns(at, forwards);
      this.begin = { t: at.t, state: Array.from(at.state) };
      this.pass(stop.event);
    }
  }

  /** The functions of all events and conditions at a state. Multipliers that are part of it stand there. */
  private values({ t, state }: Start, multipliers: ArrayLike<number> = []): number[] {
    const base = this.live.n + this.live.r + 1;
    return this.finder.functions(t, state, this.live.constraints?.differential ? state.slice(base) : multipliers);
  }

  /** Chooses the outcomes at the start. A switch may compare what those before it decide. */
  private chooseSides(): void {
    const { live, modes } = this;
    live.switches.forEach(({ rounds }, k) => (modes[k] = rounds ? 0 : 1));
    live.switches.forEach(({ rounds }, k) => {
      const value = this.begun(k, rounds);
      modes[k] = rounds ? Math.floor(value) : signOf(value) || this.side(k);
    });
  }

  /** The function of a switch at the start: 0, or a whole number where floor rounds it, if the function passes that now. The start may be the end of a part of the motion, whose time is rounded. */
  private begun(k: number, rounds: boolean): number {
    const { begin, duration } = this;
    const value = this.values(begin)[this.first[k] as number] as number;
    const passed = rounds ? Math.sign(value) * Math.floor(Math.abs(value) + 0.5) : 0;
    const h = AHEAD * (duration || 1);
    const rate = (this.ahead(k, h) - value) / h;
    return rate !== 0 && this.isNow(begin.t, begin.t - (value - passed) / rate, Math.abs(duration)) ? passed : value;
  }

  /** The function of a switch where the rates at the start lead in the time h; not a number if they are not determined. */
  private ahead(k: number, h: number): number {
    const { begin, rates } = this;
    const base = this.live.n + this.live.r + 1;
    const { values: v } = rates.v;
    v.fill(0);
    v.set(begin.state.slice(0, base));
    v[base] = begin.t;
    v.set(begin.state.slice(base), base + 1);
    if (!rates.compute()) return Number.NaN;
    const state = begin.state.map((entry, i) => entry + h * (rates.values[i] as number));
    return this.values({ t: begin.t + h, state })[this.first[k] as number] as number;
  }

  /** The outcome of a comparison whose function is zero at the start: the side to which the motion goes. */
  private side(k: number): number {
    for (const outcome of [1, -1]) {
      this.modes[k] = outcome;
      if (this.ahead(k, AHEAD * this.duration) > 0) return outcome;
    }
    return 1;
  }

  /** The values at a time, those of events with the signs that they are given; at the start of a piece they have the signs that they should have, as they are zero there but for round-off where the piece before ended on them. */
  private adjusted(t: number, values: number[], given: readonly number[]): number[] {
    const { own, signs, sizes } = this;
    const taken = values.map((value, k) => (k < own ? (given[k] as number) : value));
    for (let k = 0; k < own; ++k) if (Math.abs(taken[k] as number) > (sizes[k] as number)) sizes[k] = Math.abs(taken[k] as number);
    if (t !== this.begin.t) return taken;
    return taken.map((value, k) => {
      if (k < own) signs[k] ||= signOf(value);
      const sign = k < own ? (signs[k] as number) : 1;
      return sign === 0 || value * sign > 0 || Number.isNaN(value) ? value : sign * LEAST;
    });
  }

  private isNow(a: number, b: number, length: number): boolean {
    return Math.abs(a - b) <= NOW * Math.max(Math.abs(a), length);
  }

  /** Finds the signs of the events at the end of a piece. A function that is zero there but for round-off has passed if that was found, and passes in the next piece otherwise. */
  private carrySigns(end: Sample, forwards: boolean): void {
    const values = this.values({ t: end.t, state: Array.from(end.state) }, end.multipliers);
    this.live.events.forEach(({ direction }, k) => {
      const happened = this.happened[k];
      const here = happened !== undefined && this.isNow(happened, end.t, Math.abs(this.duration));
      const after = direction > 0 === forwards ? 1 : -1;
      const value = values[k] as number;
      if (Math.abs(value) > ROUND_OFF * (this.sizes[k] as number)) this.signs[k] = value > 0 ? 1 : -1;
      else if (direction !== 0) this.signs[k] = here ? after : -after;
    });
  }

  /** Goes on behind the end of a piece. */
  private pass(event: number): void {
    const { begin, first, follower, live, modes } = this;
    const k = first.filter((place) => place <= event).length - 1;
    const { rounds, text } = live.switches[k] as Live["switches"][number];
    if (!this.isNow(begin.t, this.since, Math.abs(this.duration))) {
      this.passedHere.clear();
      this.since = begin.t;
    }
    const times = (this.passedHere.get(text) ?? 0) + 1;
    this.passedHere.set(text, times);
    if (times > MOST_AT_ONCE) follower.stop(`the motion cannot leave '${text}' = 0, because both of its sides lead back to it`, begin.t);
    const before = follower.energy(begin);
    modes[k] = rounds ? (modes[k] as number) + (event === first[k] ? -1 : 1) : -(modes[k] as number);
    this.passed[k] = (this.passed[k] as number) + 1;
    const after = follower.energy(begin);
    const jump = after.value - before.value;
    if (!(Math.abs(jump) <= EQUAL * Math.max(before.scale, after.scale))) follower.stop(`the energy jumps by ${Number(jump.toPrecision(6))} where '${text}' passes ${rounds ? "a whole number" : "0"}`, begin.t);
  }
}
