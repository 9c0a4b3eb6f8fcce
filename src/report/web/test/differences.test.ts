import assert from "node:assert/strict";
import { test } from "node:test";
import { atTimes, rowsApart, settingsApart } from "../src/compare/differences.ts";
import { column, run } from "./runs.ts";

test("settings that are the same are not listed, a parameter that one run lacks is", () => {
  const first = run([], { method: "reference", step: 0, parameters: [{ name: "gamma", value: 0.1 }, { name: "k", value: 2 }] });
  const second = run([], { method: "stiff", step: 0, parameters: [{ name: "k", value: 2 }] });
  assert.deepEqual(settingsApart(first, second), [
    { name: "Method", values: ["reference", "stiff"] },
    { name: "gamma", values: ["0.1", "–"] },
  ]);
  assert.deepEqual(settingsApart(first, first), []);
});

test("a cubic is read off exactly between rows, and nothing beyond them", () => {
  const cubic = (t: number) => 1 - t + 2 * t ** 3;
  const times = [0, 0.5, 0.75, 1.5, 2];
  const read = atTimes([-1, 0, 0.1, 0.6, 1.9, 2, 2.1], times, times.map(cubic));
  assert.deepEqual([read[0], read[6]], [Number.NaN, Number.NaN]);
  [0, 0.1, 0.6, 1.9, 2].forEach((t, i) => assert.ok(Math.abs((read[i + 1] as number) - cubic(t)) < 1e-14, `t = ${t}`));
});

test("runs backwards in time are read off too", () => {
  assert.deepEqual(atTimes([0, -0.5, -1], [0, -1, -2, -3], [0, 1, 2, 3]), [0, 0.5, 1]);
});

test("equal times are compared row by row, and only states", () => {
  const rows = (x: number[]) => run([column("t", "time", [0, 1]), column("x", "base", x), column("energy", "energy", [1, 1])]);
  const apart = rowsApart(rows([1, 2]), rows([1, 2.25]));
  assert.deepEqual(apart?.columns.map(({ name, values, largest }) => [name, values, largest]), [["x", [0, 0.25], 0.25]]);
  assert.equal(apart?.exact, true);
});
