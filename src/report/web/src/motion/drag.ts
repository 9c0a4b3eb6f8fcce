/** Bodies that are drawn to another place: the coordinates of the start that put them there. */

import type { Motion } from "../run/motion.ts";
import { type Point, pointOf } from "./poses.ts";
import type { Tape } from "./tape.ts";

const STEPS = 40;
/** The largest change of a coordinate in a step, so that angles do not wind up if the slopes are small. */
const LONGEST = 0.4;

/** Solution of a symmetric system of three equations that is positive definite. */
function solved(a: number[][], b: Point): Point {
  const rows = a.map((row, i) => [...row, b[i] as number]);
  for (let k = 0; k < 3; ++k) {
    const pivot = rows[k] as number[];
    for (let i = k + 1; i < 3; ++i) {
      const row = rows[i] as number[];
      const factor = (row[k] as number) / (pivot[k] as number);
      for (let j = k; j < 4; ++j) row[j] = (row[j] as number) - factor * (pivot[j] as number);
    }
  }
  const x: Point = [0, 0, 0];
  for (let k = 2; k >= 0; --k) {
    const row = rows[k] as number[];
    let rest = row[3] as number;
    for (let j = k + 1; j < 3; ++j) rest -= (row[j] as number) * (x[j] as number);
    x[k] = rest / (row[k] as number);
  }
  return x;
}

const minus = (a: Point, b: Point): Point => a.map((value, c) => value - (b[c] as number)) as Point;
const size = (a: Point): number => Math.hypot(...a);

/** The components that say where a body is: its middle, or the far end of a rod. */
export const handleOf = (motion: Motion, body: number): readonly number[] | undefined => {
  const one = motion.bodies[body];
  if (!one || one.on !== undefined || one.shape === "path" || one.shape === "ground") return undefined;
  return one.shape === "rod" ? one.to : one.at;
};

/** Returns the part of a vector that is perpendicular to a direction of length 1. */
const across = (a: Point, along: Point): Point => {
  const part = a.reduce((sum, value, c) => sum + value * (along[c] as number), 0);
  return a.map((value, c) => value - part * (along[c] as number)) as Point;
};

/**
 * The coordinates near `from` that bring a point of the picture as near as they can to the line through `target` along a
 * direction, on which the reader sees one point: steps of Gauss and Newton, the
 * shortest ones, damped where they do not help. Coordinates that do not move the point stay. Undefined if none moves it.
 */
export function coordinatesFor(tape: Tape, time: number, place: readonly number[], from: ReadonlyMap<string, number>, target: Point, along: Point): Map<string, number> | undefined {
  const at = (values: ReadonlyMap<string, number>): Point => pointOf(tape.evaluate(time, values), place);
  let known = new Map(from);
  let off = across(minus(target, at(known)), along);
  if (!Number.isFinite(size(off))) return undefined;
  let damping = 1e-6;
  let moves = false;
  for (let k = 0; k < STEPS && size(off) > 0; ++k) {
    const here = at(known);
    const slopes = [...known].map(([name, value]): [string, Point] => {
      const step = 1e-6 * Math.max(1, Math.abs(value));
      return [name, across(minus(at(new Map(known).set(name, value + step)), here), along).map((change) => change / step) as Point];
    });
    const normal = [0, 1, 2].map((i) => [0, 1, 2].map((j) => slopes.reduce((sum, [, s]) => sum + (s[i] as number) * (s[j] as number), 0)));
    const scale = Math.max(...normal.map((row, i) => row[i] as number));
    if (!(scale > 0)) break;
    const weights = solved(normal.map((row, i) => row.map((value, j) => value + (i === j ? damping * scale : 0))), off);
    const changes = slopes.map(([name, s]): [string, number] => [name, s.reduce((sum, value, c) => sum + value * (weights[c] as number), 0)]);
    const longest = Math.max(...changes.map(([name, change]) => Math.abs(change) / Math.max(1, Math.abs(known.get(name) as number))));
    const share = Math.min(1, LONGEST / longest);
    const next = new Map(changes.map(([name, change]) => [name, (known.get(name) as number) + share * change]));
    const rest = across(minus(target, at(next)), along);
    if (size(rest) < size(off)) {
      [known, off, moves] = [next, rest, true];
      damping = Math.max(damping / 10, 1e-9);
    } else if ((damping *= 10) > 1e6) break;
  }
  return moves ? known : undefined;
}
