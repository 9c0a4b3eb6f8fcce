/** The run as the page holds it: columns of numbers and the facts that make them reproducible. */

export type Role =
  | "time"
  | "base"
  | "fibre"
  | "action"
  | "multiplier"
  | "energy"
  | "factor"
  | "invariant"
  | "residual"
  | "momentum"
  | "constraint"
  | "observable";

export interface Column {
  name: string;
  role: Role;
  /** Largest |value| over every stored row, also those that the page leaves out. */
  largest: number;
  values: number[];
}

export interface NamedNumber {
  name: string;
  value: number;
}

export interface Facts {
  model_name: string;
  title: string;
  reference: string;
  model_text: string;
  parameters: NamedNumber[];
  initial: NamedNumber[];
  /** The conditions or the rule that chose rates which a singular Lagrangian leaves arbitrary; empty for a regular one. */
  gauge: string;
  method: string;
  method_reason: string;
  order: number;
  step: number;
  tolerance: number;
  t_end: number;
  status: string;
  complete: boolean;
  version: string;
  wall_seconds: number;
  steps: number;
  rejected_steps: number;
  newton_iterations: number;
  largest_energy_residual: number;
  largest_momentum_residuals: NamedNumber[];
  largest_dissipated_residuals: NamedNumber[];
  /** The largest residual of the constraint equations, and of the derivatives of velocity-free ones. */
  largest_constraint_residual: number;
  /** |value| of each declared invariant, which the motion keeps at zero. */
  largest_invariants: NamedNumber[];
  /** Laws whose quantity has decayed to round-off, and the time from which it has. */
  at_round_off: NamedNumber[];
  /** Sentences that a reader should see: a start that was moved, a constraint that follows from others. */
  notes: string[];
  equations_latex: string;
}

/** The states at which a watched function crossed zero. */
export interface RunEvent {
  name: string;
  /** The number of crossings in the run; the page may hold fewer. */
  count: number;
  columns: { name: string; values: number[] }[];
}

export interface Run {
  /** Rows of the run; the page may hold fewer. */
  rows: number;
  facts: Facts;
  columns: Column[];
  events: RunEvent[];
  /** The data that solution.ts reads, if the run is a solution. */
  solution?: unknown;
  /** The data that motion.ts decodes, if there is a body to draw. */
  motion?: unknown;
  /** The data that fields.ts decodes, if the model has an index. */
  fields?: unknown;
  /** Parameters that are numbers of sites, and so whole numbers. */
  counts?: string[];
}

const NON_FINITE: Record<string, number> = { NaN: Number.NaN, Infinity: Infinity, "-Infinity": -Infinity };

/** JSON has no NaN and no infinities: they travel as strings. */
export function decodeNumber(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" && value in NON_FINITE) return NON_FINITE[value] as number;
  throw new Error(`the report holds ${JSON.stringify(value)} where a number belongs`);
}

const decodeNamed = (pairs: { name: string; value: unknown }[]): NamedNumber[] =>
  pairs.map(({ name, value }) => ({ name, value: decodeNumber(value) }));

export const decodeRun = (text: string): Run => runOf(JSON.parse(text));

export function runOf(raw: any): Run {
  if (raw.format !== 1) throw new Error(`the report's data has format ${raw.format}; this page reads format 1`);
  const facts = raw.facts;
  for (const key of ["step", "tolerance", "t_end", "wall_seconds", "largest_energy_residual", "largest_constraint_residual"]) {
    facts[key] = decodeNumber(facts[key]);
  }
  for (const key of ["parameters", "initial", "largest_momentum_residuals", "largest_dissipated_residuals", "largest_invariants", "at_round_off"]) facts[key] = decodeNamed(facts[key]);
  const columns: Column[] = raw.columns.map((column: Column) => ({
    ...column,
    largest: decodeNumber(column.largest),
    values: column.values.map(decodeNumber),
  }));
  const events: RunEvent[] = raw.events.map((event: RunEvent) => ({
    ...event,
    columns: event.columns.map(({ name, values }) => ({ name, values: values.map(decodeNumber) })),
  }));
  return { rows: raw.rows, facts, columns, events, solution: raw.solution, motion: raw.motion, fields: raw.fields, counts: raw.counts };
}

/** Returns the values of a column where an event happened; empty if it was not stored there. */
export const crossingsOf = (event: RunEvent, column: Column): number[] => event.columns.find(({ name }) => name === column.name)?.values ?? [];

/** Rows that the page holds. */
export const heldRows = (run: Run): number => run.columns[0]?.values.length ?? 0;

export const timeColumn = (run: Run): Column | undefined => run.columns.find((column) => column.role === "time");

/** The base coordinates of a run with their values at the start. */
export const movable = (run: Run): Map<string, number> =>
  new Map(run.facts.initial.filter(({ name }) => run.columns.some((column) => column.name === name && column.role === "base")).map(({ name, value }) => [name, value]));

/** Returns the smallest and largest finite value, or `undefined` if no value is finite. */
export function extent(values: ArrayLike<number>): [number, number] | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; ++k) {
    const value = values[k] as number;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

/** Values that agree to nine digits are steady: an axis fitted to them would show round-off only. */
export function steadyRange(columns: readonly (readonly (number | null)[])[]): [number, number] | undefined {
  const range = extent(columns.flatMap((values) => extent(values.map((value) => value ?? Number.NaN)) ?? []));
  if (!range) return undefined;
  const size = Math.max(Math.abs(range[0]), Math.abs(range[1]));
  if (size === 0 || range[1] - range[0] > 1e-9 * size) return undefined;
  return [range[0] - 0.05 * size, range[1] + 0.05 * size];
}

/** Returns whether a logarithmic axis shows more: every value is positive, and at least two decades between them. */
export function spansDecades(values: ArrayLike<number>): boolean {
  const range = extent(values);
  return range !== undefined && range[0] > 0 && range[1] / range[0] >= 100;
}

/** Residuals at or below this are drawn here, so that an exact zero has a place on a logarithmic axis. */
export const RESIDUAL_FLOOR = 1e-18;

/** Relative residuals up to here, and residuals of quantities of size one, are what floating-point arithmetic leaves. */
export const ROUND_OFF = 1e-13;

/**
 * The range of a logarithmic axis of residuals, in powers of ten, with a little room. Where round-off is in sight the
 * axis reaches from the floor to well above it, so that noise stands at the bottom and looks as small as it is. Values on
 * the floor, and the few that a change of sign brings close to zero, set no range.
 */
export function residualRange(columns: readonly (readonly (number | null)[])[]): [number, number] {
  const above = columns.flatMap((values) => values.filter((value): value is number => value !== null && value > RESIDUAL_FLOOR));
  above.sort((a, b) => a - b);
  const low = Math.log10(above[Math.floor(0.01 * above.length)] ?? RESIDUAL_FLOOR);
  const high = Math.log10(above[above.length - 1] ?? RESIDUAL_FLOOR);
  const bottom = low <= Math.log10(ROUND_OFF) ? Math.log10(RESIDUAL_FLOOR) : low;
  return [bottom - 0.4, Math.max(high, Math.log10(ROUND_OFF) + 2) + 0.4];
}

/** Returns |value| with the floor; a gap (null) if the value is not finite. */
export const magnitudes = (values: readonly number[]): (number | null)[] =>
  values.map((value) => (Number.isFinite(value) ? Math.max(Math.abs(value), RESIDUAL_FLOOR) : null));

export const finiteOrGap = (values: readonly number[]): (number | null)[] =>
  values.map((value) => (Number.isFinite(value) ? value : null));

/** First and one-past-last index of the rows with time in [from, to]; times ascend, or descend in a run backwards. */
export function rowsWithin(times: readonly number[], from: number, to: number): [number, number] {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  const first = times.findIndex((t) => t >= low && t <= high);
  if (first < 0) return [0, 0];
  let last = first;
  while (last < times.length && (times[last] as number) >= low && (times[last] as number) <= high) ++last;
  return [first, last];
}

const csvNumber = (value: number): string =>
  Number.isNaN(value) ? "nan" : value === Infinity ? "inf" : value === -Infinity ? "-inf" : Object.is(value, -0) ? "-0" : String(value);

const csvName = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** One header line, then one line per held row; each number reads back to the same bits. */
export function toCsv(run: Run): string {
  const lines = [run.columns.map((column) => csvName(column.name)).join(",")];
  for (let row = 0; row < heldRows(run); ++row) {
    lines.push(run.columns.map((column) => csvNumber(column.values[row] as number)).join(","));
  }
  return lines.join("\n") + "\n";
}
