/** An ensemble as the page holds it: maps, fans and histograms of all members, and some of the members. */

import { type Role, decodeNumber } from "../run/data.ts";
import { type Motion, decodeMotion } from "../run/motion.ts";

export interface Failures {
  reason: string;
  members: number;
  /** The numbers of the first few of them; a page does not list thousands. */
  first: number[];
}

export interface SweepFacts {
  model_name: string;
  model_text: string;
  /** The quantities that vary, as TOML. */
  sweep: string;
  method: string;
  order: number;
  version: string;
  complete: boolean;
  members: number;
  failed: number;
  failures: Failures[];
  steps: number;
  shape: number[];
  keep: "trajectory" | "times" | "final" | "statistics";
  /** Rows of the file; a fan may have fewer. */
  rows: number;
  /** The name of time. */
  time: string;
  t_last: number;
  /** The largest residual over all members for each column of residuals of which a member has one. */
  largest_residuals: { column: string; largest: number }[];
}

/** Statistics over the members with a finite value. */
export interface Summary {
  count: number;
  mean: number;
  deviation: number;
  least: number;
  largest: number;
}

export interface Fan {
  mean: number[];
  deviation: number[];
  least: number[];
  largest: number[];
  /** Quantiles at 5, 25, 50, 75 and 95 percent; empty if the file has moments only. */
  quantiles: number[][];
}

export interface Histogram {
  from: number;
  to: number;
  counts: number[];
}

export interface SweepColumn {
  name: string;
  role: Role;
  /** The statistics in the last row. */
  last: Summary;
  /** The fan of all members. */
  fan: Fan | undefined;
  /** The fan of the members of each cell in `fanCells`. */
  fans: Fan[];
  histogram: Histogram | undefined;
  /** Means over the members of each cell; the last axis runs fastest. */
  cells: number[];
  /** Statistics within cells; empty if each cell is one member. */
  deviation: number[];
  /** The points of the members on the page. */
  points: number[];
}

export interface Quantity {
  label: string;
  random: boolean;
  points: number[];
}

/** An axis of the map: one quantity, or several that run in step. */
export interface GridAxis {
  labels: string[];
  /** One entry for each quantity and cell. */
  values: number[][];
  /** The number of points of the grid. */
  points: number;
  /** Points in a cell. */
  width: number;
  cells: number;
}

/** A member whose motion the page draws. */
export interface MovingMember {
  member: number;
  /** The values of the quantities of the sweep. */
  swept: number[];
  motion: Motion;
  columns: Map<string, number[]>;
}

/** Motions of some members, evenly spread over all. */
export interface SweepMotion {
  times: number[];
  members: MovingMember[];
  /** The reason why it is missing. */
  note?: string;
}

export interface Sweep {
  facts: SweepFacts;
  quantities: Quantity[];
  axes: GridAxis[];
  membersPerCell: number;
  /** Numbers of the members on the page. */
  members: number[];
  times: number[];
  /** Cells of a map with one axis that have fans of their own. */
  fanCells: number[];
  /** The number of members of which the quantiles are taken. */
  quantileMembers: number;
  columns: SweepColumn[];
  motion: SweepMotion | undefined;
}

/** Numbers travel as base64 of their bits, the least significant byte first. */
export function unpack(text: string): number[] {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

/** "parameters.gamma" is gamma, "initial.q" the q of the start. */
export function labelOf(name: string): string {
  return name.startsWith("initial.") ? `${name.slice("initial.".length)} at the start` : name.replace(/^parameters\./, "");
}

const decodeSummary = (raw: Record<keyof Summary, unknown>): Summary => ({
  count: decodeNumber(raw.count),
  mean: decodeNumber(raw.mean),
  deviation: decodeNumber(raw.deviation),
  least: decodeNumber(raw.least),
  largest: decodeNumber(raw.largest),
});

const decodeFan = (raw: { mean: string; deviation: string; least: string; largest: string; quantiles: string[] }): Fan => ({
  mean: unpack(raw.mean),
  deviation: unpack(raw.deviation),
  least: unpack(raw.least),
  largest: unpack(raw.largest),
  quantiles: raw.quantiles.map(unpack),
});

function decodeMotions(raw: any): SweepMotion | undefined {
  if (!raw) return undefined;
  if (raw.note !== undefined) return { times: [], members: [], note: raw.note };
  return {
    times: unpack(raw.times),
    members: raw.members.map(({ member, swept, motion, columns }: any) => ({
      member,
      swept: unpack(swept),
      motion: decodeMotion(motion) as Motion,
      columns: new Map(columns.map(({ name, values }: { name: string; values: string }) => [name, unpack(values)])),
    })),
  };
}

/** The time at which members ended is mostly one and the same: it is offered last. */
const timeLast = (a: SweepColumn, b: SweepColumn): number => Number(a.role === "time") - Number(b.role === "time");

export function sweepOf(raw: any): Sweep {
  if (raw.format !== 1) throw new Error(`the report's data has format ${raw.format}; this page reads format 1`);
  const names: string[] = raw.quantities.map(({ name }: { name: string }) => name);
  return {
    facts: {
      ...raw.facts,
      t_last: decodeNumber(raw.facts.t_last),
      largest_residuals: raw.facts.largest_residuals.map(({ column, largest }: { column: string; largest: unknown }) => ({ column, largest: decodeNumber(largest) })),
    },
    quantities: raw.quantities.map(({ name, random, points }: { name: string; random: boolean; points: string }) => ({ label: labelOf(name), random, points: unpack(points) })),
    axes: raw.axes.map((axis: { quantities: number[]; values: string[]; points: number; width: number; cells: number }) => ({
      labels: axis.quantities.map((k) => labelOf(names[k] as string)),
      values: axis.values.map(unpack),
      points: axis.points,
      width: axis.width,
      cells: axis.cells,
    })),
    membersPerCell: raw.members_per_cell,
    members: unpack(raw.members),
    times: unpack(raw.times),
    fanCells: raw.fan_cells,
    quantileMembers: raw.quantile_members,
    columns: raw.columns.map((column: any) => ({
      name: column.name,
      role: column.role,
      last: decodeSummary(column.last),
      fan: column.fan ? decodeFan(column.fan) : undefined,
      fans: column.fans.map(decodeFan),
      histogram: column.histogram ? { ...column.histogram, from: decodeNumber(column.histogram.from), to: decodeNumber(column.histogram.to) } : undefined,
      cells: unpack(column.cells),
      deviation: unpack(column.deviation),
      points: unpack(column.points),
    })).sort(timeLast),
    motion: decodeMotions(raw.motion),
  };
}
