/** Motions through events that set the state: simulate::follow of the program, by the same operations. */

import { Accumulation } from "./accumulation.ts";
import type { EventFinder } from "./events.ts";
import { type Follower, type Sink, type Start, rowTimes } from "./follow.ts";
import type { Live, LiveEvent } from "./module.ts";
import type { Rates } from "./rates.ts";
import type { Sample } from "./rows.ts";

/** Parts of the value before within which a function is zero at a crossing. */
const ROUND_OFF = 1e-13;
/** Share of the motion's time over which the rate of a function is computed. */
const RATE_SHARE = 1e-6;
/** Parts of the change of a function over the motion's time within which it is zero. */
const RESOLVED = 1e-12;

export class Jumps {
  private span = 0;
  private here: Start = { t: 0, state: [] };
  /** Events whose reset was the last jump. */
  private reset: number[] = [];
  private recent: number[] = [];
  private accumulation = new Accumulation(0);
  private logFactor = 0;
  private losses: number[];
  /** The amounts that the parts before add to the budgets of the laws, beyond the quantities at the start of a part. */
  private beyond: number[];

  constructor(
    private readonly live: Live,
    private readonly follower: Follower,
    private readonly finder: EventFinder,
    private readonly rates: Rates,
  ) {
    this.losses = live.events.map(() => 0);
    this.beyond = Array.from({ length: live.laws }, () => 0);
  }

  *follow(start: Start, end: number, sink: Sink): Generator<number, void> {
    const { finder, follower, live } = this;
    this.here = start;
    this.span = Math.abs(end - start.t);
    this.accumulation = new Accumulation(this.span);
    const times = live.every > 0 ? [] : [...rowTimes(live, start.t, end)];
    for (;;) {
      const begun = this.here;
      const before = this.values(begun, []);
      const reached: Sample[] = [];
      const carrying: Sink = {
        emit: (sample) => {
          reached[0] = this.carried(sample);
          sink.emit(reached[0]);
        },
        cross: (event, sample) => sink.cross(event, this.carried(sample)),
      };
      finder.choose({ t: begun.t, signs: this.signs() });
      const left = times.filter((t) => t > begun.t + RESOLVED * this.span);
      for (const share of follower.part({ start: begun, end, times: left }, carrying)) yield (begun.t - start.t + share * (end - begun.t)) / this.span;
      const { stopped } = follower;
      const [sample] = reached;
      if (!stopped || !sample || this.event(stopped.event).resets.length === 0) return;
      this.here = { t: sample.t, state: Array.from(sample.state) };
      const crossings = this.crossingsAt(stopped.event, before, this.values(this.here, sample.multipliers ?? []));
      this.jump(sample, crossings);
      const stops = crossings.find((k) => this.event(k).stop);
      const rounding = 64 * Number.EPSILON * Math.max(Math.abs(this.here.t), this.span);
      if (stops === undefined && Math.abs(end - this.here.t) > rounding) continue;
      // One more row follows the jump, and the motion ends.
      finder.choose({ t: this.here.t, signs: [] });
      yield* follower.part({ start: this.here, end: this.here.t }, carrying);
      if (stops !== undefined) follower.stopped = { ...stopped, event: stops };
      return;
    }
  }

  private event(k: number): LiveEvent {
    return this.live.events[k] as LiveEvent;
  }

  /** The functions of all events and resets. Multipliers that are part of the state stand there. */
  private values({ t, state }: Start, multipliers: ArrayLike<number>): number[] {
    const base = this.live.n + this.live.r + 1;
    return this.finder.functions(t, state, this.live.constraints?.differential ? state.slice(base) : multipliers);
  }

  /** A sample with what the parts before left to the balance laws. */
  private carried(sample: Sample): Sample {
    const growth = sample.logFactor === 0 ? 1 : Math.exp(-sample.logFactor);
    return {
      ...sample,
      logFactor: this.logFactor + sample.logFactor,
      budgets: this.beyond.map((beyond, k) => (sample.budgets[k] as number) + (beyond === 0 ? 0 : beyond * growth)),
      losses: this.losses.map((loss) => loss * growth),
    };
  }

  /** The event that ended a part, and the resets whose functions are zero there too, in the order of the model. */
  private crossingsAt(event: number, before: readonly number[], now: readonly number[]): number[] {
    const others = this.live.events.flatMap(({ direction, resets }, k) => {
      const [then, value] = [before[k] as number, now[k] as number];
      if (resets.length === 0 || k === event || then === 0 || direction === (then > 0 ? 1 : -1)) return [];
      return Math.abs(value) <= ROUND_OFF * Math.abs(then) ? [k] : [];
    });
    return [event, ...others].sort((a, b) => a - b);
  }

  /** The signs of the functions that a reset left at zero: those of their rates. */
  private signs(): [number, number][] {
    return this.reset.flatMap((k) => {
      const sign = this.signOfRate(k);
      return sign === 0 ? [] : [[k, sign] as [number, number]];
    });
  }

  private signOfRate(k: number): number {
    const { here, live, rates, span } = this;
    const base = live.n + live.r + 1;
    const ahead = RATE_SHARE * span;
    const value = this.values(here, [])[k] as number;
    const { values: v } = rates.v;
    v.fill(0);
    v.set(here.state.slice(0, base));
    v[base] = here.t;
    v.set(here.state.slice(base), base + 1);
    if (!rates.compute()) return 0;
    const moved = here.state.map((entry, i) => entry + ahead * (rates.values[i] as number));
    const rate = ((this.values({ t: here.t + ahead, state: moved }, [])[k] as number) - value) / ahead;
    if (rate === 0 && Math.abs(value) <= RESOLVED) this.follower.stop(`the reset of '${this.event(k).name}' leaves its function at zero, where it stays`, here.t);
    if (Math.abs(value) > Math.abs(rate) * RESOLVED * span) return 0;
    return Math.sign(rate) || 0;
  }

  /** Sets the state as the events say, in their order, and books what that does to the quantities of the laws. */
  private jump(sample: Sample, crossings: readonly number[]): void {
    const { follower } = this;
    this.logFactor = sample.logFactor;
    this.losses = Array.from(sample.losses ?? this.losses);
    const budgets = Array.from(sample.budgets);
    this.reset = [];
    for (const k of crossings) {
      const { t, state: given } = this.here;
      const before = follower.quantities(t, given);
      const now = this.values(this.here, sample.multipliers ?? []);
      const state = [...given];
      for (const { entry, output } of this.event(k).resets) {
        const value = now[output] as number;
        if (!Number.isFinite(value)) follower.stop(`the reset '${this.event(k).name}' gives ${this.live.state[entry]} no finite number`, t);
        state[entry] = value;
      }
      this.here = { t, state };
      const after = follower.quantities(t, state);
      after.forEach((quantity, law) => (budgets[law] = (budgets[law] as number) + (quantity - (before[law] as number))));
      this.losses[k] = (this.losses[k] as number) + ((before[0] as number) - (after[0] as number));
      this.reset.push(k);
      this.recent = [...this.recent, k].slice(-Accumulation.looks);
      const limit = this.accumulation.add(t);
      if (limit !== undefined) {
        const names = [...new Set(this.recent)].sort((a, b) => a - b).map((one) => `'${this.event(one).name}'`);
        follower.stop(`the resets of ${names.join(", ")} accumulate at t = ${limit}`, t);
      }
    }
    const quantities = follower.quantities(this.here.t, this.here.state);
    this.beyond = budgets.map((budget, law) => budget - (quantities[law] as number));
  }
}
