/** Rows of a motion that this page follows: the state, the laws with their residuals, the observables. */

import { type Column, type Facts, type Run } from "../run/data.ts";
import { Ledger } from "./ledger.ts";
import { type Live, type Module, type Stretch } from "./module.ts";

/** A state with what its balance laws need. */
export interface Sample {
  t: number;
  state: ArrayLike<number>;
  logFactor: number;
  budgets: ArrayLike<number>;
}

/** Kernels of the module. */
const BALANCE = 0;
const VERIFICATION = 1;
const OBSERVABLES = 2;

/** More rows than these are thinned before they are drawn. */
const MOST_DRAWN = 4000;

/** lambda Q, finite wherever the product is. */
const scaled = (quantity: number, logFactor: number, factor: number): number => {
  if (Number.isFinite(factor) && factor !== 0) return factor * quantity;
  return quantity === 0 ? 0 : Math.sign(quantity) * Math.exp(logFactor + Math.log(Math.abs(quantity)));
};

export class Kernels {
  readonly u: Stretch;
  readonly p: Stretch;
  readonly balance: Stretch;
  readonly verification: Stretch;
  readonly observables: Stretch;

  constructor(
    private readonly live: Live,
    private readonly module: Module,
    parameters: number,
  ) {
    // The state, the time and, for initial values, momenta.
    this.u = module.stretch(live.state.length + 1 + live.r);
    this.p = module.stretch(parameters);
    this.balance = module.stretch(1 + 3 * live.laws);
    this.verification = module.stretch(2 * live.laws + live.invariants.length);
    this.observables = module.stretch(live.observables);
  }

  /** The laws at a state. */
  at(t: number, state: ArrayLike<number>): void {
    const { u } = this;
    u.values.set(state);
    u.values[this.live.state.length] = t;
    u.values.fill(0, this.live.state.length + 1);
    this.module.call(BALANCE, u, this.p, this.balance);
  }

  measure(): void {
    this.module.call(VERIFICATION, this.u, this.p, this.verification);
    this.module.call(OBSERVABLES, this.u, this.p, this.observables);
  }

  /** The value of an initial value's expression at a state. */
  value(kernel: number, t: number, state: ArrayLike<number>, out: Stretch): number {
    this.u.values.set(state);
    this.u.values[this.live.state.length] = t;
    this.u.values.fill(0, this.live.state.length + 1);
    this.module.call(kernel, this.u, this.p, out);
    return out.values[0] as number;
  }
}

export class Rows {
  private readonly columns: number[][];
  private readonly ledgers: Ledger[];
  private readonly invariants: number[];
  private count = 0;
  private last: number[] = [];

  constructor(
    private readonly live: Live,
    private readonly kernels: Kernels,
    private readonly expected: number,
  ) {
    const width = 1 + live.state.length + 3 * live.laws + 1 + live.observables;
    this.columns = Array.from({ length: width }, () => []);
    this.ledgers = Array.from({ length: live.laws }, () => new Ledger());
    this.invariants = live.invariants.map(() => 0);
  }

  add({ t, state, logFactor, budgets }: Sample): void {
    const { kernels, live } = this;
    kernels.at(t, state);
    kernels.measure();
    const row = [t, ...Array.from(state)];
    const factor = Math.exp(logFactor);
    for (let k = 0; k < live.laws; ++k) {
      const [quantity, scale] = [kernels.balance.values[1 + 3 * k] as number, kernels.balance.values[2 + 3 * k] as number];
      row.push(quantity);
      if (k === 0) row.push(factor);
      row.push(scaled(quantity, logFactor, factor));
      const [rateTerms, valueTerms] = [kernels.verification.values[k] as number, kernels.verification.values[live.laws + k] as number];
      row.push((this.ledgers[k] as Ledger).residual({ t, quantity, scale, budget: budgets[k] as number, logFactor, rateTerms, valueTerms }));
    }
    live.invariants.forEach((_, k) => {
      const value = Math.abs(kernels.verification.values[2 * live.laws + k] as number);
      const before = this.invariants[k] as number;
      if (!Number.isNaN(before) && !(value <= before)) this.invariants[k] = value;
    });
    row.push(...kernels.observables.values);
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
    const columns: Column[] = this.columns.map((values, k) => {
      const { name, role } = model.columns[k] as Column;
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
        largest_invariants: this.live.invariants.map((name, k) => ({ name, value: this.invariants[k] as number })),
        at_round_off: this.ledgers.flatMap(({ since }, k) => (since === undefined ? [] : [{ name: this.live.law_names[k] as string, value: since }])),
        notes: [],
        newton_iterations: 0,
        ...facts,
      },
    };
  }
}
