/** LU factors with partial pivoting, as the program computes them for up to a dozen rows: the same operations, and so the same bits. */

/** Beside the largest entry of its column such a pivot is round-off. */
const ROUND_OFF = 1e-14;

export class LU {
  /** Column by column. */
  private readonly entries: Float64Array;
  private readonly pivots: number[];

  constructor(readonly size: number) {
    this.entries = new Float64Array(size * size);
    this.pivots = new Array(size).fill(0);
  }

  clear(): void {
    this.entries.fill(0);
  }
  at(i: number, j: number): number {
    return this.entries[j * this.size + i] as number;
  }
  set(i: number, j: number, value: number): void {
    this.entries[j * this.size + i] = value;
  }
  add(i: number, j: number, value: number): void {
    this.set(i, j, this.at(i, j) + value);
  }
  get finite(): boolean {
    return this.entries.every(Number.isFinite);
  }
  copy(from: LU): void {
    this.entries.set(from.entries);
  }

  /** Factorises the matrix in its place. Returns whether no pivot is round-off beside its column. */
  compute(): boolean {
    const { size } = this;
    const largest = Array.from({ length: size }, (_, j) => Math.max(0, ...this.entries.subarray(j * size, (j + 1) * size).map(Math.abs)));
    let regular = true;
    for (let c = 0; c < size; ++c) {
      this.pivot(c);
      regular &&= Math.abs(this.at(c, c)) > ROUND_OFF * (largest[c] as number);
      const inverse = 1 / this.at(c, c);
      this.set(c, c, inverse);
      for (let i = c + 1; i < size; ++i) this.set(i, c, this.at(i, c) * inverse);
      for (let j = c + 1; j < size; ++j) {
        const factor = this.at(c, j);
        for (let i = c + 1; i < size; ++i) this.set(i, j, this.at(i, j) - this.at(i, c) * factor);
      }
    }
    return regular;
  }

  private pivot(c: number): void {
    const { size } = this;
    let [largest, place] = [Math.abs(this.at(c, c)), c];
    for (let i = c + 1; i < size; ++i) {
      const entry = Math.abs(this.at(i, c));
      if (entry > largest) [largest, place] = [entry, i];
    }
    this.pivots[c] = place;
    if (place === c) return;
    for (let j = 0; j < size; ++j) {
      const kept = this.at(c, j);
      this.set(c, j, this.at(place, j));
      this.set(place, j, kept);
    }
  }

  /** Solves in the place of the right side. */
  solve(x: Float64Array): void {
    const { size } = this;
    for (let c = 0; c < size; ++c) {
      const other = this.pivots[c] as number;
      [x[c], x[other]] = [x[other] as number, x[c] as number];
    }
    for (let c = 0; c < size; ++c) for (let i = c + 1; i < size; ++i) x[i] = (x[i] as number) - this.at(i, c) * (x[c] as number);
    for (let c = size - 1; c >= 0; --c) {
      x[c] = (x[c] as number) * this.at(c, c);
      for (let i = 0; i < c; ++i) x[i] = (x[i] as number) - this.at(i, c) * (x[c] as number);
    }
  }
}
