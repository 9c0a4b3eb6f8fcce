/** The picture of a motion as the page holds it: bodies, and one list of operations that gives their places. */

import { decodeNumber } from "./data.ts";

/** A number, a column by its name, or a function of earlier operations by their indices. */
export type Operation = ["number", number] | ["column", string] | [string, ...number[]];

export type Shape = "sphere" | "box" | "rod" | "wheel" | "frame" | "path" | "ground";

/** Components are indices of operations. */
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

export interface Motion {
  bodies: MotionBody[];
  operations: Operation[];
  /** Columns that only the picture needs. */
  columns: { name: string; values: number[] }[];
  camera?: { from: number[]; at: number[]; up: number[] };
  /** Why this is not the view that the model states. */
  note?: string;
}

export const decodeOperations = (raw: readonly Operation[]): Operation[] => raw.map((operation) => (operation[0] === "number" ? ["number", decodeNumber(operation[1])] : operation));

export function decodeMotion(raw: any): Motion | undefined {
  if (!raw) return undefined;
  return {
    ...raw,
    operations: decodeOperations(raw.operations ?? []),
    columns: (raw.columns ?? []).map(({ name, values }: { name: string; values: unknown[] }) => ({ name, values: values.map(decodeNumber) })),
  };
}
