/** The panels of a run, with the columns that they show. */

import { formatNumber } from "../page/format.ts";
import { type Column, type Role, type Run, extent, spansDecades } from "./data.ts";

export interface Line {
  column: Column;
  /** The name of the line, if it is not that of its column. */
  name?: string;
  /** The times of the line, if they are not the times of the other lines. */
  time?: Column;
  /** Index into the palette; lines of one law share it. */
  color: number;
  /** Index into the dash styles. */
  dash: number;
  shown: boolean;
}

export interface Panel {
  id: string;
  title: string;
  note: string;
  lines: Line[];
  log: boolean;
  /** Draw |value| with the residual floor. */
  magnitude: boolean;
  /** Dashed levels with a text. */
  levels?: { text: string; at: number }[];
  /** Dotted times. */
  moments?: number[];
}

export const PALETTE_SIZE = 7;
/** More lines than this are offered, not drawn at once. */
export const SHOWN_AT_FIRST = 8;

const withRole = (run: Run, ...roles: Role[]): Column[] => run.columns.filter((column) => roles.includes(column.role));

const plain = (columns: Column[]): Line[] =>
  columns.map((column, i) => ({
    column,
    color: i % PALETTE_SIZE,
    dash: Math.floor(i / PALETTE_SIZE),
    shown: i < SHOWN_AT_FIRST,
  }));

/** A line may widen what the others fill this many times before it waits to be asked for. */
const WIDENS = 3;

/** The range that columns fill together; of a constant half its size, so that its neighbourhood counts as well. */
function filled(columns: readonly Column[]): number {
  const range = extent(columns.flatMap(({ values }) => extent(values) ?? []));
  return range ? Math.max(range[1] - range[0], Math.abs(range[0]) / 2, Math.abs(range[1]) / 2) : 0;
}

/** Lines of other columns than the panel's `subject` are shown at first if they leave it its scale. */
const withoutGiants = (lines: Line[], subject: readonly Column[]): Line[] => {
  const own = filled(subject);
  return lines.map((line) => ({ ...line, shown: line.shown && (subject.includes(line.column) || own === 0 || filled([...subject, line.column]) <= WIDENS * own) }));
};

/** A momentum and its invariant share a colour; the invariant is dashed. */
function momentumLines(run: Run): Line[] {
  const momenta = withRole(run, "momentum");
  const invariants = withRole(run, "invariant").filter((column) => column.name !== "energy_invariant");
  const symmetry = (column: Column) => column.name.replace(/^(momentum|dissipated)(_invariant)?\./, "");
  const names = [...new Set([...momenta, ...invariants].map(symmetry))];
  const lines = [...momenta, ...invariants]
    .map((column) => {
      const k = names.indexOf(symmetry(column));
      return { column, k, color: k % PALETTE_SIZE, dash: column.role === "invariant" ? 1 : 0, shown: 2 * k < SHOWN_AT_FIRST };
    })
    .sort((a, b) => a.k - b.k || a.dash - b.dash)
    .map(({ column, color, dash, shown }) => ({ column, color, dash, shown }));
  return withoutGiants(lines, momenta);
}

function energyLines(run: Run): Line[] {
  const invariant = run.columns.filter((column) => column.name === "energy_invariant");
  const energy = withRole(run, "energy");
  return withoutGiants(plain([...energy, ...invariant]), energy);
}

function stateLines(run: Run): Line[] {
  return withoutGiants(plain(withRole(run, "base", "fibre", "action")), withRole(run, "base", "fibre"));
}

/** Returns whether a column is the work of a friction or of a moved surface, or the loss of a jump. */
const isBudget = ({ name }: Column): boolean => /^(work|drive|loss)\./.test(name);

function budgetLines(run: Run): Line[] {
  const budgets = withRole(run, "observable").filter(isBudget);
  return budgets.length > 0 ? plain([...withRole(run, "energy"), ...budgets]) : [];
}

/** Says which lines wait because they would set the scale, and how far they reach. */
function waiting(lines: readonly Line[]): string {
  const hidden = lines.slice(0, SHOWN_AT_FIRST).filter(({ shown }) => !shown);
  if (hidden.length === 0) return "";
  const reach = ({ name, values }: Column) => `${name} (${formatNumber(Math.max(...(extent(values) ?? [0]).map(Math.abs)), 2)})`;
  return ` Beyond the scale of the others, and drawn when chosen: ${hidden.map(({ column }) => reach(column)).join(", ")}.`;
}

const MULTIPLIER_NOTES = {
  nonholonomic:
    "λₖ of the nonholonomic rule: Σ λₖ ∂Φₖ/∂yᵃ is the force that constraint k = 1, 2, … adds to dpₐ/dt, with Φₖ = 0 the constraint as written, or the time derivative of one without velocities. The state determines λₖ.",
  vakonomic:
    "νₖ of the vakonomic rule: the motion is that of the Lagrangian L − Σ νₖ Φₖ, with Φₖ = 0 the constraint as written, or the time derivative of one without velocities. νₖ is part of the state and starts at its initial value.",
};

/** A run has one rule, which the names of its multipliers show. */
function multiplierNote(columns: Column[]): string {
  const named = (letter: RegExp) => columns.length > 0 && columns.every(({ name }) => letter.test(name));
  if (named(/^lambda\d+$/)) return MULTIPLIER_NOTES.nonholonomic;
  if (named(/^nu\d+$/)) return MULTIPLIER_NOTES.vakonomic;
  return "The multipliers of the constraints.";
}

/** The panels that are drawn against time, without empty ones. */
export function timePanels(run: Run): Panel[] {
  const factor = withRole(run, "factor");
  const panel = (id: string, title: string, lines: Line[], note: string, more: Partial<Panel> = {}): Panel => ({
    id,
    title,
    note,
    lines,
    log: false,
    magnitude: false,
    ...more,
  });
  return [
    panel("trajectory", "Trajectory", stateLines(run), `The state: base, fibre and action.${waiting(stateLines(run))}`),
    panel("energy", "Energy", energyLines(run), `The energy, and the energy times the integrating factor.${waiting(energyLines(run))}`),
    panel("budgets", "Energy and its budgets", budgetLines(run), "The energy, the work that frictions and moved surfaces have done on it, and the loss that jumps have taken: without other sources, energy − Σ work − Σ drive + Σ loss is that of the start times 1/λ."),
    panel("factor", "Integrating factor", plain(factor), "exp(−∫ ∂L/∂z dt): falls where the system is fed, grows where it dissipates.", {
      log: factor.length > 0 && factor.every((column) => spansDecades(column.values)),
    }),
    panel("momenta", "Momenta", momentumLines(run), `Each momentum, and dashed the momentum times the integrating factor.${waiting(momentumLines(run))}`),
    panel("residuals", "Balance-law residuals", plain(withRole(run, "residual")), "How far each law is from holding, relative to its largest term so far. What lies in the shaded band is round-off; values below 10⁻¹⁸ are drawn there.", {
      log: true,
      magnitude: true,
    }),
    panel("constraints", "Constraint residuals", plain(withRole(run, "constraint")), "The magnitude of each constraint equation, in its own units. What lies in the shaded band is round-off of quantities of size one; values below 10⁻¹⁸ are drawn there.", {
      log: true,
      magnitude: true,
    }),
    panel("multipliers", "Multipliers", plain(withRole(run, "multiplier")), multiplierNote(withRole(run, "multiplier"))),
    panel("observables", "Observables", plain(withRole(run, "observable").filter((column) => !isBudget(column))), "The quantities that the model names."),
  ].filter(({ lines }) => lines.length > 0);
}

/** Columns that may stand on an axis of the phase space. */
export const phaseColumns = (run: Run): Column[] =>
  run.columns.filter(({ role }) => role !== "residual" && role !== "constraint");

/** First base against first fibre coordinate; without a base two fibre coordinates; else any two columns. */
export function defaultPhasePair(run: Run): [Column, Column] | undefined {
  const base = withRole(run, "base");
  const fibre = withRole(run, "fibre");
  if (base[0] && fibre[0]) return [base[0], fibre[0]];
  if (fibre[0] && fibre[1]) return [fibre[0], fibre[1]];
  const rest = phaseColumns(run).filter(({ role }) => role !== "time");
  const [x, y] = [fibre[0] ?? rest[0], rest.find((column) => column !== (fibre[0] ?? rest[0]))];
  return x && y ? [x, y] : undefined;
}

export interface Law {
  label: string;
  largest: number;
  kind: "law" | "constraint";
  /** The time from which the quantity has been at round-off, which explains what is left of it. */
  roundOffFrom?: number;
  /** True if the law is that of continuous time and the motion a discrete one, which has laws of its own. */
  ofContinuousTime?: boolean;
}

/** Returns the largest value, or NaN as soon as one of them is NaN. */
const largestOf = (values: readonly number[]): number => values.reduce((a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Math.max(a, b)), 0);

/**
 * Each constraint by its column. Before them all together, when that says more: of several constraints, or because the
 * derivative of a velocity-free one, which has no column, is further from zero than every equation.
 */
function constraintLaws(run: Run): Law[] {
  const each = withRole(run, "constraint").map(({ name, largest }): Law => ({
    label: `Constraint ${name.replace(/^constraint\./, "")}`,
    largest,
    kind: "constraint",
  }));
  const equations = largestOf(each.map(({ largest }) => largest));
  const together = largestOf([equations, run.facts.largest_constraint_residual]);
  const derivative = together > equations;
  if (each.length < 2 && !derivative) return each;
  return [{ label: derivative ? "Constraints and their time derivatives" : "All constraints", largest: together, kind: "constraint" }, ...each];
}

/** Returns the laws that were verified on this run, the energy first. */
export function laws(run: Run): Law[] {
  const all = checkedLaws(run);
  return run.facts.order === 0 && run.facts.method.startsWith("discrete-") ? all.map((law) => ({ ...law, ofContinuousTime: true })) : all;
}

function checkedLaws(run: Run): Law[] {
  const { facts } = run;
  const residuals = new Set(withRole(run, "residual").map(({ name }) => name));
  const decayed = (law: string) => {
    const since = facts.at_round_off.find(({ name }) => name === law)?.value;
    return since === undefined ? {} : { roundOffFrom: since };
  };
  return [
    ...(residuals.has("energy_residual") ? [{ label: "Energy", largest: facts.largest_energy_residual, kind: "law" as const, ...decayed("energy") }] : []),
    ...facts.largest_dissipated_residuals.map(({ name, value }) => ({ label: `Dissipated ${name}`, largest: value, kind: "law" as const, ...decayed(name) })),
    ...facts.largest_momentum_residuals.map(({ name, value }) => ({ label: `Momentum ${name}`, largest: value, kind: "law" as const, ...decayed(name) })),
    ...facts.largest_invariants.map(({ name, value }) => ({ label: `Invariant ${name}`, largest: value, kind: "constraint" as const })),
    ...constraintLaws(run),
  ];
}

/** From here on a residual deserves a word of caution. */
export const LARGE_RESIDUAL = 1e-3;

export const isLarge = (residual: number): boolean => !(Math.abs(residual) < LARGE_RESIDUAL);

/** Returns whether a law speaks against the run. */
export const isBroken = ({ largest, ofContinuousTime }: Law): boolean => (ofContinuousTime ? !Number.isFinite(largest) : isLarge(largest));

/** The sentence about residuals that are not errors. */
export const DISCRETE_NOTE = "A discrete motion has its own laws: these residuals are its distance from those of continuous time.";
