/** Recognition of events that accumulate at a time: simulate::Accumulation of the program. */

const NEGLIGIBLE = 1e-11;
const MOST_AT_ONCE = 100;
/** Largest ratio of successive times that counts as shrinking. */
const SHRINKING = 1 - 1e-6;

export class Accumulation {
  /** The number of events that are looked at. */
  static readonly looks = 8;
  private times: number[] = [];
  private standing = 0;

  constructor(private readonly span: number) {}

  /** Adds the time of an event; the time at which they accumulate, if that is about to be reached. */
  add(t: number): number | undefined {
    const rounding = 8 * Number.EPSILON * Math.max(Math.abs(t), this.span);
    const latest = this.times.at(-1);
    this.standing = latest !== undefined && Math.abs(t - latest) <= rounding ? this.standing + 1 : 0;
    if (this.standing >= MOST_AT_ONCE) return t;
    this.times = [...this.times, t].slice(-Accumulation.looks);
    if (this.times.length < Accumulation.looks) return undefined;
    const gaps = this.times.slice(1).map((time, k) => time - (this.times[k] as number));
    if (!gaps.every((gap) => gap > 0)) return undefined;
    const ratio = Math.max(...gaps.slice(1).map((gap, k) => gap / (gaps[k] as number)));
    if (!(ratio < SHRINKING)) return undefined;
    const rest = ((gaps.at(-1) as number) * ratio) / (1 - ratio);
    return rest <= NEGLIGIBLE * Math.max(this.span, Math.abs(t)) ? t + rest : undefined;
  }
}
