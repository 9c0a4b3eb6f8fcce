import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPhasePair, isBroken, isLarge, laws, phaseColumns, timePanels } from "../src/run/panels.ts";
import { column, run } from "./runs.ts";

const t = column("t", "time", [0, 1]);

test("panels without columns are left out", () => {
  const ids = timePanels(run([t, column("x", "base", [0, 1])])).map(({ id }) => id);
  assert.deepEqual(ids, ["trajectory"]);
});

test("the trajectory shows base, fibre and action in the order of the run", () => {
  const panels = timePanels(run([t, column("x", "base", [0, 1]), column("vx", "fibre", [0, 1]), column("z", "action", [0, 1])]));
  assert.deepEqual(panels[0]?.lines.map((line) => line.column.name), ["x", "vx", "z"]);
});

test("a long list of columns is offered but not drawn at once", () => {
  const many = Array.from({ length: 30 }, (_, i) => column(`q${i}`, "base", [0, 1]));
  const lines = timePanels(run([t, ...many]))[0]?.lines ?? [];
  assert.equal(lines.filter(({ shown }) => shown).length, 8);
  assert.equal(new Set(lines.slice(0, 21).map(({ color, dash }) => `${color} ${dash}`)).size, 21);
});

test("the energy invariant stands with the energy, momentum invariants with their momenta", () => {
  const panels = timePanels(
    run([
      t,
      column("energy", "energy", [1, 1]),
      column("energy_invariant", "invariant", [1, 1]),
      column("momentum.a", "momentum", [1, 1]),
      column("momentum_invariant.a", "invariant", [1, 1]),
      column("momentum.b", "momentum", [1, 1]),
      column("momentum_invariant.b", "invariant", [1, 1]),
    ]),
  );
  const names = (id: string) => panels.find((panel) => panel.id === id)?.lines.map((line) => line.column.name);
  assert.deepEqual(names("energy"), ["energy", "energy_invariant"]);
  assert.deepEqual(names("momenta"), ["momentum.a", "momentum_invariant.a", "momentum.b", "momentum_invariant.b"]);
  const momenta = panels.find(({ id }) => id === "momenta")?.lines ?? [];
  assert.deepEqual(momenta.map(({ color }) => color), [0, 0, 1, 1]);
  assert.deepEqual(momenta.map(({ dash }) => dash), [0, 1, 0, 1]);
});

test("works and losses stand with the energy, and not with the observables", () => {
  const panels = timePanels(
    run([
      t,
      column("energy", "energy", [2, 1]),
      column("height", "observable", [1, 0]),
      column("work.belt", "observable", [0, -0.5]),
      column("loss.floor", "observable", [0, 0.5]),
    ]),
  );
  const names = (id: string) => panels.find((panel) => panel.id === id)?.lines.map((line) => line.column.name);
  assert.deepEqual(names("budgets"), ["energy", "work.belt", "loss.floor"]);
  assert.deepEqual(names("observables"), ["height"]);
});

test("the integrating factor takes a logarithmic axis only when it spans decades", () => {
  const scale = (values: number[]) => timePanels(run([t, column("integrating_factor", "factor", values)]))[0]?.log;
  assert.equal(scale([1, 1e4]), true);
  assert.equal(scale([1, 2]), false);
});

test("what would set the scale of the other lines waits to be chosen, and the note says so", () => {
  const panels = timePanels(
    run([
      t,
      column("x", "base", [0.4, -1]),
      column("z", "action", [0, 8]),
      column("energy", "energy", [1, 0.5]),
      column("energy_invariant", "invariant", [1, 1e173]),
      column("momentum.a", "momentum", [1, 0.5]),
      column("momentum_invariant.a", "invariant", [1, 1]),
    ]),
  );
  const shown = Object.fromEntries(panels.flatMap(({ lines }) => lines.map((line) => [line.column.name, line.shown])));
  assert.deepEqual(shown, { x: true, z: false, energy: true, energy_invariant: false, "momentum.a": true, "momentum_invariant.a": true });
  assert.match(panels[0]?.note ?? "", /drawn when chosen: z \(8\)/);
  assert.match(panels[1]?.note ?? "", /energy_invariant \(10¹⁷³\)/);
  assert.doesNotMatch(panels[2]?.note ?? "", /when chosen/);
});

test("a constant energy and its invariant stand together", () => {
  const [panel] = timePanels(run([t, column("energy", "energy", [1.5, 1.5]), column("energy_invariant", "invariant", [1.5, 1.9])]));
  assert.deepEqual(panel?.lines.map(({ shown }) => shown), [true, true]);
});

test("residuals and constraints are drawn by magnitude on logarithmic axes, multipliers are not", () => {
  const panels = timePanels(run([t, column("energy_residual", "residual", [0, 0]), column("constraint.1", "constraint", [0, 0]), column("lambda1", "multiplier", [1, 2])]));
  assert.deepEqual(panels.map(({ id, log, magnitude }) => [id, log, magnitude]), [
    ["residuals", true, true],
    ["constraints", true, true],
    ["multipliers", false, false],
  ]);
});

test("phase space starts with the first base and the first fibre coordinate", () => {
  const pair = (...columns: ReturnType<typeof column>[]) => defaultPhasePair(run([t, ...columns]))?.map(({ name }) => name);
  const [x, y, vx, z] = [column("x", "base", [0]), column("y", "base", [0]), column("vx", "fibre", [0]), column("z", "action", [0])];
  const [w1, w2] = [column("w1", "fibre", [0]), column("w2", "fibre", [0])];
  assert.deepEqual(pair(x, y, vx, z), ["x", "vx"]);
  assert.deepEqual(pair(w1, w2, z), ["w1", "w2"]);
  assert.deepEqual(pair(w1, z), ["w1", "z"]);
  assert.equal(pair(z), undefined);
  assert.equal(pair(), undefined);
});

test("residuals and constraints do not stand on axes of phase space", () => {
  const columns = phaseColumns(run([t, column("x", "base", [0]), column("r", "residual", [0]), column("c", "constraint", [0])]));
  assert.deepEqual(columns.map(({ name }) => name), ["t", "x"]);
});

test("the verdict lists the energy, every momentum and every constraint", () => {
  const list = laws(
    run([t, column("energy_residual", "residual", [0, 1e-9]), column("momentum_residual.k", "residual", [0, 1e-9]), column("constraint.1", "constraint", [0, -2e-15])], {
      largest_energy_residual: 1e-9,
      largest_momentum_residuals: [{ name: "k", value: 3e-12 }],
      largest_dissipated_residuals: [],
    }),
  );
  assert.deepEqual(list, [
    { label: "Energy", largest: 1e-9, kind: "law" },
    { label: "Momentum k", largest: 3e-12, kind: "law" },
    { label: "Constraint 1", largest: 2e-15, kind: "constraint" },
  ]);
});

test("a law whose quantity has decayed to round-off says from when, and declared invariants are listed", () => {
  const list = laws(
    run([t, column("energy_residual", "residual", [0, 1e-9])], {
      largest_momentum_residuals: [{ name: "k", value: 3e-12 }],
      largest_dissipated_residuals: [],
      at_round_off: [{ name: "k", value: 210.5 }],
      largest_invariants: [{ name: "unit", value: 4e-16 }],
    }),
  );
  assert.deepEqual(list.map(({ label, roundOffFrom }) => [label, roundOffFrom]), [["Energy", undefined], ["Momentum k", 210.5], ["Invariant unit", undefined]]);
});

const constrained = (largest: number[], whole: number) => {
  const columns = largest.map((value, i) => column(`constraint.${i + 1}`, "constraint", [0, value]));
  return laws(run([t, ...columns], { largest_constraint_residual: whole })).map(({ label, largest, kind }) => [label, largest, kind]);
};

test("several constraints have a line for all of them, a single one speaks for itself", () => {
  assert.deepEqual(constrained([2e-15], 2e-15), [["Constraint 1", 2e-15, "constraint"]]);
  assert.deepEqual(constrained([2e-15, -5e-16], 2e-15), [
    ["All constraints", 2e-15, "constraint"],
    ["Constraint 1", 2e-15, "constraint"],
    ["Constraint 2", 5e-16, "constraint"],
  ]);
  assert.deepEqual(constrained([], 0), []);
});

test("a derivative that is further from zero than every equation is told", () => {
  assert.deepEqual(constrained([2e-15], 7e-11), [
    ["Constraints and their time derivatives", 7e-11, "constraint"],
    ["Constraint 1", 2e-15, "constraint"],
  ]);
});

test("a run whose facts lack the largest constraint residual has that of its columns", () => {
  assert.deepEqual(constrained([2e-5, 1e-4], 0)[0], ["All constraints", 1e-4, "constraint"]);
});

test("a constraint that is not a number is not hidden by the others", () => {
  const broken = { ...column("constraint.1", "constraint", [0, 1]), largest: Number.NaN };
  const list = laws(run([t, broken, column("constraint.2", "constraint", [0, 1e-16])]));
  assert.deepEqual(list.map(({ label, largest }) => [label, largest]), [["All constraints", Number.NaN], ["Constraint 1", Number.NaN], ["Constraint 2", 1e-16]]);
  assert.ok(isLarge(list[0]?.largest as number));
});

test("the multipliers' note names their rule and their sign", () => {
  const note = (...names: string[]) => timePanels(run([t, ...names.map((name) => column(name, "multiplier", [0, 1]))]))[0]?.note ?? "";
  assert.match(note("lambda1", "lambda2"), /nonholonomic.*Σ λₖ ∂Φₖ\/∂yᵃ is the force.*adds to dpₐ\/dt/);
  assert.match(note("nu1"), /vakonomic.*L − Σ νₖ Φₖ.*part of the state/);
  assert.doesNotMatch(note("lambda1", "nu1"), /nonholonomic|vakonomic/);
});

test("a run without residual columns claims no verified law", () => {
  assert.deepEqual(laws(run([t])), []);
});

test("what is not a number counts as a large residual", () => {
  assert.equal(isLarge(Number.NaN), true);
  assert.equal(isLarge(1e-3), true);
  assert.equal(isLarge(-1e-2), true);
  assert.equal(isLarge(9e-4), false);
});

test("residuals of a discrete motion are its distance from continuous time, and no errors", () => {
  const continuous = run([t, column("energy_residual", "residual", [0, 0.1])], { largest_energy_residual: 0.1 });
  const discrete = { ...continuous, facts: { ...continuous.facts, order: 0, method: "discrete-herglotz" } };
  assert.deepEqual(laws(continuous).map(isBroken), [true]);
  assert.deepEqual(laws(discrete).map(isBroken), [false]);
  assert.deepEqual(laws({ ...discrete, facts: { ...discrete.facts, largest_energy_residual: Number.NaN } }).map(isBroken), [true]);
});
