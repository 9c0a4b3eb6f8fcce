/** The differences of two runs: in their settings, and row by row. */

import { formatNumber } from "../page/format.ts";
import { type Column, type NamedNumber, type Run, timeColumn } from "../run/data.ts";

/** A fact that both runs have, or one of them. */
export interface Difference {
  name: string;
  values: [string, string];
}

const ABSENT = "–";

function ofNumbers(kind: string, first: NamedNumber[], second: NamedNumber[]): Difference[] {
  const value = (list: NamedNumber[], name: string) => list.find((pair) => pair.name === name)?.value;
  const shown = (number: number | undefined) => (number === undefined ? ABSENT : formatNumber(number, 12));
  return [...new Set([...first, ...second].map(({ name }) => name))]
    .filter((name) => !Object.is(value(first, name), value(second, name)))
    .map((name) => ({ name: `${kind}${name}`, values: [shown(value(first, name)), shown(value(second, name))] }));
}

/** Settings, parameters and initial values that are not the same in both runs. */
export function settingsApart({ facts: first }: Run, { facts: second }: Run): Difference[] {
  const words: [string, string, string][] = [
    ["Model", first.model_name, second.model_name],
    ["Method", first.method, second.method],
    ["Step", first.step > 0 ? formatNumber(first.step, 12) : ABSENT, second.step > 0 ? formatNumber(second.step, 12) : ABSENT],
    ["Tolerance", first.tolerance > 0 ? formatNumber(first.tolerance, 12) : ABSENT, second.tolerance > 0 ? formatNumber(second.tolerance, 12) : ABSENT],
    ["Asked for t", formatNumber(first.t_end, 12), formatNumber(second.t_end, 12)],
    ["Herglotz version", first.version, second.version],
  ];
  const named = words.filter(([, one, other]) => one !== other).map(([name, one, other]): Difference => ({ name, values: [one, other] }));
  return [...named, ...ofNumbers("", first.parameters, second.parameters), ...ofNumbers("start ", first.initial, second.initial)];
}

const sameNumbers = (first: readonly number[], second: readonly number[]): boolean => first.length === second.length && first.every((value, i) => value === second[i]);

/** The value at `t` of the cubic through the four rows around it; of fewer rows the line or the parabola through them. */
function interpolated(times: readonly number[], values: readonly number[], t: number, after: number): number {
  const first = Math.max(0, Math.min(after - 2, times.length - 4));
  const nodes = Array.from({ length: Math.min(4, times.length) }, (_, i) => first + i);
  return nodes.reduce((sum, i) => {
    const weight = nodes.reduce((product, j) => (j === i ? product : (product * (t - (times[j] as number))) / ((times[i] as number) - (times[j] as number))), 1);
    return sum + weight * (values[i] as number);
  }, 0);
}

/** Returns the second run at the times of the first, and NaN at times that it did not reach. */
export function atTimes(times: readonly number[], otherTimes: readonly number[], values: readonly number[]): number[] {
  if (sameNumbers(times, otherTimes)) return [...values];
  const sign = (otherTimes.at(-1) ?? 0) >= (otherTimes[0] ?? 0) ? 1 : -1;
  let after = 0;
  return times.map((t) => {
    while (after < otherTimes.length && sign * (otherTimes[after] as number) < sign * t) ++after;
    if (otherTimes[after] === t) return values[after] as number;
    if (after === 0 || after === otherTimes.length) return Number.NaN;
    return interpolated(otherTimes, values, t, after);
  });
}

export interface RowDifferences {
  columns: Column[];
  /** True if both runs have the same times, so that nothing was interpolated. */
  exact: boolean;
}

/** Second minus first of every state column that both have, at the times of the first. */
export function rowsApart(first: Run, second: Run): RowDifferences | undefined {
  const [times, others] = [timeColumn(first)?.values, timeColumn(second)?.values];
  if (!times || !others || others.length < 2) return undefined;
  const columns = first.columns.flatMap((column) => {
    const other = second.columns.find(({ name, role }) => name === column.name && role === column.role);
    if (!other || !["base", "fibre", "action"].includes(column.role)) return [];
    const moved = atTimes(times, others, other.values);
    const values = column.values.map((value, i) => (moved[i] as number) - value);
    return [{ name: column.name, role: column.role, values, largest: values.reduce((a, b) => (Math.abs(b) > a ? Math.abs(b) : a), 0) }];
  });
  return columns.length > 0 ? { columns, exact: sameNumbers(times, others) } : undefined;
}
