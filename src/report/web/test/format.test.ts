import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutDelimiters } from "../src/page/latex.ts";
import { formatCount, formatNumber, formatResidual, formatSeconds, gaugePosition } from "../src/page/format.ts";

test("numbers are short where they can be and powers of ten where they must", () => {
  assert.equal(formatNumber(0), "0");
  assert.equal(formatNumber(-0.25), "−0.25");
  assert.equal(formatNumber(1e-12), "10⁻¹²");
  assert.equal(formatNumber(-1.5e20), "−1.5 × 10²⁰");
  assert.equal(formatNumber(123456.789, 9), "123456.789");
  assert.equal(formatNumber(999999.9, 3), "10⁶");
  assert.equal(formatNumber(Number.NaN), "not a number");
  assert.equal(formatNumber(-Infinity), "−∞");
});

test("residuals carry two digits and a power of ten", () => {
  assert.equal(formatResidual(3.14e-13), "3.1 × 10⁻¹³");
  assert.equal(formatResidual(0.5), "5.0 × 10⁻¹");
  assert.equal(formatResidual(0), "0");
  assert.equal(formatResidual(Number.NaN), "not a number");
});

test("counts are grouped by three", () => {
  assert.equal(formatCount(999), "999");
  assert.equal(formatCount(1234567), "1\u202f234\u202f567");
});

test("wall times have the unit that reads best", () => {
  assert.equal(formatSeconds(0), "not recorded");
  assert.equal(formatSeconds(2.5e-4), "250 µs");
  assert.equal(formatSeconds(0.0123), "12.3 ms");
  assert.equal(formatSeconds(75), "75 s");
  assert.equal(formatSeconds(200), "3 min 20 s");
});

test("the gauge runs from 10⁻¹⁸ to 1", () => {
  assert.equal(gaugePosition(0), 0);
  assert.equal(gaugePosition(1e-30), 0);
  assert.ok(Math.abs(gaugePosition(-1e-9) - 0.5) < 1e-12);
  assert.equal(gaugePosition(7), 1);
  assert.equal(gaugePosition(Number.NaN), 1);
});

test("display delimiters around the equations are taken off", () => {
  assert.equal(withoutDelimiters("\\[\nx\n\\]"), "x");
  assert.equal(withoutDelimiters("$$ x $$"), "x");
  assert.equal(withoutDelimiters("\\begin{aligned}x\\end{aligned}"), "\\begin{aligned}x\\end{aligned}");
});
