/** Location of events along the steps of a motion that this page follows: integrate::EventFinder and find_zero of the program, by the same operations. */

import type { LiveEvent, Module, Stretch } from "./module.ts";
import type { Rates } from "./rates.ts";
import type { Sample } from "./rows.ts";

/** Share of a step over which the rates of the watched functions are computed. */
const RATE_SHARE = 1e-6;
/** Distance from zero, relative to the values at the ends, within which a turning point is examined. */
const NEAR_ZERO = 0.05;

/** Share of a step before which a piece of the motion that begins with it ends soon, and how far beyond the time at which its function would vanish to look. */
const SOON = 1 / 16;
const LITTLE_MORE = 1.03;

/** A value that stands for one that is zero but for round-off, and has a sign. */
const LEAST = 1e-300;

/** A watched function that is not a number. */
export class NotFinite extends Error {}

export interface Crossing {
  event: number;
  t: number;
  sample: Sample;
}

/** The signs of functions at the start of a part of a motion, by the places of their events. */
export interface Chosen {
  t: number;
  signs: readonly (readonly [number, number])[];
}

interface Point {
  t: number;
  values: number[];
  /** Unset if the rates of the motion are not known. */
  rates?: number[];
}

const signOf = (value: number): number => (value > 0 ? 1 : value < 0 ? -1 : 0);

/** A zero between a and b by Chandrupatla's method. */
export function findZero(f: (x: number) => number, from: number, fFrom: number, to: number, fTo: number, tolerance: number): number {
  if (fFrom === 0) return from;
  if (fTo === 0) return to;
  let [a, fa, b, fb, c, fc] = [from, fFrom, to, fTo, from, fFrom];
  for (let share = 0.5; ; ) {
    const x = a + share * (b - a);
    const fx = f(x);
    if (fx > 0 === fa > 0 && fx !== 0) [c, fc] = [a, fa];
    else [c, fc, b, fb] = [b, fb, a, fa];
    [a, fa] = [x, fx];
    const best = Math.abs(fa) < Math.abs(fb) ? a : b;
    const least = tolerance / Math.abs(b - a);
    if (least > 0.5 || fa === 0) return fa === 0 ? a : best;
    const xi = (a - b) / (c - b);
    const phi = (fa - fb) / (fc - fb);
    share = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) share = ((fa / (fb - fa)) * fc) / (fb - fc) + ((((c - a) / (b - a)) * fa) / (fc - fa)) * fb / (fc - fb);
    share = Math.min(Math.max(share, least), 1 - least);
  }
}

export class EventFinder {
  private begin: Point = { t: 0, values: [] };
  private signs: number[] = [];
  private chosen: Chosen = { t: Number.NaN, signs: [] };
  private readonly out: Stretch;
  /** Functions behind those of the events, of conditions that end a piece of the motion. */
  conditions: readonly LiveEvent[] = [];
  /** Changes values at the start of a piece; `given` are those with the chosen signs. */
  adjust: ((t: number, values: number[], given: readonly number[]) => number[]) | undefined;

  constructor(
    private readonly own: readonly LiveEvent[],
    private readonly kernel: number,
    private readonly module: Module,
    private readonly p: Stretch,
    private readonly rates: Rates,
    private readonly base: number,
    private readonly movesMultipliers: boolean,
    functions: number,
  ) {
    this.out = module.stretch(functions);
  }

  private get events(): readonly LiveEvent[] {
    return this.conditions.length === 0 ? this.own : [...this.own, ...this.conditions];
  }

  /** Takes the signs that some functions have at a time at which they are zero but for round-off. */
  choose(chosen: Chosen): void {
    this.chosen = chosen;
  }

  /** The functions of all events, and those of their resets. */
  functions(t: number, state: ArrayLike<number>, multipliers: ArrayLike<number> = []): number[] {
    const { base } = this;
    const v = this.rates.v.values;
    v.fill(0);
    for (let i = 0; i < base; ++i) v[i] = state[i] as number;
    v[base] = t;
    v.set(multipliers, base + 1);
    return this.call();
  }

  private call(): number[] {
    this.module.call(this.kernel, this.rates.v, this.p, this.out);
    return [...this.out.values];
  }

  private evaluate({ t, state, multipliers }: Sample): number[] {
    const { adjust, events } = this;
    const raw = this.functions(t, state, multipliers).slice(0, events.length);
    const given = [...raw];
    if (t === this.chosen.t) for (const [k, sign] of this.chosen.signs) given[k] = sign * LEAST;
    const values = adjust ? adjust(t, raw, given) : given;
    const broken = values.findIndex((value) => !Number.isFinite(value));
    if (broken >= 0) throw new NotFinite(`the event '${events[broken]?.name}' is not a finite number`);
    return values;
  }

  private point(sample: Sample, step: number): Point {
    const { base, rates } = this;
    const result: Point = { t: sample.t, values: this.evaluate(sample) };
    if (!rates.compute()) return result;
    const v = rates.v.values;
    const ahead = RATE_SHARE * step;
    for (let i = 0; i < base; ++i) v[i] = (v[i] as number) + ahead * (rates.values[i] as number);
    v[base] = (v[base] as number) + ahead;
    if (this.movesMultipliers) for (let k = base + 1; k < v.length; ++k) v[k] = (v[k] as number) + ahead * (rates.values[k - 1] as number);
    const moved = this.call().slice(0, this.events.length);
    const values = this.adjust?.(v[base] as number, moved, moved) ?? moved;
    result.rates = values.map((value, k) => (value - (result.values[k] as number)) / ahead);
    return result;
  }

  start(sample: Sample, duration: number): void {
    this.begin = this.point(sample, duration);
    this.signs = this.begin.values.map(signOf);
  }

  /** The times inside the step at which the cubic through values and rates turns, if it changes sign more often than its ends show or turns near zero. */
  private turningPoints(k: number, end: Point): number[] {
    const { begin } = this;
    if (!begin.rates || !end.rates) return [];
    const h = end.t - begin.t;
    const [f0, f1] = [begin.values[k] as number, end.values[k] as number];
    const [d0, d1] = [h * (begin.rates[k] as number), h * (end.rates[k] as number)];
    const b = 3 * (f1 - f0) - 2 * d0 - d1;
    const a = d0 + d1 - 2 * (f1 - f0);
    const discriminant = b * b - 3 * a * d0;
    if (!(discriminant > 0)) return [];
    const root = Math.sqrt(discriminant);
    const q = -(b + (b < 0 || Object.is(b, -0) ? -root : root));
    const shares = [q / (3 * a), d0 / q].filter((s) => s > 0 && s < 1).sort((x, y) => x - y);
    let changes = signOf(f0) !== signOf(f1) ? -1 : 0;
    let near = false;
    let previous = f0;
    for (const s of shares) {
      const value = f0 + s * (d0 + s * (b + s * a));
      if (signOf(value) !== signOf(previous)) ++changes;
      near ||= Math.abs(value) < NEAR_ZERO * Math.max(Math.abs(f0), Math.abs(f1));
      previous = value;
    }
    if (signOf(previous) !== signOf(f1)) ++changes;
    return changes === 0 && !near ? [] : shares.map((s) => begin.t + s * h);
  }

  /** The ends, with their values, of a part of the step in which a function vanishes. Behind the end of a piece that is much shorter than the step, shorter steps may go anywhere. */
  private nearer(k: number, ends: [number, number, number, number], valueAt: (t: number) => number): [number, number, number, number] {
    const { begin, events } = this;
    const [ta, fa, tb, fb] = ends;
    if (!(events[k]?.stop || events[k]?.resets.length) || ta !== begin.t || !begin.rates) return ends;
    const soon = -fa / (begin.rates[k] as number);
    if (!(soon / (tb - ta) > 0 && soon / (tb - ta) < SOON)) return ends;
    const near = ta + LITTLE_MORE * soon;
    const value = valueAt(near);
    return signOf(value) === signOf(fb) ? [ta, fa, near, value] : [near, value, tb, fb];
  }

  /** The crossings in the step that ends at `end`, in their order, up to the first that ends the motion or sets its state. */
  step(end: Sample, sampleAt: (t: number) => Sample): { crossings: Crossing[]; stop?: Crossing } {
    const { begin, events, signs } = this;
    const forwards = end.t >= begin.t;
    const atEnd = this.point(end, end.t - begin.t);
    const found: Crossing[] = [];
    events.forEach(({ direction }, k) => {
      const valueAt = (t: number) => this.evaluate(sampleAt(t))[k] as number;
      let [ta, fa] = [begin.t, begin.values[k] as number];
      for (const t of [...this.turningPoints(k, atEnd), end.t]) {
        const f = t === end.t ? (atEnd.values[k] as number) : valueAt(t);
        const sign = signOf(f);
        const before = signs[k] as number;
        const rises = sign > 0 === forwards;
        if (sign !== 0 && before !== 0 && sign !== before && direction !== (rises ? -1 : 1)) {
          const tolerance = 2 * Number.EPSILON * Math.max(Math.abs(ta), Math.abs(t)) + 1e-14 * Math.abs(t - begin.t);
          const [from, fFrom, to, fTo] = this.nearer(k, [ta, fa, t, f], valueAt);
          const zero = findZero(valueAt, from, fFrom, to, fTo, tolerance);
          found.push({ event: k, t: zero, sample: sampleAt(zero) });
        }
        if (sign !== 0) signs[k] = sign;
        [ta, fa] = [t, f];
      }
    });
    this.begin = atEnd;
    found.sort((one, other) => (forwards ? one.t - other.t : other.t - one.t));
    const last = found.findIndex(({ event }) => events[event]?.stop || events[event]?.resets.length);
    if (last < 0) return { crossings: found };
    const stop = found[last] as Crossing;
    return { crossings: found.slice(0, last + 1), stop };
  }
}
