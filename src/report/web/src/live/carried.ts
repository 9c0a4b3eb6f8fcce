/** Attitude and place of a body that turns and moves with given rates in its own frame, as the report computes them for its own rows. */

type Vector = [number, number, number];
/** A quaternion, whose scalar comes first. */
type Quaternion = [number, number, number, number];

export interface Pose {
  attitude: Quaternion;
  place: Vector;
}

/** Angle of one step: the series converges quickly below it. */
const LARGEST_ANGLE = 0.1;
const MOST_STEPS = 200;

const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

const product = (p: Quaternion, q: Quaternion): Quaternion => [
  p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
  p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
  p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
  p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
];

/** The attitude turned about a vector of the body by the vector's length. */
function turned(attitude: Quaternion, by: Vector): Quaternion {
  const angle = Math.hypot(...by);
  const factor = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  const q = product(attitude, [Math.cos(angle / 2), factor * by[0], factor * by[1], factor * by[2]]);
  const norm = Math.hypot(...q);
  return q.map((c) => c / norm) as Quaternion;
}

function rotated(q: Quaternion, v: Vector): Vector {
  const axis: Vector = [q[1], q[2], q[3]];
  const once = cross(axis, v);
  const twice = cross(axis, once);
  return v.map((c, k) => c + 2 * (q[0] * (once[k] as number) + (twice[k] as number))) as Vector;
}

/** The attitude of a quaternion, or of a rotation matrix by rows. */
export function attitudeOf(values: readonly number[]): Quaternion {
  if (values.length === 4) return [...values] as Quaternion;
  const m = values as [number, number, number, number, number, number, number, number, number];
  const trace = m[0] + m[4] + m[8];
  const largest = Math.max(m[0], m[4], m[8], trace);
  const quaternion: Quaternion =
    largest === trace
      ? [1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]]
      : largest === m[0]
        ? [m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]]
        : largest === m[4]
          ? [m[2] - m[6], m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]]
          : [m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4]];
  return turned(quaternion, [0, 0, 0]);
}

/** Slope of values at a row, from the parabola through it and its neighbours. */
function slope(times: readonly number[], values: readonly Vector[], row: number, c: number): number {
  const time = (k: number) => times[k] as number;
  const value = (k: number) => (values[k] as Vector)[c] as number;
  const secant = (k: number) => (value(k + 1) - value(k)) / (time(k + 1) - time(k));
  const last = times.length - 1;
  if (last === 1) return secant(0);
  const middle = Math.min(Math.max(row, 1), last - 1);
  const bend = (secant(middle) - secant(middle - 1)) / (time(middle + 1) - time(middle - 1));
  return secant(middle - 1) + bend * (time(middle) - time(middle - 1) + 2 * (time(row) - time(middle)));
}

/** Rates over the interval after a row, as a cubic of the part of it that is over. */
function ratesAfter(times: readonly number[], values: readonly Vector[], row: number): (s: number) => Vector {
  const h = (times[row + 1] as number) - (times[row] as number);
  const [from, to] = [values[row] as Vector, values[row + 1] as Vector];
  const slopes = [0, 1, 2].map((c) => [h * slope(times, values, row, c), h * slope(times, values, row + 1, c)] as const);
  return (s) => {
    const r = 1 - s;
    return slopes.map(([a, b], c) => r * r * (1 + 2 * s) * (from[c] as number) + s * s * (3 - 2 * s) * (to[c] as number) + r * r * s * a - s * s * r * b) as Vector;
  };
}

/** Turning from s to s + d in units of the interval h: Magnus' series to order 4 for right multiplication. */
function turning(spin: (s: number) => Vector, s: number, d: number, h: number): Vector {
  const [first, middle, last] = [spin(s), spin(s + d / 2), spin(s + d)];
  const bend = cross(first, last);
  return first.map((value, c) => (h * d * (value + 4 * (middle[c] as number) + (last[c] as number))) / 6 + (h * h * d * d * (bend[c] as number)) / 12) as Vector;
}

function step(pose: Pose, spin: (s: number) => Vector, drift: (s: number) => Vector, s: number, d: number, h: number): Pose {
  const half = turned(pose.attitude, turning(spin, s, d / 2, h));
  const end = turned(pose.attitude, turning(spin, s, d, h));
  const [a, b, c] = [rotated(pose.attitude, drift(s)), rotated(half, drift(s + d / 2)), rotated(end, drift(s + d))];
  return { attitude: end, place: pose.place.map((value, k) => value + (h * d * ((a[k] as number) + 4 * (b[k] as number) + (c[k] as number))) / 6) as Vector };
}

/** The poses at the given times of R' = R [spin]x, x' = R drift from a pose at the first time. */
export function carried(times: readonly number[], spin: readonly Vector[], drift: readonly Vector[], start: Pose): Pose[] {
  const poses = [start];
  for (let row = 0; row + 1 < times.length; ++row) {
    const h = (times[row + 1] as number) - (times[row] as number);
    const [turn, move] = [ratesAfter(times, spin, row), ratesAfter(times, drift, row)];
    const angle = Math.abs(h) * Math.hypot(...(spin[row] as Vector));
    const steps = Number.isFinite(angle) ? Math.min(Math.max(Math.ceil(angle / LARGEST_ANGLE), 1), MOST_STEPS) : 1;
    let pose = poses[row] as Pose;
    for (let k = 0; k < steps; ++k) pose = step(pose, turn, move, k / steps, 1 / steps, h);
    poses.push(pose);
  }
  return poses;
}

/** Returns the poses that R' = [spin]x R, x' = drift give, with rates along the axes of space. */
export function carriedInSpace(times: readonly number[], spin: readonly Vector[], drift: readonly Vector[], start: Pose): Pose[] {
  // The transpose S of R obeys S' = S [-spin]x.
  const inverse = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];
  const rest = times.map((): Vector => [0, 0, 0]);
  const backwards = spin.map((rate) => rate.map((c) => -c) as Vector);
  const turns = carried(times, backwards, rest, { attitude: inverse(start.attitude), place: [0, 0, 0] });
  const places = carried(times, rest, drift, { attitude: [1, 0, 0, 0], place: start.place });
  return turns.map(({ attitude }, row) => ({ attitude: inverse(attitude), place: (places[row] as Pose).place }));
}
