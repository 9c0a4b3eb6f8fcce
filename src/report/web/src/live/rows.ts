/** Rows of a motion that this page follows: the state, the laws with their residuals, the observables. */

import { type Column, type Facts, type Run } from "../run/data.ts";
import { Ledger, TERM_ROUNDING } from "./ledger.ts";
import { type Live, type Module, type Stretch } from "./module.ts";

/** A state with what its balance laws need. */
export interface Sample {
  t: number;
  state: ArrayLike<number>;
  logFactor: number;
  budgets: ArrayLike<number>;
  multipliers?: ArrayLike<number>;
  /** The energy that events which set the state took from the motion, by event, times the integrating factor's inverse since. */
  losses?: ArrayLike<number>;
}

/** Kernels of the module. */
const BALANCE = 0;
const VERIFICATION = 1;
const OBSERVABLES = 2;

/** More rows than these are thinned before they are drawn. */
const MOST_DRAWN = 4000;

/** Returns lambda Q, which is finite if the product is, even if lambda is not. */
const scaled = (quantity: number, logFactor: number, factor: number): number => {
  if (Number.isFinite(factor) && factor !== 0) return factor * quantity;
  return quantity === 0 ? 0 : Math.sign(quantity) * Math.exp(logFactor + Math.log(Math.abs(quantity)));
};

/** Returns the larger magnitude, or NaN as soon as one of them is NaN. */
function raised(largest: number, value: number): number {
  const size = Math.abs(value);
  return !Number.isNaN(largest) && !(size <= largest) ? size : largest;
}

export class Kernels {
  readonly u: Stretch;
  /** The parameters of the model, then the modes of its switches. */
  readonly p: Stretch;
  readonly balance: Stretch;
  readonly verification: Stretch;
  readonly observables: Stretch;
  /** Every equation of the constraints, then the derivatives of velocity-free ones. */
  readonly equations: Stretch;
  private readonly base: number;

  constructor(
    private readonly live: Live,
    private readonly module: Module,
    parameters: number,
  ) {
    const constraints = live.constraints;
    this.base = live.n + live.r + 1;
    // The state, the time and multipliers or, for initial values, momenta.
    this.u = module.stretch(this.base + 1 + Math.max(live.r, constraints?.m ?? 0));
    this.equations = module.stretch(constraints ? constraints.m + constraints.positions : 0);
    this.p = module.stretch(parameters + live.switches.length);
    this.balance = module.stretch(1 + 3 * live.laws);
    this.verification = module.stretch(2 * live.laws + live.invariants.length + (constraints ? 2 * live.r : 0));
    this.observables = module.stretch(live.observables);
  }

  private load(t: number, state: ArrayLike<number>, multipliers: ArrayLike<number> = []): void {
    const { base, u } = this;
    for (let i = 0; i < base; ++i) u.values[i] = state[i] as number;
    u.values[base] = t;
    u.values.fill(0, base + 1);
    u.values.set(multipliers, base + 1);
  }

  /** The laws at a state, with the present modes of the switches. */
  at(t: number, state: ArrayLike<number>, multipliers?: ArrayLike<number>): void {
    this.load(t, state, multipliers);
    this.module.call(this.live.piece_balance, this.u, this.p, this.balance);
  }

  /** The laws at a state as rows have them. */
  recorded(t: number, state: ArrayLike<number>, multipliers?: ArrayLike<number>): void {
    this.load(t, state, multipliers);
    this.module.call(BALANCE, this.u, this.p, this.balance);
  }

  measure(): void {
    this.module.call(VERIFICATION, this.u, this.p, this.verification);
    this.module.call(OBSERVABLES, this.u, this.p, this.observables);
    if (this.live.constraints) this.module.call(this.live.constraints.values, this.u, this.p, this.equations);
  }

  /** The value of an initial value's expression at a state. */
  value(kernel: number, t: number, state: ArrayLike<number>, out: Stretch): number {
    this.load(t, state);
    this.module.call(kernel, this.u, this.p, out);
    return out.values[0] as number;
  }
}

export class Rows {
  private readonly columns: number[][];
  private readonly ledgers: Ledger[];
  private readonly invariants: number[];
  private constraints = 0;
  private count = 0;
  private restSince: number | undefined;
  private atRest = true;
  private last: number[] = [];

  constructor(
    private readonly live: Live,
    private readonly kernels: Kernels,
    private readonly expected: number,
  ) {
    const m = live.constraints?.m ?? 0;
    const width = 2 + live.n + live.r + 2 * m + 3 * live.laws + 1 + live.observables + live.losses.length;
    this.columns = Array.from({ length: width }, () => []);
    this.ledgers = Array.from({ length: live.laws }, () => new Ledger());
    this.invariants = live.invariants.map(() => 0);
  }

  /** RowMaker::terms_at_rest. */
  private termsAtRest(t: number, state: ArrayLike<number>, scale: number): number {
    const { live } = this;
    this.restSince ??= t;
    const time = Math.abs(t - this.restSince);
    const forces = this.kernels.verification.values.subarray(2 * live.laws + live.invariants.length);
    let terms = 0;
    for (let a = 0; a < live.r && this.atRest; ++a) {
      const [force, mass] = [forces[a] as number, forces[live.r + a] as number];
      const speed = mass > 0 ? (force / mass) * time : 0;
      this.atRest = Math.abs(state[live.n + a] as number) <= TERM_ROUNDING * speed;
      terms += force * speed * time;
    }
    return this.atRest && Number.isFinite(terms) && scale <= 1e3 * TERM_ROUNDING * terms ? terms : 0;
  }

  add({ t, state, logFactor, budgets, multipliers = [], losses = [] }: Sample): void {
    const { kernels, live } = this;
    kernels.recorded(t, state, multipliers);
    kernels.measure();
    const row = [t, ...Array.from(state).slice(0, live.n + live.r + 1)];
    const first = row.length;
    // Without negative zeros.
    live.constraints?.equation.forEach((equation, A) => (row[first + equation] = (multipliers[A] as number) + 0));
    const factor = Math.exp(logFactor);
    const terms = live.constraints ? this.termsAtRest(t, state, kernels.balance.values[2] as number) : 0;
    for (let k = 0; k < live.laws; ++k) {
      const [quantity, scale] = [kernels.balance.values[1 + 3 * k] as number, kernels.balance.values[2 + 3 * k] as number];
      row.push(quantity);
      if (k === 0) row.push(factor);
      row.push(scaled(quantity, logFactor, factor));
      const [rateTerms, valueTerms] = [kernels.verification.values[k] as number, (kernels.verification.values[live.laws + k] as number) + (k === 0 ? terms : 0)];
      row.push((this.ledgers[k] as Ledger).residual({ t, quantity, scale, budget: budgets[k] as number, logFactor, rateTerms, valueTerms }));
    }
    live.invariants.forEach((_, k) => (this.invariants[k] = raised(this.invariants[k] as number, kernels.verification.values[2 * live.laws + k] as number)));
    for (const value of kernels.equations.values) this.constraints = raised(this.constraints, value);
    row.push(...kernels.equations.values.subarray(0, live.constraints?.m ?? 0));
    row.push(...kernels.observables.values);
    for (const event of live.losses) row.push(losses[event] ?? 0);
    const stride = Math.max(1, Math.ceil(this.expected / MOST_DRAWN));
    if (this.count++ % stride === 0) this.keep(row);
    this.last = row;
  }

  private keep(row: readonly number[]): void {
    row.forEach((value, k) => (this.columns[k] as number[]).push(value));
  }

  /** The run, with the names, roles and facts of another one of the same model. */
  finish(model: Run, facts: Partial<Facts>): Run {
    if (this.last.length > 0 && this.columns[0]?.at(-1) !== this.last[0]) this.keep(this.last);
    const largest = (values: readonly number[]) => values.reduce((most, value) => (Number.isNaN(value) || Number.isNaN(most) ? Number.NaN : Math.max(most, Math.abs(value))), 0);
    // The columns of losses come last, behind others that a run may have and a page does not follow.
    const first = this.columns.length - this.live.losses.length;
    const columns: Column[] = this.columns.map((values, k) => {
      const loss = `loss.${this.live.events[this.live.losses[k - first] as number]?.name}`;
      const { name, role } = (k < first ? model.columns[k] : model.columns.find((one) => one.name === loss)) as Column;
      return { name, role, values, largest: largest(values) };
    });
    const named = (kind: (name: string) => boolean) =>
      this.live.law_names.flatMap((name, k) => (k > 0 && kind(name) ? [{ name, value: (this.ledgers[k] as Ledger).largest }] : []));
    const dissipated = (name: string) => this.live.dissipated.includes(name);
    return {
      rows: this.count,
      columns,
      events: [],
      facts: {
        ...model.facts,
        largest_energy_residual: this.ledgers[0]?.largest ?? 0,
        largest_momentum_residuals: named((name) => !dissipated(name)),
        largest_dissipated_residuals: named(dissipated),
        largest_constraint_residual: this.constraints,
        largest_invariants: this.live.invariants.map((name, k) => ({ name, value: this.invariants[k] as number })),
        at_round_off: this.ledgers.flatMap(({ since }, k) => (since === undefined ? [] : [{ name: this.live.law_names[k] as string, value: since }])),
        notes: [],
        newton_iterations: 0,
        ...facts,
      },
    };
  }
}
