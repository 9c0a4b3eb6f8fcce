import assert from "node:assert/strict";
import { test } from "node:test";
import { inEqualRatios, powerTicks, shadingOf } from "../src/figures/shades.ts";

test("values in equal ratios, and values that crowd the low end, get logarithmic colours", () => {
  const logarithmic = (values: number[]) => shadingOf(values, undefined).logarithmic;
  assert.equal(logarithmic([0.1, 1, 10]), true);
  assert.equal(logarithmic([1, 2, 4, 8, 1, 2, 4, 8]), true, "members of a grid repeat the values of its axes");
  assert.equal(logarithmic([0.001, 0.002, 0.003, 0.01, 5]), true);
  assert.equal(logarithmic([1, 2, 3, 4]), false);
  assert.equal(logarithmic([-1, 0.1, 10]), false);
  assert.equal(inEqualRatios([1, 1, 2, 2]), false, "two values are in any ratio");
});

test("logarithmic colours are evenly spread over decades", () => {
  const { low, high, of, magnitude } = shadingOf([0.1, 1, 10], undefined);
  assert.deepEqual([low, high, of(1), magnitude], [-1, 1, 0, false]);
  const residuals = shadingOf([-1e-9, 1e-3], "residual");
  assert.deepEqual([residuals.low, residuals.high, residuals.magnitude], [-9, -3, true]);
});

test("ticks of short logarithmic ranges stand at 1, 2 and 5, of long ones at powers", () => {
  assert.deepEqual(powerTicks(-1, 1).ticktext, ["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
  assert.deepEqual(powerTicks(-18, -4).tickvals, [-18, -16, -14, -12, -10, -8, -6, -4]);
});
