/** Bodies that move in a plane: which columns are their position and heading, and where to draw the heading. */

import { type Column, type Run, rowsWithin } from "./data.ts";

export interface Body {
  /** The text that follows x and y in the names of the position; empty for plain x and y. */
  suffix: string;
  x: Column;
  y: Column;
  /** Angles of this body, the one that is most likely its heading first. */
  headings: Column[];
}

const ANGLES = ["heading", "yaw", "theta", "th", "phi", "ph", "varphi", "psi", "angle"];
/** The share of the motion that must keep one angle to a coordinate before its values, not its place, make it the heading. */
const ALIGNED = 0.98;

/**
 * Returns how steadily the direction of motion keeps one angle, up to reversal, to `angle`: 1 for a blade or a wheel, near 0
 * for an angle that has nothing to do with it. Steps count by their length, so that rest has no say.
 */
export function alignment({ x, y }: { x: Column; y: Column }, angle: Column): number {
  let real = 0;
  let imaginary = 0;
  let length = 0;
  for (let i = 1; i < x.values.length; ++i) {
    const dx = (x.values[i] as number) - (x.values[i - 1] as number);
    const dy = (y.values[i] as number) - (y.values[i - 1] as number);
    const middle = ((angle.values[i] as number) + (angle.values[i - 1] as number)) / 2;
    const step = Math.hypot(dx, dy);
    if (!Number.isFinite(step) || !Number.isFinite(middle) || step === 0) continue;
    const doubled = 2 * (Math.atan2(dy, dx) - middle);
    real += step * Math.cos(doubled);
    imaginary += step * Math.sin(doubled);
    length += step;
  }
  return length > 0 ? Math.hypot(real, imaginary) / length : 0;
}

/** The angle that the motion follows comes first; without one the order of the model stays. */
function headingsOf(position: { x: Column; y: Column }, suffix: string, base: Column[]): Column[] {
  const angles = base.filter(({ name }) => ANGLES.some((angle) => name === angle + suffix));
  if (angles.length < 2) return angles;
  const scores = angles.map((angle) => alignment(position, angle));
  const best = scores.indexOf(Math.max(...scores));
  if ((scores[best] as number) < ALIGNED) return angles;
  return [angles[best] as Column, ...angles.filter((_, i) => i !== best)];
}

/**
 * The positions in the plane among the base coordinates: x and y, or X and Y, or such a pair with one and the same
 * ending (x1, y1; x_c, y_c). No other names: q1 and q2 may be angles as well as lengths.
 */
export function planarBodies(run: Run): Body[] {
  const base = run.columns.filter(({ role }) => role === "base");
  return base.flatMap((x) => {
    const first = x.name.charAt(0);
    if (first !== "x" && first !== "X") return [];
    const suffix = x.name.slice(1);
    const y = base.find(({ name }) => name === (first === "x" ? "y" : "Y") + suffix);
    return y ? [{ suffix, x, y, headings: headingsOf({ x, y }, suffix, base) }] : [];
  });
}

/** Rows nearest to the middles of `count` equal parts of a window of time, each once. */
export function evenlyInTime(times: readonly number[], window: readonly [number, number], count: number): number[] {
  const [first, end] = rowsWithin(times, window[0], window[1]);
  if (end <= first) return [];
  const start = times[first] as number;
  const whole = (times[end - 1] as number) - start;
  const rows = new Set<number>();
  let row = first;
  for (let k = 0; k < count; ++k) {
    const wanted = start + ((k + 0.5) / count) * whole;
    const away = (i: number) => Math.abs((times[i] as number) - wanted);
    while (row + 1 < end && away(row + 1) <= away(row)) ++row;
    rows.add(row);
  }
  return [...rows];
}

/** The plot's markers turn clockwise from straight up, in degrees; an angle of the model anticlockwise from the x axis. */
export const markerAngle = (radians: number): number => {
  const degrees = (90 - (radians * 180) / Math.PI) % 360;
  return degrees > 180 ? degrees - 360 : degrees <= -180 ? degrees + 360 : degrees;
};
