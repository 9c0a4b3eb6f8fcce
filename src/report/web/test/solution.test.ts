import assert from "node:assert/strict";
import { test } from "node:test";
import { certificate, decodeSolution, solutionPanels } from "../src/run/solution.ts";
import { column, run } from "./runs.ts";

const raw = {
  status: "solved",
  reason: "converged",
  extremal: "normal",
  cost: 2,
  cost_error: 1e-9,
  mesh_error: 1e-10,
  duration: 2,
  structure: "u: max, min; switches at 1",
  residuals: [
    { name: "defect", value: 1e-15 },
    { name: "price_share", value: 0.3 },
    { name: "junction_jump", value: "NaN" },
  ],
  intervals: 2,
  iterations: 5,
  solvers: "",
  switches: [{ control: "u", times: [1] }],
  controls: [{ control: "u", lower: -1, upper: "Infinity" }],
  times: [0, 1, 2],
  errors: [1e-12, 1e-11],
};

test("the certificate has every residual but shares, also new ones, and the mesh error", () => {
  const laws = certificate(decodeSolution(raw));
  assert.deepEqual(laws.map(({ label }) => label), ["Defect", "Junction jump", "Mesh error"]);
  assert.ok(Number.isNaN(laws[1]?.largest));
  const unjudged = certificate(decodeSolution({ ...raw, mesh_error: "NaN" }));
  assert.deepEqual(unjudged.map(({ label }) => label), ["Defect", "Junction jump"], "an error that was not estimated is not shown");
});

test("controls have a panel of their own with bounds and switches, and the mesh has one", () => {
  const columns = [
    column("t", "time", [0, 1, 2]),
    column("x", "base", [0, 0.5, 1]),
    column("u", "observable", [1, 0, -1]),
    column("p_v", "momentum", [1, 0, -1]),
    column("hamiltonian", "energy", [0, 0, 0]),
    column("hamiltonian_invariant", "invariant", [0, 0, 0]),
    column("switch.u", "observable", [1, 0, -1]),
  ];
  const panels = solutionPanels(run(columns), decodeSolution(raw));
  assert.deepEqual(panels.map(({ id }) => id), ["trajectory", "controls", "energy", "momenta", "observables", "mesh"]);
  const controls = panels[1];
  assert.deepEqual(controls?.levels, [{ text: "u ≥", at: -1 }], "an infinite bound is not drawn");
  assert.deepEqual(controls?.moments, [1]);
  assert.deepEqual(controls?.lines[0]?.time?.values, [0, 1, 1, 2], "a jump is drawn as one");
  assert.deepEqual(controls?.lines[0]?.column.values, [1, 1, 0, -1]);
  assert.deepEqual(panels[2]?.lines.map((line) => line.column.name), ["hamiltonian", "hamiltonian_invariant"]);
  assert.deepEqual(panels[3]?.lines.map((line) => line.column.name), ["p_v"]);
  assert.deepEqual(panels[4]?.lines.map((line) => line.column.name), ["switch.u"], "controls are not shown twice");
  const mesh = panels.at(-1)?.lines[0];
  assert.deepEqual(mesh?.time?.values, [0.5, 1.5]);
  assert.deepEqual(mesh?.column.values, [1e-12, 1e-11]);
});
