import assert from "node:assert/strict";
import { test } from "node:test";
import { farApart, samplingNote, unjoined, withGaps } from "../src/run/sampling.ts";
import { column, run } from "./runs.ts";

const times = (rows: number, distance: number) => Array.from({ length: rows }, (_, i) => i * distance);
const wave = (rows: number, perPeriod: number) => column("q", "base", Array.from({ length: rows }, (_, i) => Math.sin((2 * Math.PI * i) / perPeriod)));

test("eight rows in a period are enough to join them, seven are not", () => {
  const any = (perPeriod: number) => farApart(wave(640, perPeriod).values).includes(true);
  assert.deepEqual([3.14, 5, 7, 9, 12, 40, 5000].map(any), [true, true, true, false, false, false, false]);
});

test("a motion that is fast at first is joined where it is slow", () => {
  const far = farApart([...wave(640, 4).values, ...wave(640, 80).values]);
  assert.deepEqual([far[10], far[600], far[700], far[1270]], [true, true, false, false]);
});

test("round-off of a constant and noise far below the range are not a motion", () => {
  const noisy = Array.from({ length: 640 }, (_, i) => Math.sin(i / 50) + 1e-3 * (-1) ** i);
  const constant = Array.from({ length: 640 }, (_, i) => 1 + 1e-16 * (-1) ** i);
  for (const values of [noisy, constant]) assert.equal(unjoined(run([column("t", "time", times(640, 1)), column("q", "base", values)])), undefined);
});

test("a coordinate that rests but for rounding among others that move is not a motion", () => {
  const rest = column("still", "base", Array.from({ length: 640 }, (_, i) => 1e-16 * Math.sin(2.5 * i)));
  const both = run([column("t", "time", times(640, 1)), wave(640, 40), rest]);
  assert.equal(samplingNote(both), undefined);
  assert.equal(unjoined(both), undefined);
  assert.match(samplingNote(run([column("t", "time", times(640, 1)), rest])) ?? "", /still turns/, "alone it is the motion");
});

test("the note names the fastest coordinate, its rows and a distance that would do", () => {
  const coarse = run([column("t", "time", times(1001, 2)), wave(1001, Math.PI)], { step: 0.01, steps: 200000 });
  assert.match(samplingNote(coarse) ?? "", /1\u202f001 rows are too few.*q turns with 3\.\d rows.*--output-step 0\.3 or less/);
  assert.match(samplingNote({ ...coarse, facts: { ...coarse.facts, steps: 1000 } }) ?? "", /take smaller ones/);
  assert.equal(samplingNote(run([column("t", "time", times(1001, 2)), wave(1001, 30)])), undefined);
  assert.equal(samplingNote({ ...coarse, rows: 100_000 }), undefined, "of a thinned run the page does not have the rows");
});

test("rows that are too far apart are marked and not joined, the others joined and not marked", () => {
  const points = withGaps([0, 1, 2, 3], [5, 6, 7, 8], [false, true, true, false]);
  assert.deepEqual(points.x, [0, 1, null, 2, 3]);
  assert.deepEqual(points.marks, [0, 3, 0, 3, 0]);
  assert.deepEqual(points.rows, [0, 1, 1, 2, 3]);
});
