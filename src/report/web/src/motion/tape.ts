/** Values of the view's expressions at a time: a list of operations over interpolated columns. No text is executed. */

import { rowBefore, valueAt } from "../run/interpolate.ts";
import type { Operation } from "../run/motion.ts";

type Values = Float64Array;
type Function = (operands: readonly number[], values: Values) => number;

const one = (f: (x: number) => number): Function => (o, v) => f(v[o[0] as number] as number);
const two = (f: (x: number, y: number) => number): Function => (o, v) => f(v[o[0] as number] as number, v[o[1] as number] as number);

const FUNCTIONS: Record<string, Function> = {
  add: (o, v) => o.reduce((sum, k) => sum + (v[k] as number), 0),
  mul: (o, v) => o.reduce((product, k) => product * (v[k] as number), 1),
  pow: two((x, y) => (y === 0.5 ? Math.sqrt(x) : x ** y)),
  exp: one(Math.exp),
  log: one(Math.log),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  asin: one(Math.asin),
  acos: one(Math.acos),
  atan: one(Math.atan),
  atan2: two(Math.atan2),
  sinh: one(Math.sinh),
  cosh: one(Math.cosh),
  tanh: one(Math.tanh),
  abs: one(Math.abs),
  sign: one(Math.sign),
  floor: one(Math.floor),
  select: (o, v) => ((v[o[0] as number] as number) > (v[o[1] as number] as number) ? (v[o[2] as number] as number) : (v[o[3] as number] as number)),
};

export class Tape {
  readonly values: Values;
  private readonly steps: { index: number; run: Function; operands: readonly number[] }[] = [];
  private readonly inputs: { index: number; name: string; column: ArrayLike<number> }[] = [];
  private readonly varying: boolean[] = [];

  constructor(
    operations: readonly Operation[],
    readonly times: ArrayLike<number>,
    column: (name: string) => ArrayLike<number> | undefined,
  ) {
    this.values = new Float64Array(operations.length);
    operations.forEach((operation, index) => {
      const [code, ...rest] = operation;
      if (code === "number") this.values[index] = rest[0] as number;
      else if (code === "column") {
        const name = rest[0] as unknown as string;
        const values = column(name);
        if (!values) throw new Error(`the motion needs the column ${name}`);
        this.inputs.push({ index, name, column: values });
      } else {
        const run = FUNCTIONS[code];
        if (!run) throw new Error(`the motion has an operation ${code}, which this page does not know`);
        this.steps.push({ index, run, operands: rest as number[] });
      }
      this.varying.push(code === "column" || (code !== "number" && (rest as number[]).some((k) => this.varying[k])));
    });
  }

  /** Returns whether the value changes in time. */
  varies(index: number): boolean {
    return this.varying[index] as boolean;
  }

  /** Fills `values` with those at the time, and with other values of some columns. */
  evaluate(time: number, others?: ReadonlyMap<string, number>): Values {
    const row = rowBefore(this.times, time);
    for (const { index, name, column } of this.inputs) this.values[index] = others?.get(name) ?? valueAt(this.times, column, row, time);
    for (const { index, run, operands } of this.steps) this.values[index] = run(operands, this.values);
    return this.values;
  }
}
