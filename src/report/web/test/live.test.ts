import assert from "node:assert/strict";
import { test } from "node:test";
import { attitudeOf, carried } from "../src/live/carried.ts";
import { fused } from "../src/live/fused.ts";
import { Ledger } from "../src/live/ledger.ts";

test("a product and a sum are rounded once, for the least and the largest numbers too", () => {
  const cases: [number, number, number, number][] = [
    [2 ** -600, 2 ** -500, 0, 0],
    [2 ** -600, 2 ** -474, 0, 2 ** -1074],
    [3 * 2 ** -600, 2 ** -475, 0, 2 ** -1073],
    [2 ** -540, 2 ** -535, 2 ** -1074, 2 ** -1073],
    [-(2 ** -540), 2 ** -535, -(2 ** -1074), -(2 ** -1073)],
    [2 ** -540, 2 ** -536, 2 ** -1074, 2 ** -1074],
    [2 ** 600, 2 ** 600, -Infinity, -Infinity],
    [2 ** 512, 2 ** 512, -(2 ** 1023), 2 ** 1023],
    [2 ** 1000, 2 ** 100, 1, Infinity],
    [2 ** 1000, -(2 ** 100), 1, -Infinity],
    [2 ** 1000, 2 ** -1000, -1, 0],
    [1 + 2 ** -52, 1 + 2 ** -52, -(1 + 2 ** -51), 2 ** -104],
    [0, 5, -0, 0],
    [-0, 5, -0, -0],
    [2 ** -1074, 0.5, 1, 1],
    [2 ** -53, 1, 1, 1],
    [2 ** -53 + 2 ** -105, 1, 1, 1 + 2 ** -52],
  ];
  for (const [x, y, z, expected] of cases) assert.ok(Object.is(fused(x, y, z), expected), `${x} * ${y} + ${z} = ${fused(x, y, z)}, not ${expected}`);
  assert.ok(Number.isNaN(fused(Infinity, 0, 1)));
  assert.ok(Number.isNaN(fused(Infinity, 1, -Infinity)));
});

test("a body with a constant rate turns by the rate times the time", () => {
  const times = Array.from({ length: 11 }, (_, k) => k / 10);
  const poses = carried(
    times,
    times.map(() => [0, 0, 2]),
    times.map(() => [1, 0, 0]),
    { attitude: [1, 0, 0, 0], place: [0, 0, 0] },
  );
  const { attitude, place } = poses.at(-1) as (typeof poses)[number];
  assert.ok(Math.abs(2 * Math.atan2(attitude[3], attitude[0]) - 2) < 1e-12);
  // It runs on a circle of radius 1/2.
  assert.ok(Math.abs(place[0] - Math.sin(2) / 2) < 1e-6 && Math.abs(place[1] - (1 - Math.cos(2)) / 2) < 1e-6);
});

test("a matrix and its quaternion are one attitude", () => {
  for (const [matrix, expected] of [
    [[1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0]],
    [[1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 1, 0, 0]],
    [[-1, 0, 0, 0, 1, 0, 0, 0, -1], [0, 0, 1, 0]],
    [[-1, 0, 0, 0, -1, 0, 0, 0, 1], [0, 0, 0, 1]],
  ] as const)
    attitudeOf(matrix).forEach((c, k) => assert.ok(Math.abs(c - (expected[k] as number)) < 1e-15));
});

test("a residual is relative to the largest term so far, and round-off is not a residual", () => {
  const ledger = new Ledger();
  const at = (t: number, quantity: number, budget: number) => ledger.residual({ t, quantity, scale: 4, budget, logFactor: 0, rateTerms: 0, valueTerms: 0 });
  assert.equal(at(0, 2, 2), 0);
  assert.equal(at(1, 2.5, 2), 0.125);
  assert.equal(at(2, 1, 2), -0.25);
  assert.equal(ledger.largest, 0.25);
  assert.equal(ledger.residual({ t: 2.5, quantity: 8, scale: 16, budget: 8, logFactor: 0, rateTerms: 0, valueTerms: 0 }), 0);
  assert.equal(ledger.largest, 1 / 16);
  assert.ok(Number.isNaN(at(3, Number.NaN, 2)));
  assert.ok(Number.isNaN(ledger.largest));
});
