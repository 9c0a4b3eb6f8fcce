/** The parts of a page that only a solution has: its certificate as a verdict, controls, costates and mesh. */

import { type Column, type NamedNumber, type Run, decodeNumber, timeColumn } from "./data.ts";
import { el } from "../page/dom.ts";
import { formatCount, formatNumber } from "../page/format.ts";
import { type Law, type Line, type Panel, PALETTE_SIZE, isLarge, timePanels } from "./panels.ts";
import { fact, lawList } from "./verdict.ts";

export interface Solution {
  status: string;
  reason: string;
  extremal: string;
  cost: number;
  cost_error: number;
  mesh_error: number;
  duration: number;
  structure: string;
  residuals: NamedNumber[];
  intervals: number;
  iterations: number;
  solvers: string;
  switches: { control: string; times: number[] }[];
  controls: { control: string; lower: number; upper: number }[];
  /** Nodes of the mesh, and the estimated error of each interval; no errors if none were estimated. */
  times: number[];
  errors: number[];
}

export function decodeSolution(raw: any): Solution {
  const numbers = (values: unknown[]) => values.map(decodeNumber);
  return {
    ...raw,
    cost: decodeNumber(raw.cost),
    cost_error: decodeNumber(raw.cost_error),
    mesh_error: decodeNumber(raw.mesh_error),
    duration: decodeNumber(raw.duration),
    residuals: raw.residuals.map(({ name, value }: NamedNumber) => ({ name, value: decodeNumber(value) })),
    switches: raw.switches.map(({ control, times }: { control: string; times: unknown[] }) => ({ control, times: numbers(times) })),
    controls: raw.controls.map(({ control, lower, upper }: Solution["controls"][number]) => ({ control, lower: decodeNumber(lower), upper: decodeNumber(upper) })),
    times: numbers(raw.times),
    errors: numbers(raw.errors),
  };
}

/** Facts among the residuals, which are not small if a solution is correct. */
const FACTS = ["price_share", "legendre_margin", "negative_directions"];

/** The residuals of the certificate, and the estimated error of the mesh. */
export function certificate(solution: Solution): Law[] {
  const word = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  const residuals = solution.residuals.filter(({ name }) => !FACTS.includes(name));
  const mesh = Number.isNaN(solution.mesh_error) ? [] : [{ label: "Mesh error", largest: solution.mesh_error, kind: "law" as const }];
  return [...residuals.map(({ name, value }): Law => ({ label: word(name), largest: value, kind: "law" })), ...mesh];
}

function outcome(solution: Solution): HTMLElement {
  if (solution.status === "solved") {
    return el("p", { class: "outcome complete" }, el("strong", {}, "Solved"), el("span", {}, `${solution.extremal} extremal`));
  }
  const word = solution.status.charAt(0).toUpperCase() + solution.status.slice(1);
  return el("p", { class: "outcome stopped", role: "alert" }, el("strong", {}, word), el("span", {}, `${solution.reason}. What follows is the last iterate.`));
}

export function solutionVerdict(run: Run, solution: Solution): HTMLElement {
  const laws = certificate(solution);
  const price = solution.residuals.find(({ name }) => name === "price_share")?.value;
  const estimated = solution.cost_error > 0 ? `estimated error ${formatNumber(solution.cost_error, 2)}` : undefined;
  return el(
    "section",
    { class: "card verdict", id: "verdict", "aria-labelledby": "verdict-title" },
    el("h2", { id: "verdict-title" }, "What the solution proves"),
    outcome(solution),
    run.facts.notes.length > 0 ? el("ul", { class: "notes", "aria-label": "Notes on this solution" }, ...run.facts.notes.map((note) => el("li", {}, note))) : undefined,
    el(
      "dl",
      { class: "facts" },
      fact("Cost", formatNumber(solution.cost, 12), estimated),
      fact("Duration", formatNumber(solution.duration, 10)),
      fact("Method", run.facts.method, `${formatCount(solution.intervals)} intervals, ${formatCount(solution.iterations)} iterations`),
      ...(price === undefined ? [] : [fact("Price share", formatNumber(price, 3), "R/|(P, R)|; near 0 where the extremal is abnormal")]),
      ...(solution.structure === "" ? [] : [fact("Structure", solution.structure)]),
    ),
    lawList(laws, run.facts.tolerance, "Residual of each condition"),
    el("p", { class: "note" }, "Each condition of an extremal by its largest residual. The vertical mark is the tolerance of the mesh error."),
    laws.some(({ largest }) => isLarge(largest)) && el("p", { class: "caution" }, "A residual marked “large” says that this is not an extremal yet."),
  );
}

const linesOf = (columns: Column[]): Line[] => columns.map((column, i) => ({ column, color: i % PALETTE_SIZE, dash: Math.floor(i / PALETTE_SIZE), shown: true }));

/** A control that jumps at its switches: rows hold its value after the jump, and the value before is put in front. */
function jumping(line: Line, times: Column, moments: readonly number[]): Line {
  const t: number[] = [];
  const values: number[] = [];
  times.values.forEach((time, k) => {
    const before = values.at(-1);
    if (before !== undefined && moments.some((moment) => Math.abs(moment - time) <= 1e-9 * Math.abs(time))) {
      t.push(time);
      values.push(before);
    }
    t.push(time);
    values.push(line.column.values[k] as number);
  });
  return { ...line, column: { ...line.column, values }, time: { ...times, values: t } };
}

function controlLines(run: Run, solution: Solution): Line[] {
  const times = timeColumn(run);
  const named = new Set(solution.controls.map(({ control }) => control));
  return linesOf(run.columns.filter(({ name }) => named.has(name))).map((line) => {
    const jumps = run.columns.some(({ name }) => name === `switch.${line.column.name}`);
    const moments = solution.switches.find(({ control }) => control === line.column.name)?.times ?? [];
    return jumps && times ? jumping(line, times, moments) : line;
  });
}

function controlPanel(run: Run, solution: Solution): Panel {
  const finite = solution.controls.flatMap(({ control, lower, upper }) => [
    { text: `${control} ≤`, at: upper },
    { text: `${control} ≥`, at: lower },
  ]);
  return {
    id: "controls",
    title: "Controls",
    note: "Dashed: their bounds; dotted: switching times.",
    lines: controlLines(run, solution),
    log: false,
    magnitude: false,
    levels: finite.filter(({ at }) => Number.isFinite(at)),
    moments: solution.switches.flatMap(({ times }) => times),
  };
}

/** The estimated error of each interval at its middle, and its length. */
function meshPanel(solution: Solution): Panel {
  const { times, errors } = solution;
  const column = (name: string, values: number[]): Column => ({ name, role: "observable", largest: Math.max(...values), values });
  const middles = column("t", times.slice(1).map((t, k) => (t + (times[k] as number)) / 2));
  const lengths = column("length", times.slice(1).map((t, k) => t - (times[k] as number)));
  const columns = errors.length > 0 ? [column("error", errors), lengths] : [lengths];
  return {
    id: "mesh",
    title: "Mesh",
    note: "The estimated error of each interval, in states and costates, and its length.",
    lines: linesOf(columns).map((line) => ({ ...line, time: middles })),
    log: true,
    magnitude: true,
  };
}

/** The panels of a run, with controls, costates and the mesh in their places. */
export function solutionPanels(run: Run, solution: Solution): Panel[] {
  const controls = controlPanel(run, solution);
  const named = new Set(controls.lines.map(({ column }) => column.name));
  const invariant = run.columns.filter(({ name }) => name === "hamiltonian_invariant");
  const panels = timePanels(run).flatMap((panel): Panel[] => {
    switch (panel.id) {
      case "trajectory":
        return controls.lines.length > 0 ? [panel, controls] : [panel];
      case "energy":
        return [{ ...panel, title: "Hamiltonian", note: "H, and H times the integrating factor, which is constant where nothing depends on time.", lines: linesOf([...panel.lines.map(({ column }) => column), ...invariant]) }];
      case "factor":
        return [{ ...panel, title: "Price of cost", note: "R, what one unit of cost at t adds to the cost at the end." }];
      case "momenta":
        return [{ ...panel, title: "Costates", note: "Costates p along the frame of the algebroid; of mechanical systems also q, those of velocities.", lines: linesOf(panel.lines.map(({ column }) => column).filter(({ role }) => role === "momentum")) }];
      case "observables": {
        const lines = panel.lines.filter(({ column }) => !named.has(column.name));
        return lines.length > 0 ? [{ ...panel, note: "The quantities that the model names, and switch.u, whose sign decides the bound at which u is.", lines: linesOf(lines.map(({ column }) => column)) }] : [];
      }
      case "multipliers":
        return [{ ...panel, note: "Multipliers of constraints, and bound.u of bounds: above 0 at the upper, below 0 at the lower bound." }];
      default:
        return [panel];
    }
  });
  return [...panels, meshPanel(solution)];
}
