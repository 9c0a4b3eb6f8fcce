/** Cuts through the cells of a map, and where they stand on an axis. */

import { equallySpaced } from "../figures/shades.ts";
import { formatNumber } from "../page/format.ts";
import type { GridAxis } from "./sweepdata.ts";

/**
 * The cells over two axes with the others held at `at`, as rows of the vertical axis. Cells are stored with the last
 * axis running fastest.
 */
export function cut(cells: readonly number[], lengths: readonly number[], horizontal: number, vertical: number, at: readonly number[]): number[][] {
  const strides = lengths.map((_, k) => lengths.slice(k + 1).reduce((product, length) => product * length, 1));
  const start = strides.reduce((sum, stride, k) => (k === horizontal || k === vertical ? sum : sum + stride * (at[k] ?? 0)), 0);
  return Array.from({ length: lengths[vertical] as number }, (_, j) =>
    Array.from({ length: lengths[horizontal] as number }, (_, i) => cells[start + i * (strides[horizontal] as number) + j * (strides[vertical] as number)] ?? Number.NaN),
  );
}

export interface Scale {
  title: string;
  /** The place of the first cell, and from each to the next. */
  first: number;
  step: number;
  cells: number;
  /** Ticks of an axis whose places are not the values themselves. */
  ticks: { at: number[]; text: string[] } | undefined;
}

/** The last cell of an axis that was made coarser may be a narrow one. */
const equalSteps = (values: readonly number[], coarse: boolean): boolean => equallySpaced(coarse && values.length > 2 ? values.slice(0, -1) : values);

const TICKS = 6;

/** Equally spaced values stand at their places; of others each cell is as wide as the next, and ticks name the values. */
export function scaleOf(axis: GridAxis): Scale {
  const values = axis.values[0] ?? [];
  const title = axis.labels.join(", ");
  if (axis.labels.length === 1 && equalSteps(values, axis.width > 1)) {
    return { title, first: values[0] as number, step: (values[1] as number) - (values[0] as number), cells: axis.cells, ticks: undefined };
  }
  const every = Math.max(1, Math.ceil((axis.cells - 1) / TICKS));
  const at = Array.from({ length: axis.cells }, (_, i) => i).filter((i) => i % every === 0);
  return { title, first: 0, step: 1, cells: axis.cells, ticks: { at, text: at.map((i) => valueAt(axis, i, 3)) } };
}

/** The values of a cell, of several quantities side by side. */
export const valueAt = (axis: GridAxis, cell: number, digits = 6): string => axis.values.map((values) => formatNumber(values[cell] as number, digits)).join(", ");

/** "gamma = 0.1, k = 2" */
export const placeOf = (axis: GridAxis, cell: number): string =>
  axis.labels.map((label, k) => `${label} = ${formatNumber(axis.values[k]?.[cell] as number)}`).join(", ");
