import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeNumber, decodeRun, extent, finiteOrGap, magnitudes, residualRange, rowsWithin, spansDecades, steadyRange, toCsv } from "../src/run/data.ts";
import { column, run } from "./runs.ts";

test("numbers that JSON cannot hold come back from words", () => {
  assert.equal(decodeNumber("NaN"), Number.NaN);
  assert.equal(decodeNumber("-Infinity"), -Infinity);
  assert.equal(decodeNumber(0.1), 0.1);
  assert.throws(() => decodeNumber("1"), /where a number belongs/);
  assert.throws(() => decodeNumber(null), /where a number belongs/);
});

test("a run decodes to the columns and facts that were written", () => {
  const original = run([column("t", "time", [0, 1]), column("x", "base", [2, 3])], { tolerance: 1e-9, notes: ["a start that was moved"] });
  const text = JSON.stringify({ format: 1, ...original }).replace("[2,3]", '[2,"NaN"]').replace('"largest_constraint_residual":0', '"largest_constraint_residual":"NaN"');
  const decoded = decodeRun(text);
  assert.deepEqual(decoded.columns[0]?.values, [0, 1]);
  assert.deepEqual(decoded.columns[1]?.values, [2, Number.NaN]);
  assert.equal(decoded.facts.tolerance, 1e-9);
  assert.equal(decoded.facts.largest_constraint_residual, Number.NaN);
  assert.deepEqual(decoded.facts.notes, ["a start that was moved"]);
});

test("data of another format is refused", () => {
  assert.throws(() => decodeRun('{"format":2}'), /format 2/);
});

test("the extent passes over what is not finite", () => {
  assert.deepEqual(extent([3, Number.NaN, -1, Infinity]), [-1, 3]);
  assert.equal(extent([Number.NaN]), undefined);
  assert.equal(extent([]), undefined);
});

test("a logarithmic axis is for positive values over two decades", () => {
  assert.equal(spansDecades([1, 100]), true);
  assert.equal(spansDecades([1, 99]), false);
  assert.equal(spansDecades([-1, 100]), false);
  assert.equal(spansDecades([0, 100]), false);
});

test("residuals are drawn by magnitude, never below the floor, with gaps where they are not numbers", () => {
  assert.deepEqual(magnitudes([-1e-9, 0, 1e-30, Number.NaN]), [1e-9, 1e-18, 1e-18, null]);
  assert.deepEqual(finiteOrGap([-1, Infinity]), [-1, null]);
});

test("rows within a window of time include both ends", () => {
  assert.deepEqual(rowsWithin([0, 1, 2, 3, 4], 1, 3), [1, 4]);
  assert.deepEqual(rowsWithin([4, 3, 2, 1, 0], 1, 3), [1, 4]);
  assert.deepEqual(rowsWithin([0, 1], 5, 6), [0, 0]);
});

test("the CSV reads back to the same bits", () => {
  const values = [0.1, -0, 1 / 3, 5e-324, 1.7976931348623157e308, Number.NaN, -Infinity];
  const csv = toCsv(run([column("t", "time", values.map((_, i) => i)), column('odd,"name"', "base", values)]));
  const lines = csv.trimEnd().split("\n");
  assert.equal(lines[0], 't,"odd,""name"""');
  const back = lines.slice(1).map((line) => line.split(",")[1] as string);
  assert.deepEqual(back.slice(0, 5).map(Number), values.slice(0, 5));
  assert.deepEqual(back.slice(5), ["nan", "-inf"]);
});

test("an axis is not fitted to round-off", () => {
  assert.deepEqual(steadyRange([[2, 2 + 4e-16], [2]])?.map((end) => end.toFixed(9)), ["1.900000000", "2.100000000"]);
  assert.equal(steadyRange([[2, 2.1]]), undefined);
  assert.equal(steadyRange([[0, 0, null]]), undefined);
  assert.equal(steadyRange([[2], [1]]), undefined);
});

test("noise of round-off stands at the bottom of its axis, not across it", () => {
  const noise = Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? 1e-18 : 2e-16 * Math.abs(Math.sin(i))));
  const [low, high] = residualRange([noise]);
  assert.ok(low <= -18 && low > -19, `${low}`);
  assert.ok(high >= -11, `the noise would fill an axis that ends at ${high}`);
  assert.deepEqual(residualRange([[1e-18, 1e-18]]), [low, high], "exact zeros have the same axis");
  assert.deepEqual(residualRange([[null, null]]), [low, high]);
  assert.deepEqual(residualRange([]), [low, high]);
});

test("residuals above round-off have the axis to themselves", () => {
  const [low, high] = residualRange([[1e-18, ...Array.from({ length: 300 }, (_, i) => 1e-9 * (1 + i))]]);
  assert.ok(low > -9.5 && low < -8, `a zero at the start reaches down to ${low}`);
  assert.ok(high > -6.53 && high < -6, `${high}`);
});

test("a few crossings of zero do not stretch the axis of residuals", () => {
  const crossing = Array.from({ length: 400 }, (_, i) => (i === 200 ? 3e-17 : 1e-6));
  assert.ok(residualRange([crossing])[0] > -7);
  const grown = Array.from({ length: 400 }, (_, i) => 1e-16 * 10 ** (i / 40));
  const [low, high] = residualRange([grown]);
  assert.ok(low < -18 && high > -6.1, "growth out of round-off is shown from there");
});
