/** The times inside a motion at which pieces of inputs meet; integrate::Breaks of the program. */

export interface Break {
  t: number;
  /** True if the rates jump there. */
  jump: boolean;
}

/** A step ends at the arrival at a break, and the next one begins at the departure from it. Where rates jump, no stage of the step before reads what holds after. */
export class Breaks {
  private readonly left: Break[];
  private readonly direction: number;
  private readonly margin: number;

  constructor(all: readonly Break[], t0: number, end: number) {
    this.direction = end < t0 ? -1 : 1;
    this.margin = 4 * Number.EPSILON * Math.max(Math.abs(t0), Math.abs(end));
    const [low, high] = [Math.min(t0, end), Math.max(t0, end)];
    this.left = all.filter(({ t, jump }) => t > low && (jump ? t <= high : t < high));
    if (this.direction < 0) this.left.reverse();
  }

  get next(): Break | undefined {
    return this.left[0];
  }
  get arrival(): number {
    const { next } = this;
    if (!next) return Number.POSITIVE_INFINITY * this.direction;
    return next.jump ? next.t - this.direction * this.margin : next.t;
  }
  get departure(): number {
    const { t, jump } = this.left[0] as Break;
    return jump && this.direction < 0 ? t - this.margin : t;
  }
  reached(t: number): boolean {
    return this.next !== undefined && (t - this.arrival) * this.direction >= 0;
  }
  /** The time, or the arrival at the next break if that comes first. */
  before(time: number): number {
    return this.next !== undefined && (time - this.arrival) * this.direction > 0 ? this.arrival : time;
  }
  pass(): void {
    this.left.shift();
  }
}
