/**
 * Constraints of a motion that this page follows: states are moved onto them by the saddle-point system of the program (integrate::SaddlePoint), by
 * the same operations, and so to the same bits where that system has at most a dozen rows.
 */

import { LU } from "./lu.ts";
import type { ConstraintKernels, Live, Module, Stretch } from "./module.ts";
import type { Rates } from "./rates.ts";
import type { Kernels } from "./rows.ts";

const EPSILON = Number.EPSILON;
const MOST_ITERATIONS = 50;
/** Updates that stop falling below it are round-off. */
const ROUND_OFF = 1e-11;
/** After an update of this size only one more can help. */
const AT_ROUND_OFF = 64 * EPSILON;
const STAGNATION = 0.5;
const GOOD_CONTRACTION = 0.05;
/** Largest defect of a start that is on its constraints. */
export const CONSISTENT = 1e-10;
/** Growth of the inverse at which constraints may have become dependent, also after many small steps in a row. */
const GROWN = 1e6;
const GROWN_IN_SMALL_STEPS = 1e4;
const SMALL = 1e-6;
const IN_A_ROW = 50;
/** The share of the largest coefficient of a constraint that replaces coefficients which vanish up to rounding. */
const ROUNDED_COEFFICIENT = 1e-5;
const NOISE = 1e5;

/** The reason why a state was not moved onto its constraints. */
export class OffConstraints extends Error {}

const largestOf = (values: ArrayLike<number>, first: number, count: number): number => {
  let largest = 0;
  for (let k = first; k < first + count; ++k) {
    const size = Math.abs(values[k] as number);
    if (!(size <= largest)) largest = size;
  }
  return largest;
};

/** A distance relative to the size of what it belongs to; a distance of the order of 1e-15 is rounding, whatever that size. */
const relativeTo = (distance: number, size: number): number => (size > 0 ? Math.min(distance / size, (NOISE * distance) / Math.max(1, size)) : distance);

/** The saddle-point system [W, -Phi_y^T; Phi_w, 0] at a state, and Newton's iterations with it. */
class Saddle {
  readonly impulse: Float64Array;
  private readonly K: LU;
  private readonly factors: LU;
  private readonly xByW: Float64Array;
  private readonly forces: Float64Array;
  private readonly right: Float64Array;
  private readonly impulseMomentum: Float64Array;
  private moved = 0;

  constructor(
    private readonly live: Live,
    private readonly of: ConstraintKernels,
    private readonly places: Places,
  ) {
    const { n, r } = live;
    const { m } = of;
    this.impulse = new Float64Array(m);
    this.K = new LU(r + m);
    this.factors = new LU(r + m);
    this.xByW = new Float64Array(n * r);
    this.forces = new Float64Array(r * m);
    this.right = new Float64Array(r + m);
    this.impulseMomentum = new Float64Array(r);
  }

  /** A copy that remembers the same impulse. */
  copy(): Saddle {
    const copy = new Saddle(this.live, this.of, this.places);
    copy.impulse.set(this.impulse);
    return copy;
  }

  private get v(): Float64Array {
    return this.places.v.values;
  }

  load(t: number, state: ArrayLike<number>): void {
    const { v } = this;
    const base = this.live.n + this.live.r + 1;
    for (let i = 0; i < base; ++i) v[i] = state[i] as number;
    v[base] = t;
    for (let A = 0; A < this.of.m; ++A) v[base + 1 + A] = this.of.differential ? (state[base + A] as number) : 0;
  }

  private evaluate(): boolean {
    this.places.stage();
    return this.places.out.values.every(Number.isFinite);
  }

  /** The momenta at the state; they are the target of project(). */
  momentum(p: Float64Array): void {
    const finite = this.evaluate();
    for (let a = 0; a < this.live.r; ++a) p[a] = this.places.out.values[this.live.n + a] as number;
    if (!finite) throw new OffConstraints("the momenta or the constraints are not finite");
  }

  private assemble(): void {
    const { K, forces, xByW, of } = this;
    const { n, r } = this.live;
    const { values } = this.places.jacobian();
    K.clear();
    xByW.fill(0);
    forces.fill(0);
    of.row.forEach((row, e) => {
      const col = of.col[e] as number;
      const value = values[e] as number;
      if (col >= n && col < n + r) {
        if (row < n) xByW[row * r + col - n] = (xByW[row * r + col - n] as number) + value;
        if (row >= n && row < n + r) K.add(row - n, col - n, value);
        if (row >= n + 2 * r + 2) K.add(row - n - r - 2, col - n, value);
      } else if (col >= n + r + 1) {
        const A = col - (n + r + 1);
        if (of.differential && row >= n && row < n + r) forces[(row - n) * of.m + A] = (forces[(row - n) * of.m + A] as number) - value;
        if (!of.differential && row >= n + r && row < n + 2 * r) forces[(row - n - r) * of.m + A] = (forces[(row - n - r) * of.m + A] as number) + value;
      }
    });
    for (let a = 0; a < r; ++a) for (let A = 0; A < of.m; ++A) K.set(a, r + A, -(forces[a * of.m + A] as number));
  }

  factorise(): void {
    this.assemble();
    if (this.of.forces_use_velocity && !this.of.differential) this.bend();
    if (!this.K.finite) throw new OffConstraints("the momenta or the constraints are not finite");
    this.factors.copy(this.K);
    this.factors.compute();
    this.moved = 0;
  }

  /** Puts W - d(Phi_y^T k)/dw in place of W, since the impulse turns with the velocity. */
  private bend(): void {
    const { K, impulse, of, v } = this;
    if (impulse.every((k) => k === 0)) return;
    const { n, r } = this.live;
    const free = this.places.jacobian().values.slice();
    const l = n + r + 2;
    v.set(impulse, l);
    const { values } = this.places.jacobian();
    v.fill(0, l);
    of.row.forEach((row, e) => {
      const col = of.col[e] as number;
      if (row >= n + r && row < n + 2 * r && col >= n && col < n + r) K.add(row - n - r, col - n, -((values[e] as number) - (free[e] as number)));
    });
  }

  private positionDefect(): number {
    if (this.of.positions === 0) return 0;
    const { values } = this.places.position();
    let largest = 0;
    for (const value of values) largest = Number.isNaN(value) ? value : Math.max(largest, Math.abs(value));
    return largest;
  }

  defect(): number {
    const largest = Math.max(this.distanceFromPositions(), this.distanceFromVelocities());
    return Number.isNaN(largest) ? Number.POSITIVE_INFINITY : largest;
  }

  private distanceFromPositions(): number {
    if (this.of.positions === 0) return 0;
    const value = this.positionDefect();
    if (!(value > 0)) return value === 0 ? 0 : Number.POSITIVE_INFINITY;
    const displacement = this.displacement();
    const size = largestOf(this.v, 0, this.live.n);
    if (!displacement.every(Number.isFinite)) return value / Math.max(1, size);
    return relativeTo(largestOf(displacement, 0, this.live.n), size);
  }

  private distanceFromVelocities(): number {
    const { K, v } = this;
    const { n, r } = this.live;
    this.evaluate();
    let largest = 0;
    for (let A = 0; A < this.of.m; ++A) {
      let terms = 0;
      let slope = 0;
      let speed = 0;
      for (let a = 0; a < r; ++a) {
        const factor = Math.abs(K.at(r + A, a));
        const velocity = Math.abs(v[n + a] as number);
        terms += factor * velocity;
        slope = Math.max(slope, factor);
        if (factor > 0) speed = Math.max(speed, velocity);
      }
      const value = Math.abs(this.places.out.values[n + 2 * r + 2 + A] as number);
      if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
      const size = Math.max(terms / slope, ROUNDED_COEFFICIENT * speed);
      largest = Math.max(largest, slope > 0 ? relativeTo(value / slope, size) : value);
    }
    return largest;
  }

  /** The displacement of Newton's method for the values that positionDefect() computed. */
  private displacement(): Float64Array {
    const { right, xByW } = this;
    const { n, r } = this.live;
    const displacement = new Float64Array(n);
    right.fill(0);
    for (let k = 0; k < this.of.positions; ++k) right[r + k] = -(this.places.phi.values[k] as number);
    this.factors.solve(right);
    for (let i = 0; i < n; ++i) {
      let sum = 0;
      for (let a = 0; a < r; ++a) sum += (xByW[i * r + a] as number) * (right[a] as number);
      displacement[i] = sum;
    }
    return displacement;
  }

  projectPositions(): void {
    const { of, right, v } = this;
    const { n, r } = this.live;
    if (of.positions === 0) return;
    let previous = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < MOST_ITERATIONS; ++iteration) {
      if (!Number.isFinite(this.positionDefect())) throw new OffConstraints("the momenta or the constraints are not finite");
      const displacement = this.displacement();
      if (!displacement.every(Number.isFinite)) break;
      const size = largestOf(v, 0, n);
      const relative = largestOf(displacement, 0, n) / Math.max(size, 1e-300);
      if (relative >= previous) {
        if (previous <= ROUND_OFF) return;
        if (iteration > 10) break;
      }
      for (let i = 0; i < n; ++i) v[i] = (v[i] as number) + (displacement[i] as number);
      this.moved += relative;
      if (of.position_uses_action) {
        this.evaluate();
        for (let a = 0; a < r; ++a) v[n + r] = (v[n + r] as number) + (this.places.out.values[n + a] as number) * (right[a] as number);
      }
      if (relative <= 2 * EPSILON) return;
      if ((relative > GOOD_CONTRACTION * previous || iteration === 0) && relative > 1e-3) this.factorise();
      previous = relative;
    }
    throw new OffConstraints("Newton’s method did not reach the constraints");
  }

  /** Newton's method towards the constraints alone, from far away. */
  approach(): void {
    const { right, v } = this;
    const { n, r } = this.live;
    for (let iteration = 0; iteration < MOST_ITERATIONS; ++iteration) {
      if (!this.evaluate()) break;
      right.fill(0);
      for (let A = 0; A < this.of.m; ++A) right[r + A] = -(this.places.out.values[n + 2 * r + 2 + A] as number);
      this.factors.solve(right);
      if (!right.every(Number.isFinite)) break;
      const size = largestOf(v, n, r);
      for (let a = 0; a < r; ++a) v[n + a] = (v[n + a] as number) + (right[a] as number);
      if (largestOf(right, 0, r) <= ROUND_OFF * size) return;
      this.factorise();
    }
    throw new OffConstraints("Newton’s method did not reach the constraints");
  }

  /** Moves the velocities until p(x, w, z, t) = p + Phi_y^T k and Phi = 0, and the multipliers too if they are part of the state. */
  solveVelocities(p: Float64Array, movesMultipliers: boolean): void {
    const { forces, impulse, impulseMomentum, of, right, v } = this;
    const { n, r } = this.live;
    const { values: out } = this.places.out;
    impulse.fill(0);
    impulseMomentum.fill(0);
    let previous = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < MOST_ITERATIONS; ++iteration) {
      if (!this.evaluate()) throw new OffConstraints("the momenta or the constraints are not finite");
      for (let a = 0; a < r; ++a) right[a] = (p[a] as number) + (impulseMomentum[a] as number) - (out[n + a] as number);
      for (let A = 0; A < of.m; ++A) right[r + A] = -(out[n + 2 * r + 2 + A] as number);
      this.factors.solve(right);
      if (!right.every(Number.isFinite)) break;
      const size = largestOf(v, n, r);
      const relative = largestOf(right, 0, r) / Math.max(size, 1e-300);
      if (previous <= ROUND_OFF && relative >= STAGNATION * previous && relative > 2 * EPSILON) return;
      this.moved += relative;
      for (let a = 0; a < r; ++a) v[n + a] = (v[n + a] as number) + (right[a] as number);
      for (let A = 0; A < of.m; ++A) {
        if (movesMultipliers) v[n + r + 2 + A] = (v[n + r + 2 + A] as number) + (right[r + A] as number);
        impulse[A] = (impulse[A] as number) + (right[r + A] as number);
      }
      if (!movesMultipliers) {
        // The impulse acts along Phi_y at the end.
        if (of.forces_use_velocity) this.assemble();
        for (let a = 0; a < r; ++a) {
          let sum = 0;
          for (let A = 0; A < of.m; ++A) sum += (forces[a * of.m + A] as number) * (impulse[A] as number);
          impulseMomentum[a] = sum;
        }
      }
      const last = !of.forces_use_velocity && relative * this.moved <= 0.25 * EPSILON;
      if (relative <= 2 * EPSILON || previous <= AT_ROUND_OFF || last || right.every((entry) => entry === 0)) return;
      if (relative > GOOD_CONTRACTION * previous && relative > 8 * EPSILON) this.factorise();
      previous = relative;
    }
    throw new OffConstraints("Newton’s method did not reach the constraints");
  }

  /** |(C^-1)_AA|, which grows without bound where constraints become dependent. */
  inverseDiagonal(): number[] {
    const { right } = this;
    return Array.from({ length: this.of.m }, (_, A) => {
      right.fill(0);
      right[this.live.r + A] = 1;
      this.factors.solve(right);
      return Math.abs(right[this.live.r + A] as number);
    });
  }
}

/** Memory of the module for v = (x, w, z, t, l) and for what its kernels make of it. */
class Places {
  readonly v: Stretch;
  readonly out: Stretch;
  readonly phi: Stretch;
  private readonly slopes: Stretch;

  constructor(
    { n, r }: Live,
    private readonly of: ConstraintKernels,
    private readonly module: Module,
    private readonly p: Stretch,
  ) {
    this.v = module.stretch(n + r + 2 + of.m);
    this.out = module.stretch(n + 2 * r + 2 + of.m);
    this.phi = module.stretch(of.positions);
    this.slopes = module.stretch(of.row.length);
  }

  stage(): void {
    this.module.call(this.of.stage, this.v, this.p, this.out);
  }
  jacobian(): Stretch {
    this.module.call(this.of.stage_jacobian, this.v, this.p, this.slopes);
    return this.slopes;
  }
  position(): Stretch {
    this.module.call(this.of.position as number, this.v, this.p, this.phi);
    return this.phi;
  }
}

/** A state with the budgets of its laws, as steps carry them. */
export interface Carried {
  state: Float64Array;
  budgets: Float64Array;
}

export class Constraints {
  private readonly places: Places;
  private readonly p: Float64Array;
  private saddle: Saddle;
  private aside: Saddle | undefined;
  private firstInverse: number[] | undefined;
  private small = 0;
  private t0 = 0;
  private projected = 0;

  constructor(
    private readonly live: Live,
    private readonly of: ConstraintKernels,
    private readonly module: Module,
    private readonly kernels: Kernels,
    private readonly rates: Rates,
  ) {
    this.places = new Places(live, of, module, kernels.p);
    this.p = new Float64Array(live.r);
    this.saddle = new Saddle(live, of, this.places);
  }

  /** A start on the constraints near the given one, and how far that one was off them. */
  nearest(t: number, given: ArrayLike<number>): { state: Float64Array; defect: number } {
    const saddle = new Saddle(this.live, this.of, this.places);
    saddle.load(t, given);
    saddle.factorise();
    const defect = saddle.defect();
    saddle.projectPositions();
    saddle.momentum(this.p);
    if (this.of.forces_use_velocity) saddle.approach();
    saddle.solveVelocities(this.p, false);
    const state = Float64Array.from(given);
    state.set(this.places.v.values.subarray(0, this.live.n + this.live.r + 1));
    return { state, defect };
  }

  begin(t0: number): void {
    this.saddle = new Saddle(this.live, this.of, this.places);
    this.aside = undefined;
    this.firstInverse = undefined;
    this.small = 0;
    this.t0 = this.projected = t0;
  }

  /** Remembers what shorter steps beside the steps begin with. */
  stepAside(): void {
    this.aside ??= this.saddle.copy();
  }

  /** Moves a state onto the constraints, and adds the work of that impulse to the budgets; `inside` is a shorter step beside the steps. */
  project(t: number, { state, budgets }: Carried, inside = false): void {
    const { of, p } = this;
    const base = this.live.n + this.live.r + 1;
    if (inside) this.stepAside();
    const saddle = inside ? (this.aside as Saddle) : this.saddle;
    saddle.load(t, state);
    saddle.factorise();
    if (!inside) this.requireIndependent(t);
    saddle.projectPositions();
    saddle.momentum(p);
    saddle.solveVelocities(p, of.differential);
    const { values: v } = this.places.v;
    state.set(v.subarray(0, base));
    if (of.differential) state.set(v.subarray(base + 1, base + 1 + of.m), base);
    else if (of.laws_use_multipliers) this.addWork(saddle, budgets);
  }

  private addWork(saddle: Saddle, budgets: Float64Array): void {
    const { kernels, module } = this;
    const { v } = this.places;
    const l = this.live.n + this.live.r + 2;
    const sources = () => {
      module.call(this.live.piece_balance, v, kernels.p, kernels.balance);
      return this.live.budgets.map((k) => kernels.balance.values[3 + 3 * k] as number);
    };
    v.values.set(saddle.impulse, l);
    const pushed = sources();
    v.values.fill(0, l);
    sources().forEach((free, k) => (budgets[k] = (budgets[k] as number) + ((pushed[k] as number) - free)));
  }

  /** The command line looks closer if the constraints seem to become dependent; a page stops. */
  private requireIndependent(t: number): void {
    if (this.of.m < 2) return;
    this.small = Math.abs(t - this.projected) < SMALL * Math.abs(t - this.t0) ? this.small + 1 : 0;
    this.projected = t;
    const inverse = this.saddle.inverseDiagonal();
    const first = (this.firstInverse ??= inverse);
    const grown = this.small > IN_A_ROW ? GROWN_IN_SMALL_STEPS : GROWN;
    if (inverse.some((size, A) => !(size <= grown * (first[A] as number))))
      throw new OffConstraints("the constraints seem to become dependent there, which the command line examines");
  }

  /** The multipliers at a state: lambda, which the state determines, or nu, which is part of it. */
  multipliers(t: number, state: ArrayLike<number>): Float64Array {
    const { of, rates } = this;
    const base = this.live.n + this.live.r + 1;
    if (of.differential) return Float64Array.from(Array.from(state).slice(base));
    const { values: v } = rates.v;
    v.fill(0);
    for (let i = 0; i < base; ++i) v[i] = state[i] as number;
    v[base] = t;
    if (!rates.compute()) throw new OffConstraints("the accelerations and multipliers are not determined there");
    return rates.values.slice(base);
  }
}
