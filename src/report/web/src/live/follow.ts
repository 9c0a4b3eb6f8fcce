/** Follows a motion by its compiled steps, with the drivers of the program: the same calls, and so the same bits. */

import { Breaks } from "./breaks.ts";
import { CONSISTENT, Constraints, OffConstraints } from "./constraints.ts";
import { type Crossing, EventFinder, NotFinite } from "./events.ts";
import { Jumps } from "./jumps.ts";
import { Pieces } from "./pieces.ts";
import { Rates } from "./rates.ts";
import { type Live, type Module, type Stretch } from "./module.ts";
import { Kernels, type Sample } from "./rows.ts";

/** The reason why a motion was not followed to its end. */
export class Stopped extends Error {}

export interface Start {
  t: number;
  state: readonly number[];
}

/** The number of steps between two looks at the clock, which costs more than a step. */
const STEPS_OF_A_CALL = 256;
const MOST_STEPS = 5_000_000;

const ARRIVED = 1;
const REASONS: Record<number, string> = {
  2: "the equations do not determine the accelerations there without exchanges of rows, which the command line makes, or an angle is beyond 2³⁰",
  3: "no step is small enough for the tolerance",
  4: "no step is small enough, and the motion is not defined in the steps tried last",
  5: "the step fell below the resolution of the time",
};

/** Places in the lane of a loop with error control; kernel::AdaptiveRows. */
const lanePlaces = (size: number, state: number, laws: number) => {
  const t = 2 * size;
  return { t, last: t + 2, due: t + 3, state: t + 4, steps: t + 7, tries: t + 8, count: t + 13 + laws + state };
};

function stepsOf(duration: number, h: number): { whole: number; last: number } {
  const ratio = duration / h;
  const nearest = Math.round(ratio);
  const slack = 1e-9 + 4 * Number.EPSILON * ratio;
  if (nearest >= 1 && Math.abs(ratio - nearest) <= slack) return { whole: nearest, last: 0 };
  const whole = Math.floor(ratio);
  return { whole, last: duration - whole * h };
}

/** Receives samples, of rows and at the events. */
export interface Sink {
  emit(sample: Sample): void;
  cross(event: number, sample: Sample): void;
}

/** A motion, or what is left of it after an event set its state. */
export interface Part {
  start: Start;
  end: number;
  /** The times of rows, if they are not the times of the page. */
  times?: readonly number[];
}

/** The times of rows between the start and the end. */
export function* rowTimes(live: Live, t0: number, end: number): Generator<number, undefined> {
  if (live.interval === 0) {
    yield* live.times;
    return undefined;
  }
  const interval = end < t0 ? -live.interval : live.interval;
  const count = Math.ceil(Math.abs(end - t0) / live.interval - 1e-9) - 1;
  for (let k = 1; k <= count; ++k) yield t0 + k * interval;
  return undefined;
}

export class Follower {
  private readonly size: number;
  private readonly lane: Stretch;
  private readonly control: Stretch;
  private readonly spare: Float64Array;
  readonly kernels: Kernels;
  private readonly out: Stretch;
  private readonly constraints: Constraints | undefined;
  readonly finder: EventFinder | undefined;
  /** The pieces of the motion, if its equations have switches. */
  readonly pieces: Pieces | undefined;
  /** The rates of the motion, if there are constraints, events or switches. */
  readonly rates: Rates | undefined;
  /** The event that ended the motion, and its time. */
  ended: { name: string; t: number } | undefined;
  /** The event that ended the part that was followed last. */
  stopped: Crossing | undefined;
  private startBudgets: number[] = [];
  private dissipation = 0;
  private t0 = 0;
  steps = 0;

  constructor(
    private readonly live: Live,
    private readonly module: Module,
    parameters: number,
  ) {
    const dimension = live.state.length;
    this.size = dimension + (live.factor ? 1 : 0) + live.budgets.length;
    const rows = live.step === undefined ? lanePlaces(this.size, dimension, live.budgets.length).count : 2 * this.size + 1;
    this.lane = module.stretch(rows);
    this.control = module.stretch(6);
    this.spare = new Float64Array(rows);
    this.kernels = new Kernels(live, module, parameters);
    this.out = module.stretch(1);
    const watches = live.events.length + live.switches.length > 0;
    if (!live.constraints && !watches) return;
    const rates = new Rates(live, live.rates, module, this.kernels.p);
    this.rates = rates;
    if (live.constraints) this.constraints = new Constraints(live, live.constraints, module, this.kernels, rates);
    if (!watches) return;
    this.finder = new EventFinder(live.events, live.watched, module, this.kernels.p, rates, live.n + live.r + 1, live.constraints?.differential ?? false, live.functions);
    if (live.switches.length > 0) this.pieces = new Pieces(live, this, this.finder, rates, this.kernels.p);
  }

  /** The start with the values of its expressions, but for the names that are held. */
  resolved(start: Start, held: (name: string) => boolean): Start {
    const state = [...start.state];
    for (const { name, kernel } of this.live.followers)
      if (!held(name)) state[this.live.state.indexOf(name)] = this.kernels.value(kernel, start.t, state, this.out);
    return { t: start.t, state };
  }

  /** The start, moved onto the constraints if it is off them, and how far it was. */
  consistent(start: Start): { start: Start; off: number } {
    const found = this.onConstraints(start.t, () => this.constraints?.nearest(start.t, start.state));
    if (!found || found.defect <= CONSISTENT) return { start, off: 0 };
    return { start: { t: start.t, state: [...found.state] }, off: found.defect };
  }

  /** Emits the samples from the start to the end; yields from time to time, with the part that is done. */
  *follow(start: Start, end: number, emit: (sample: Sample) => void, cross: (event: number, sample: Sample) => void = () => {}): Generator<number, void> {
    const sink = { emit, cross };
    this.steps = 0;
    this.ended = undefined;
    this.pieces?.passed.fill(0);
    const { finder, rates } = this;
    const jumps = finder && rates && this.live.events.some(({ resets }) => resets.length > 0);
    if (jumps) yield* new Jumps(this.live, this, finder, rates).follow(start, end, sink);
    else yield* this.part({ start, end }, sink);
    const stop = this.stopped as Crossing | undefined;
    if (stop && this.live.events[stop.event]?.stop) this.ended = { name: this.live.events[stop.event]?.name ?? "", t: stop.t };
  }

  /** Emits the samples of a part of a motion, to its end or to an event that ends it or sets its state. */
  *part(part: Part, sink: Sink): Generator<number, void> {
    if (this.pieces) yield* this.pieces.part(part, sink);
    else yield* this.smooth(part, sink);
  }

  /** The same for a part without switches, or a piece between them. */
  *smooth(part: Part, sink: Sink): Generator<number, void> {
    const { start, end } = part;
    this.begin(start);
    const first = this.sample(start.t);
    sink.emit(first);
    this.stopped = undefined;
    this.watched(start.t, () => this.finder?.start(first, end - start.t));
    if (start.t === end) return;
    if (this.live.step === undefined) yield* this.adaptive(part, sink);
    else yield* this.fixed(part, this.live.step, sink);
  }

  /** The quantities of the balance laws at a state. */
  quantities(t: number, state: ArrayLike<number>): number[] {
    this.kernels.recorded(t, state);
    return Array.from({ length: this.live.laws }, (_, k) => this.kernels.balance.values[1 + 3 * k] as number);
  }

  /** The energy of the present piece at a state, and the size of its terms. */
  energy({ t, state }: Start): { value: number; scale: number } {
    this.kernels.at(t, state, state.slice(this.live.n + this.live.r + 1));
    const [, value, scale] = this.kernels.balance.values;
    return { value: value as number, scale: scale as number };
  }

  /** A watched function that is not a number stops the motion. */
  private watched<T>(t: number, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof NotFinite) this.stop(error.message, t);
      throw error;
    }
  }

  /** Emits the crossings in the step to `t`, whose state the lane holds again afterwards. Returns the time of one that ends the motion. */
  private crossings(t: number, sampleAt: (t: number) => Sample, cross: (event: number, sample: Sample) => void): number | undefined {
    const { finder, lane } = this;
    if (!finder) return undefined;
    const atEnd = this.sample(t);
    const held = lane.values.slice();
    const { crossings, stop } = this.watched(t, () => finder.step(atEnd, sampleAt));
    lane.values.set(held);
    for (const { event, sample } of crossings) cross(event, sample);
    this.stopped = stop;
    return stop?.t;
  }

  private begin({ t, state: given }: Start): void {
    const { balance } = this.kernels;
    // The program too moves a start that is on the constraints to their tolerance onto them to round-off.
    const found = this.onConstraints(t, () => this.constraints?.nearest(t, given));
    if (found && !(found.defect <= CONSISTENT)) this.stop("the start is off the constraints", t);
    const state = found?.state ?? given;
    this.constraints?.begin(t);
    this.kernels.at(t, state, Array.from(state).slice(this.live.n + this.live.r + 1));
    this.t0 = t;
    this.dissipation = balance.values[0] as number;
    this.startBudgets = Array.from({ length: this.live.laws }, (_, k) => balance.values[1 + 3 * k] as number);
    const { values } = this.lane;
    values.fill(0);
    values.set(state);
    const first = state.length + (this.live.factor ? 1 : 0);
    this.live.budgets.forEach((k, i) => (values[first + i] = this.startBudgets[k] as number));
    if (!values.every(Number.isFinite) || !this.startBudgets.every(Number.isFinite)) throw new Stopped("the state or the quantity of a balance law is not finite at the start");
  }

  /** Calls `act`; an error at the constraints stops the motion at this time. */
  private onConstraints<T>(t: number, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof OffConstraints) this.stop(error.message, t);
      throw error;
    }
  }

  /** Moves what the lane holds onto the constraints; the low-order parts of its sums are lost. */
  private project(t: number, inside = false): void {
    if (!this.constraints) return;
    const { live, lane, size } = this;
    const dimension = live.state.length;
    const first = dimension + (live.factor ? 1 : 0);
    this.onConstraints(t, () => this.constraints?.project(t, { state: lane.values.subarray(0, dimension), budgets: lane.values.subarray(first, size) }, inside));
    lane.values.fill(0, size, 2 * size);
  }

  /** The sample at a time, of what the lane holds at the time `at`. */
  private sample(t: number, at = t): Sample {
    const { live, lane } = this;
    const { constraints } = this;
    const dimension = live.state.length;
    let place = dimension;
    const logFactor = live.factor ? (lane.values[place++] as number) : -this.dissipation * (at - this.t0);
    const decay = live.budgets.length < live.laws ? Math.exp(-logFactor) : 0;
    const budgets = this.startBudgets.map((value) => value * decay);
    for (const k of live.budgets) budgets[k] = lane.values[place++] as number;
    const state = lane.values.slice(0, dimension);
    const multipliers = this.onConstraints(t, () => constraints?.multipliers(t, state));
    return { t, state, logFactor, budgets, ...(multipliers ? { multipliers } : {}) };
  }

  stop(why: string, t: number): never {
    throw new Stopped(`${why} (t = ${t})`);
  }

  private *adaptive({ start: { t: t0 }, end, times: listed }: Part, { emit, cross }: Sink): Generator<number, void> {
    const { live, lane, module, control } = this;
    const stepsBefore = this.steps;
    const place = lanePlaces(this.size, live.state.length, live.budgets.length);
    const settings = module.view(control);
    settings.setFloat64(0, live.local, true);
    settings.setFloat64(8, end, true);
    settings.setBigInt64(16, BigInt(live.order), true);
    settings.setBigInt64(32, 0n, true);
    settings.setBigInt64(40, BigInt(STEPS_OF_A_CALL), true);
    const { values } = lane;
    values[place.t] = t0;
    const breaks = new Breaks(live.breaks, t0, end);
    const direction = end < t0 ? -1 : 1;
    const times = live.every > 0 ? undefined : (listed?.values() ?? rowTimes(live, t0, end));
    let due = times?.next().value;
    let t = t0;
    // The lane holds the state of all times from `since` on; they differ from t at a break alone.
    let since = t0;
    const passBreaks = () => {
      for (; breaks.reached(t); breaks.pass()) if (breaks.next?.jump) values[place.t] = t = breaks.departure;
    };
    const emitDue = () => {
      for (; due !== undefined && direction * (due - t) <= 0; due = times?.next().value) emit(this.sample(due, since));
    };
    // The state at a time inside the step from `from`, by shorter steps from its start.
    let from = t0;
    const sampleAt = (at: number): Sample => {
      values.set(this.spare);
      if (at === from) return this.sample(at);
      values[place.due] = at;
      settings.setFloat64(24, MOST_STEPS + (values[place.steps] as number), true);
      do {
        values[place.state] = 0;
        module.loop(0, lane.address, this.kernels.p.address, control.address, module.work.address);
      } while (values[place.state] === 0);
      if (values[place.state] !== ARRIVED) this.stop("no step is small enough for the tolerance", at);
      this.project(at);
      return this.sample(at);
    };
    passBreaks();
    while (t !== end) {
      const before = values[place.steps] as number;
      values[place.due] = breaks.before(due ?? end);
      values[place.state] = 0;
      // Steps are made one at a time where each is watched or moved onto constraints.
      const most = this.constraints || this.finder ? before + 1 : live.every > 0 ? before + live.every - (before % live.every) : MOST_STEPS;
      settings.setFloat64(24, most, true);
      from = t;
      this.spare.set(values);
      module.loop(0, lane.address, this.kernels.p.address, control.address, module.work.address);
      since = t = values[place.t] as number;
      const made = values[place.steps] as number;
      this.steps = stepsBefore + made;
      const state = values[place.state] as number;
      if (!values.subarray(0, this.size).every(Number.isFinite)) this.stop("the motion left the finite numbers", t);
      if (made > before) this.project(t);
      const stop = made > before ? this.crossings(t, sampleAt, cross) : undefined;
      if (stop !== undefined) {
        emit(sampleAt(stop));
        return;
      }
      emitDue();
      passBreaks();
      emitDue();
      const counted = live.every > 0 && made > before && made % live.every === 0;
      if (counted || t === end) emit(this.sample(t));
      const reason = REASONS[state];
      if (reason !== undefined) this.stop(reason, t);
      if (this.steps >= MOST_STEPS && t !== end) this.stop(`${MOST_STEPS} steps did not reach the end`, t);
      yield (t - t0) / (end - t0);
    }
  }

  /** Makes steps k = first, .. from the times t0 + k h. */
  private make(t0: number, h: number, first: number, count: number, inside = false): void {
    const { lane, module, control } = this;
    const settings = module.view(control);
    settings.setFloat64(0, t0, true);
    settings.setFloat64(8, h, true);
    settings.setBigInt64(16, BigInt(first), true);
    settings.setBigInt64(24, BigInt(count), true);
    module.loop(0, lane.address, this.kernels.p.address, control.address, module.work.address);
    const t = t0 + (first + count) * h;
    if (!lane.values.subarray(0, this.size).every(Number.isFinite)) this.stop("the motion left the finite numbers, or an angle is beyond 2³⁰", t);
    if (lane.values[2 * this.size] !== 0) this.stop("the accelerations need exchanges of rows there, which the command line makes", t);
    this.project(t, inside);
  }

  private *fixed({ start: { t: t0 }, end, times: listed }: Part, h: number, { emit, cross }: Sink): Generator<number, void> {
    const { whole, last } = stepsOf(end - t0, h);
    const total = whole + (last === 0 ? 0 : 1);
    if (total > MOST_STEPS) this.stop(`the run has ${total} steps, and a page makes at most ${MOST_STEPS}`, t0);
    const { every } = this.live;
    const breaks = new Breaks(this.live.breaks, t0, end);
    const times = every > 0 ? undefined : (listed?.values() ?? rowTimes(this.live, t0, end));
    let due = times?.next().value;
    let t = t0;
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(h);
    let lastRow = t0;
    /** Emits the rows inside the step to `next`. */
    const emitInside = (next: number) => {
      while (due !== undefined && !near(next, due) && (next - due) * h >= 0) {
        this.spare.set(this.lane.values);
        if (due !== t) this.make(t, due - t, 0, 1, true);
        emit(this.sample(due));
        lastRow = due;
        this.lane.values.set(this.spare);
        due = times?.next().value;
      }
    };
    const served = (): boolean => {
      if (due === undefined || !near(due, t)) return false;
      due = times?.next().value;
      return true;
    };
    /** Makes one step of a size to `next`, and emits what lies inside. Returns whether an event ended the motion. */
    const oneStep = (size: number, next: number): boolean => {
      if (!this.finder) {
        emitInside(next);
        this.make(t, size, 0, 1);
        ++this.steps;
        return false;
      }
      this.constraints?.stepAside();
      const begin = this.lane.values.slice();
      const sampleAt = (at: number): Sample => {
        this.lane.values.set(begin);
        if (at !== t) this.make(t, at - t, 0, 1, true);
        return this.sample(at);
      };
      this.make(t, size, 0, 1);
      const stop = this.crossings(next, sampleAt, cross);
      const reached = this.lane.values.slice();
      this.lane.values.set(begin);
      emitInside(stop ?? next);
      this.lane.values.set(reached);
      if (stop === undefined || stop !== t) ++this.steps;
      if (stop === undefined) return false;
      if (stop !== lastRow) emit(sampleAt(stop));
      return true;
    };
    const part = (to: number): boolean => !near(to, t) && oneStep(to - t, to);
    for (let k = 0; k < total; ) {
      t = k === 0 ? t0 : t0 + k * h;
      // The last step ends at the end itself; those before it are made together where nothing is looked at.
      const free = Math.min(STEPS_OF_A_CALL, total - 1 - k, every > 0 ? every - (k % every) : 1);
      const count = breaks.next || this.constraints || this.finder ? 1 : Math.max(1, free);
      const next = k + count === total ? end : t0 + (k + count) * h;
      if (breaks.reached(next)) {
        for (; breaks.reached(next); breaks.pass()) {
          if (part(breaks.arrival)) return;
          t = breaks.departure;
          if (!near(next, t) && served()) emit(this.sample((lastRow = t)));
        }
        if (part(next)) return;
      } else if (count > 1) {
        emitInside(next);
        this.make(t0, h, k, count);
        this.steps += count;
      } else if (oneStep(k < whole ? h : last, next)) {
        return;
      }
      k += count;
      t = next;
      if (served() || k === total || (every > 0 && k % every === 0)) emit(this.sample((lastRow = next)));
      yield k / total;
    }
  }
}
