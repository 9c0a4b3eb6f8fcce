/** The places of the bodies of a motion at a time, and the size of the whole picture. */

import type { Motion, MotionBody } from "../run/motion.ts";
import type { Tape } from "./tape.ts";

export type Point = [number, number, number];

export interface Bounds {
  low: Point;
  high: Point;
  /** Half of the diagonal. */
  radius: number;
  middle: Point;
}

/** The number of times at which places are computed to find the bounds. */
const SAMPLES = 240;

export const pointOf = (values: Float64Array, components: readonly number[] | undefined): Point =>
  components ? [values[components[0] as number] as number, values[components[1] as number] as number, values[components[2] as number] as number] : [0, 0, 0];

/** The quaternion x, y, z, w of a rotation matrix by rows (Shepperd's choice of the largest component). */
function ofMatrix(m: readonly number[]): [number, number, number, number] {
  const [a, b, c, d, e, f, g, h, i] = m as [number, number, number, number, number, number, number, number, number];
  const trace = a + e + i;
  const largest = Math.max(a, e, i, trace);
  if (largest === trace) return [h - f, c - g, d - b, 1 + trace];
  if (largest === a) return [1 + a - e - i, b + d, c + g, h - f];
  if (largest === e) return [b + d, 1 + e - a - i, f + h, c - g];
  return [c + g, f + h, 1 + i - a - e, d - b];
}

/** The attitude as a quaternion x, y, z, w of length 1. */
export function attitudeOf(values: Float64Array, components: readonly number[] | undefined): [number, number, number, number] {
  if (!components) return [0, 0, 0, 1];
  const v = components.map((k) => values[k] as number);
  const q = v.length === 9 ? ofMatrix(v) : [v[1] as number, v[2] as number, v[3] as number, v[0] as number];
  const length = Math.hypot(...q);
  return length > 0 ? (q.map((x) => x / length) as [number, number, number, number]) : [0, 0, 0, 1];
}

/** The points whose extent makes the picture. */
const corners = (body: MotionBody): (number[] | undefined)[] =>
  body.shape === "rod" ? [body.from, body.to] : body.shape === "ground" || body.of !== undefined || body.on !== undefined ? [] : [body.at];

/** Returns how far a body and the bodies on it reach beyond its middle, if the view says so. */
function reach(values: Float64Array, { name, radius, size, shape }: MotionBody, all: readonly MotionBody[]): number {
  const carried = all
    .filter(({ on }) => on === name)
    .map((one) => Math.max(...(one.shape === "rod" ? [one.from, one.to] : [one.at]).map((at) => Math.hypot(...pointOf(values, at)))) + reach(values, one, all));
  if (shape === "box" && size) return Math.max(Math.hypot(...pointOf(values, size)) / 2, ...carried);
  const own = shape === "rod" ? undefined : (radius ?? (shape === "frame" ? size : undefined));
  return Math.max(own ? Math.abs(values[own[0] as number] as number) : 0, ...carried);
}

/** The bounds of several pictures together. */
export function united(all: readonly Bounds[]): Bounds {
  const [first, ...others] = all as [Bounds, ...Bounds[]];
  if (others.length === 0) return first;
  const low = first.low.map((_, c) => Math.min(...all.map((one) => one.low[c] as number))) as Point;
  const high = first.high.map((_, c) => Math.max(...all.map((one) => one.high[c] as number))) as Point;
  const middle = low.map((value, c) => (value + (high[c] as number)) / 2) as Point;
  return { low, high, radius: Math.hypot(...low.map((value, c) => ((high[c] as number) - value) / 2)) || 1, middle };
}

/** The bounds of the whole motion. `others` calls what it is given with the places of further bodies, and with how far each reaches beyond its place. */
export function boundsOf(motion: Motion, tape: Tape, others?: (take: (x: number, y: number, z: number, reach: number) => void) => void): Bounds {
  const { times } = tape;
  const [first, last] = [times[0] as number, times[times.length - 1] as number];
  return boundsAt(motion, tape, Array.from({ length: SAMPLES + 1 }, (_, k) => first + (k / SAMPLES) * (last - first)), others);
}

/** The bounds at some moments. */
export function boundsAt({ bodies }: Motion, tape: Tape, moments: readonly number[], others: (take: (x: number, y: number, z: number, reach: number) => void) => void = () => {}): Bounds {
  const low: Point = [Infinity, Infinity, Infinity];
  const high: Point = [-Infinity, -Infinity, -Infinity];
  const reachTo = (c: 0 | 1 | 2, from: number, to: number): void => {
    if (from < low[c]) low[c] = from;
    if (to > high[c]) high[c] = to;
  };
  const extend = (x: number, y: number, z: number, far: number): void => {
    if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) return;
    reachTo(0, x - far, x + far);
    reachTo(1, y - far, y + far);
    reachTo(2, z - far, z + far);
  };
  others(extend);
  for (const moment of moments) {
    const values = tape.evaluate(moment);
    for (const body of bodies) {
      if (body.on !== undefined) continue;
      const far = reach(values, body, bodies);
      for (const corner of corners(body)) extend(...pointOf(values, corner), far);
    }
  }
  if (!low.every(Number.isFinite)) return { low: [-1, -1, -1], high: [1, 1, 1], radius: 1, middle: [0, 0, 0] };
  const middle = low.map((value, c) => (value + (high[c] as number)) / 2) as Point;
  const radius = Math.hypot(...low.map((value, c) => ((high[c] as number) - value) / 2));
  return { low, high, radius: radius > 0 ? radius : 1, middle };
}
