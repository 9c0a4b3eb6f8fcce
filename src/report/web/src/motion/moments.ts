/** Values of the bodies of sites and edges between the moments at which they are known. */

import { rowBefore, valueAt } from "../run/interpolate.ts";
import type { SiteComponent } from "../run/motion.ts";

/** Weights of neighbouring moments: values between them are the cubics of `valueAt`, which are linear in the values. */
export class Moments {
  private time = Number.NaN;
  private weights: { moment: number; weight: number }[] = [];

  constructor(readonly times: readonly number[]) {}

  private at(time: number): { moment: number; weight: number }[] {
    if (time === this.time) return this.weights;
    this.time = time;
    const last = this.times.length - 1;
    if (last < 1) return (this.weights = [{ moment: 0, weight: 1 }]);
    const row = rowBefore(this.times, time);
    const unit = new Float64Array(this.times.length);
    this.weights = [];
    for (let moment = Math.max(0, row - 2); moment <= Math.min(last, row + 3); ++moment) {
      unit[moment] = 1;
      const weight = valueAt(this.times, unit, row, time);
      unit[moment] = 0;
      if (weight !== 0) this.weights.push({ moment, weight });
    }
    return this.weights;
  }

  /** The values of a component at a time, one for each body, in `to`. */
  values(component: SiteComponent, time: number, to: Float32Array): Float32Array {
    const { bodies, values } = component;
    if (component.moments === 1) {
      to.set(values);
      return to;
    }
    to.fill(0);
    for (const { moment, weight } of this.at(time)) for (let k = 0; k < bodies; ++k) to[k] = (to[k] as number) + weight * (values[moment * bodies + k] as number);
    return to;
  }
}
