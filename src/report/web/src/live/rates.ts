/** Rates (x_dot, w_dot, z_dot, ell) of the motion at v = (x, w, z, t, l): integrate::Rates of the program. */

import { LU } from "./lu.ts";
import type { Live, Module, Stretch } from "./module.ts";

export class Rates {
  readonly v: Stretch;
  /** (x_dot, w_dot, z_dot, ell). */
  readonly values: Float64Array;
  private readonly out: Stretch;
  private readonly system: LU;
  private readonly right: Float64Array;
  private readonly m: number;

  constructor(
    private readonly live: Live,
    private readonly kernel: number,
    private readonly module: Module,
    private readonly p: Stretch,
  ) {
    const { n, r } = live;
    const m = live.constraints?.m ?? 0;
    this.m = m;
    this.v = module.stretch(n + r + 2 + m);
    this.out = module.stretch(live.eliminated ? n + r + 2 + m + live.laws : n + 1 + r * r + r + 2 * m * r + m);
    this.values = new Float64Array(n + r + 1 + m);
    this.system = new LU(r + m);
    this.right = new Float64Array(r + m);
  }

  /** Computes the rates at v; false if a linear system does not determine them. */
  compute(): boolean {
    const { live, m, out, right, values } = this;
    const { n, r } = live;
    this.module.call(this.kernel, this.v, this.p, out);
    if (live.eliminated) {
      values.set(out.values.subarray(0, values.length));
      return true;
    }
    values.set(out.values.subarray(0, n));
    values[n + r] = out.values[n] as number;
    if (r === 0) return true;
    if (!out.values.every(Number.isFinite)) return false;
    this.load();
    if (!this.system.compute()) return false;
    this.system.solve(right);
    values.set(right.subarray(0, r), n);
    values.set(right.subarray(r, r + m), n + r + 1);
    return true;
  }

  private load(): void {
    const { m, right, system } = this;
    const { n, r } = this.live;
    const blocks = this.out.values.subarray(n + 1);
    const [b, y, w, beta] = [r * r, r * r + r, r * r + r + m * r, r * r + r + 2 * m * r];
    system.clear();
    for (let i = 0; i < r; ++i) {
      for (let j = 0; j < r; ++j) system.set(i, j, blocks[i * r + j] as number);
      for (let A = 0; A < m; ++A) {
        system.set(i, r + A, -(blocks[y + A * r + i] as number));
        system.set(r + A, i, blocks[w + A * r + i] as number);
      }
      right[i] = blocks[b + i] as number;
    }
    for (let A = 0; A < m; ++A) right[r + A] = -(blocks[beta + A] as number);
  }
}
