/** Judges whether the rows of a run are close enough to each other for its motion. */

import { type Run, extent, heldRows, timeColumn } from "./data.ts";
import { formatCount, formatNumber } from "../page/format.ts";

/** Rows are judged in stretches of this length, since a motion may be fast for a while and slow later. */
const STRETCH = 64;
/** With fewer rows than this in a period a line between them is not a picture of the motion. */
const ROWS_PER_PERIOD = 8;
/** The number of rows of a period that is shown well. */
const GOOD_ROWS = 24;
/** Changes of direction by less than this part of the column's range are noise. */
const NOISE = 0.02;

/** In each stretch of rows, how many rows there are in a period of the column: an oscillation turns twice in one. */
function rowsPerPeriod(values: readonly number[]): number[] {
  const range = extent(values);
  const size = range ? range[1] - range[0] : 0;
  const large = range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0;
  const stretches = Math.max(1, Math.floor(values.length / STRETCH));
  return Array.from({ length: stretches }, (_, k) => {
    const first = Math.floor((k * values.length) / stretches);
    const end = Math.floor(((k + 1) * values.length) / stretches);
    if (size <= 1e-9 * large || end - first < STRETCH / 4) return Infinity;
    let turns = 0;
    for (let i = first + 1; i + 1 < end; ++i) {
      const before = (values[i] as number) - (values[i - 1] as number);
      const after = (values[i + 1] as number) - (values[i] as number);
      if (before * after < 0 && Math.min(Math.abs(before), Math.abs(after)) > NOISE * size) ++turns;
    }
    return (2 * (end - first - 2)) / turns;
  });
}

/** Returns for each row whether it stands in a stretch that is too fast for its rows. */
export function farApart(values: readonly number[]): boolean[] {
  const stretches = rowsPerPeriod(values);
  return values.map((_, i) => (stretches[Math.min(stretches.length - 1, Math.floor((i * stretches.length) / values.length))] as number) < ROWS_PER_PERIOD);
}

/** Coordinates that move by less than this part of the one of their kind that moves most are at rest but for rounding. */
const ROUNDING = 1e-13;

/** The columns of the state that move. */
function moving(run: Run) {
  return (["base", "fibre"] as const).flatMap((kind) => {
    const sized = run.columns
      .filter(({ role }) => role === kind)
      .map((column) => {
        const range = extent(column.values);
        return { column, size: range ? range[1] - range[0] : 0 };
      });
    const most = Math.max(0, ...sized.map(({ size }) => size));
    return sized.filter(({ size }) => size > ROUNDING * most).map(({ column }) => column);
  });
}

/** Returns the rows at which no column of the state may be joined to the next row; undefined if every line is sound. */
export function unjoined(run: Run): boolean[] | undefined {
  const rows = heldRows(run);
  const joined = new Array<boolean>(rows).fill(false);
  let any = false;
  for (const { values } of moving(run)) {
    farApart(values).forEach((far, i) => {
      if (far) any = joined[i] = true;
    });
  }
  return any ? joined : undefined;
}

/** Returns the rows at which this column is not joined to the next row, among the rows at which the state is not. */
export function unjoinedRows(values: readonly number[], apart: readonly boolean[] | undefined): boolean[] | undefined {
  if (!apart) return undefined;
  const own = farApart(values).map((far, i) => far && (apart[i] as boolean));
  return own.includes(true) ? own : undefined;
}

export interface Points {
  x: (number | null)[];
  y: (number | null)[];
  /** The row of each point; of a gap that of the point before it. */
  rows: number[];
  /** Diameters of marks; zero at rows through which a line runs. */
  marks: number[];
}

/** The rows from `first` on as a line with a gap between any two that may not be joined, where marks stand instead. */
export function withGaps(x: readonly (number | null)[], y: readonly (number | null)[], apart: readonly boolean[], first = 0, end = x.length, mark = 3): Points {
  const points: Points = { x: [], y: [], rows: [], marks: [] };
  const push = (i: number, gap: boolean) => {
    points.x.push(gap ? null : (x[i] as number | null));
    points.y.push(gap ? null : (y[i] as number | null));
    points.rows.push(i);
    points.marks.push(!gap && apart[i] ? mark : 0);
  };
  for (let i = first; i < end; ++i) {
    push(i, false);
    if (i + 1 < end && apart[i] && apart[i + 1]) push(i, true);
  }
  return points;
}

/** Returns a sentence on rows that are too few for the motion, and what to ask for; undefined if they are enough. */
export function samplingNote(run: Run): string | undefined {
  if (heldRows(run) < run.rows) return undefined;
  const fastest = moving(run)
    .map(({ name, values }) => ({ name, rows: Math.min(...rowsPerPeriod(values)) })).sort((a, b) => a.rows - b.rows)[0];
  if (!fastest || fastest.rows >= ROWS_PER_PERIOD) return undefined;
  const range = extent(timeColumn(run)?.values ?? []);
  const distance = range && run.rows > 1 ? (range[1] - range[0]) / (run.rows - 1) : 0;
  const said = `${formatCount(run.rows)} rows are too few for this motion: ${fastest.name} turns with ${formatNumber(fastest.rows, 2)} rows in a period or fewer, which may even be another period than that of the motion. Plots show such rows as points, without lines between them.`;
  const remedy =
    run.facts.step === 0 || run.facts.steps >= run.rows
      ? ` Store more of them, with --output-step ${Number(((distance * fastest.rows) / GOOD_ROWS).toPrecision(1))} or less.`
      : " Every step is stored: take smaller ones.";
  return said + remedy;
}
