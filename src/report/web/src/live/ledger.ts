/** Residuals of a balance law along a motion that this page follows; analyse::BalanceLedger says what they mean. */

export interface LawSample {
  t: number;
  quantity: number;
  scale: number;
  budget: number;
  logFactor: number;
  rateTerms: number;
  valueTerms: number;
}

export const TERM_ROUNDING = 16 * (Number.EPSILON / 2);
/** Rounding of numbers below the least one that has all its digits. */
const LEAST_ROUNDING = 2 ** -1022;
const NOTICEABLE = 1e-9;

/** The largest residual of a run, each relative to the largest term up to its sample or after it; analyse::LargestResidual. */
class LargestResidual {
  private unknown = false;
  private kept: { residual: number; yardstick: number }[] = [];

  enter(residual: number, yardstick: number, decay: number): void {
    const { kept } = this;
    if (decay > 1) for (const one of kept) one[one.yardstick > 0 ? "yardstick" : "residual"] *= decay;
    this.unknown ||= !Number.isFinite(residual);
    let largest = Math.abs(residual);
    for (let last = kept.at(-1); last && last.yardstick <= yardstick; last = kept.at(-1)) {
      largest = Math.max(largest, last.residual * (yardstick > 0 ? (last.yardstick > 0 ? last.yardstick : 1) / yardstick : 1));
      kept.pop();
    }
    if (!(largest > 0)) return;
    const top = kept.at(-1);
    if (yardstick > 0 && top && largest <= top.residual) return;
    for (let last = kept.at(-1); yardstick > 0 && last && last.residual * last.yardstick <= largest * yardstick; last = kept.at(-1)) kept.pop();
    kept.push({ residual: largest, yardstick });
  }

  get value(): number {
    return this.unknown ? Number.NaN : this.kept.reduce((largest, { residual }) => Math.max(largest, residual), 0);
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

export class Ledger {
  private started = false;
  private initial = 0;
  private logFactor = 0;
  private t = 0;
  private rateTerms = 0;
  private yardstick = 0;
  private rounding = 0;
  private readonly all = new LargestResidual();
  /** The time from which the quantity has been at round-off. */
  since: number | undefined;

  /** The largest |residual|, relative to the largest term of all samples; not a number after one that was none. */
  get largest(): number {
    return this.all.value;
  }

  residual(sample: LawSample): number {
    if (!this.started) {
      this.started = true;
      this.initial = sample.budget;
      this.logFactor = sample.logFactor;
      this.t = sample.t;
    }
    const growth = sample.logFactor - this.logFactor;
    const integral = sample.budget - this.initial * (sample.logFactor === 0 ? 1 : Math.exp(-sample.logFactor));
    let yardstick = growth === 0 ? this.yardstick : this.yardstick * Math.exp(-growth);
    this.carry(sample, growth);
    this.logFactor = sample.logFactor;
    for (const term of [sample.scale, Math.abs(sample.quantity), Math.abs(sample.budget), Math.abs(integral)])
      if (Number.isFinite(term)) yardstick = Math.max(yardstick, term);
    this.yardstick = yardstick;
    let defect = sample.quantity - sample.budget;
    const rounding = this.rounding + TERM_ROUNDING * finite(sample.valueTerms) + LEAST_ROUNDING;
    const decayed = yardstick > 0 && rounding > NOTICEABLE * yardstick;
    if (decayed && !Number.isNaN(defect)) defect = Math.sign(defect) * Math.max(Math.abs(defect) - rounding, 0);
    if (decayed) this.since ??= sample.t;
    else if (yardstick > 0) this.since = undefined;
    const relative = yardstick > 0 ? defect / yardstick : defect;
    this.all.enter(relative, yardstick, growth === 0 ? 1 : Math.exp(-growth));
    return relative;
  }

  private carry(sample: LawSample, growth: number): void {
    const terms = finite(sample.rateTerms);
    const share = growth === 0 ? 1 : -Math.expm1(-growth) / growth;
    const made = TERM_ROUNDING * Math.abs(sample.t - this.t) * Math.max(terms, this.rateTerms) * share;
    const kept = this.rounding === 0 ? 0 : this.rounding * Math.exp(-growth);
    this.rounding = finite(kept + made);
    this.rateTerms = terms;
    this.t = sample.t;
  }
}
