/** Small runs for the tests. */

import type { Column, Role, Run } from "../src/run/data.ts";

export const column = (name: string, role: Role, values: number[]): Column => ({
  name,
  role,
  values,
  largest: Math.max(0, ...values.map(Math.abs)),
});

export function run(columns: Column[], facts: Partial<Run["facts"]> = {}): Run {
  return {
    rows: columns[0]?.values.length ?? 0,
    columns,
    events: [],
    facts: {
      model_name: "m",
      title: "",
      reference: "",
      model_text: "",
      parameters: [],
      initial: [],
      gauge: "",
      method: "reference",
      method_reason: "",
      order: 8,
      step: 0,
      tolerance: 1e-10,
      t_end: 1,
      status: "complete",
      complete: true,
      version: "0",
      wall_seconds: 1,
      steps: 1,
      rejected_steps: 0,
      newton_iterations: 0,
      largest_energy_residual: 0,
      largest_momentum_residuals: [],
      largest_dissipated_residuals: [],
      largest_constraint_residual: 0,
      largest_invariants: [],
      at_round_off: [],
      notes: [],
      equations_latex: "",
      ...facts,
    },
  };
}
