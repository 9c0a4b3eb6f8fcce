/** The picture of a motion as the page holds it: bodies, and one list of operations that gives their places. */

import { decodeNumber, extent } from "./data.ts";

/** A number, a column by its name, or a function of earlier operations by their indices. */
export type Operation = ["number", number] | ["column", string] | [string, ...number[]];

export type Shape = "sphere" | "box" | "rod" | "wheel" | "frame" | "path" | "ground";

/** A body, whose components are indices of operations. */
export interface MotionBody {
  name: string;
  shape: Shape;
  color?: string;
  /** The body whose path this is. */
  of?: string;
  /** The body in whose frame this one is placed. */
  on?: string;
  at?: number[];
  from?: number[];
  to?: number[];
  /** A quaternion, its scalar first, or a matrix by rows. */
  attitude?: number[];
  radius?: number[];
  width?: number[];
  size?: number[];
}

/** Bodies of one kind, one for each site or edge. Their components are numbers of `components`. */
export interface MotionArray {
  name: string;
  shape: Exclude<Shape, "ground"> | "curve" | "surface";
  color?: string;
  /** The bodies whose paths these are. */
  of?: string;
  bodies: number;
  /** Bodies that stand along one line. */
  along: number;
  /** Points of a surface along the second index. */
  columns?: number;
  at?: number[];
  from?: number[];
  to?: number[];
  attitude?: number[];
  radius?: number[];
  width?: number[];
  size?: number[];
  /** The value that colours a body. */
  tint?: number[];
}

/** One component of the bodies of an array: a value for each body at each moment, or at all of them. */
export interface SiteComponent {
  bodies: number;
  moments: number;
  values: Float32Array;
}

export interface Motion {
  bodies: MotionBody[];
  arrays: MotionArray[];
  components: SiteComponent[];
  /** The times at which components are known. */
  moments: number[];
  operations: Operation[];
  /** Columns that only the picture needs. */
  columns: { name: string; values: number[] }[];
  camera?: { from: number[]; at: number[]; up: number[] };
  /** The reason why this is not the view that the model states. */
  note?: string;
}

export const decodeOperations = (raw: readonly Operation[]): Operation[] => raw.map((operation) => (operation[0] === "number" ? ["number", decodeNumber(operation[1])] : operation));

/** Returns whether there is a body to draw. */
export const isDrawn = ({ bodies, arrays }: Motion): boolean => bodies.length + arrays.length > 0;

const NO_VALUE = 65535;

/** Numbers of two bytes, the least significant one first. */
function codesOf(data: string): Uint16Array {
  const bytes = atob(data);
  return Uint16Array.from({ length: bytes.length / 2 }, (_, k) => bytes.charCodeAt(2 * k) + 256 * bytes.charCodeAt(2 * k + 1));
}

/** A component as a page gets it: multiples of a step above the lowest value, as text in a report and as they are in the studio. */
export interface CodedComponent {
  bodies: number;
  moments: number;
  low: unknown;
  step: unknown;
  data: string | Uint16Array;
}

export function decodeComponent({ bodies, moments, low, step, data }: CodedComponent): SiteComponent {
  const [least, unit] = [decodeNumber(low), decodeNumber(step)];
  const codes = typeof data === "string" ? codesOf(data) : data;
  if (codes.length !== bodies * moments) throw new Error(`the report holds ${codes.length} values for ${moments} moments of ${bodies} bodies`);
  // A plain loop: the values of a run of the studio follow a slider.
  const values = new Float32Array(codes.length);
  for (let k = 0; k < values.length; ++k) {
    const code = codes[k] as number;
    values[k] = code === NO_VALUE ? Number.NaN : least + unit * code;
  }
  return { bodies, moments, values };
}

/** As many values as a component tells apart. */
const LEVELS = 65_536;

/** The range of all values but the lowest and the highest hundredth, found by counting, since sorting would hold up a slider. */
export function innerRange(values: ArrayLike<number>): [number, number] {
  const whole = extent(values);
  if (!whole) return [0, 1];
  const [low, high] = whole;
  const step = (high - low) / (LEVELS - 1);
  if (step === 0) return whole;
  const counts = new Uint32Array(LEVELS);
  let known = 0;
  for (let k = 0; k < values.length; ++k) {
    const value = values[k] as number;
    if (!Number.isFinite(value)) continue;
    const level = Math.round((value - low) / step);
    counts[level] = (counts[level] as number) + 1;
    ++known;
  }
  const valueAt = (place: number) => {
    let level = 0;
    for (let below = counts[0] as number; below <= place; below += counts[++level] as number);
    return low + level * step;
  };
  return [valueAt(Math.floor(0.01 * (known - 1))), valueAt(Math.ceil(0.99 * (known - 1)))];
}

export function decodeMotion(raw: any): Motion | undefined {
  if (!raw) return undefined;
  return {
    ...raw,
    arrays: raw.arrays ?? [],
    components: (raw.components ?? []).map(decodeComponent),
    moments: (raw.moments ?? []).map(decodeNumber),
    operations: decodeOperations(raw.operations ?? []),
    columns: (raw.columns ?? []).map(({ name, values }: { name: string; values: unknown[] }) => ({ name, values: values.map(decodeNumber) })),
  };
}
