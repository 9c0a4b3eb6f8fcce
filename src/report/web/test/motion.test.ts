import assert from "node:assert/strict";
import { test } from "node:test";
import { attitudeOf, boundsOf } from "../src/motion/poses.ts";
import { Tape } from "../src/motion/tape.ts";
import { rowBefore, valueAt } from "../src/run/interpolate.ts";
import { type Motion, decodeMotion } from "../src/run/motion.ts";

const times = Array.from({ length: 41 }, (_, k) => 0.25 * k);

test("columns between rows follow a smooth curve, forwards and backwards", () => {
  const values = times.map((t) => Math.sin(t));
  for (const t of [0.1, 3.3, 9.9]) assert.ok(Math.abs(valueAt(times, values, rowBefore(times, t), t) - Math.sin(t)) < 2e-3);
  assert.equal(valueAt(times, values, 3, 0.75), Math.sin(0.75));
  const back = [...times].reverse();
  assert.equal(rowBefore(back, 9.9), 0);
  assert.ok(Math.abs(valueAt(back, back.map((t) => t * t), rowBefore(back, 3.3), 3.3) - 3.3 * 3.3) < 1e-12);
});

test("operations give what they name, and nothing else is done", () => {
  const tape = new Tape([["number", 2], ["column", "q"], ["mul", 0, 1], ["cos", 2], ["add", 3, 0, 0], ["pow", 4, 0], ["select", 0, 1, 5, 3], ["atan2", 1, 0]], times, (name) => (name === "q" ? times : undefined));
  const values = tape.evaluate(1.5);
  assert.deepEqual([...values].map((value) => Number(value.toFixed(12))), [2, 1.5, 3, Math.cos(3), Math.cos(3) + 4, (Math.cos(3) + 4) ** 2, (Math.cos(3) + 4) ** 2, Math.atan2(1.5, 2)].map((value) => Number(value.toFixed(12))));
  assert.ok(tape.varies(3) && !tape.varies(0));
  assert.throws(() => new Tape([["column", "p"]], times, () => undefined), /needs the column p/);
  assert.throws(() => new Tape([["alert", 0]], times, () => undefined), /does not know/);
});

test("a matrix and a quaternion are the same attitude", () => {
  const q = [0.1, 0.7, -0.5, Math.sqrt(1 - 0.01 - 0.49 - 0.25)] as const;
  const [w, x, y, z] = q;
  const matrix = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  const values = Float64Array.from([...matrix, ...q]);
  const of = attitudeOf(values, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const plain = attitudeOf(values, [9, 10, 11, 12]);
  const sign = Math.sign((of[3] ?? 0) * (plain[3] ?? 0));
  of.forEach((component, k) => assert.ok(Math.abs(sign * component - (plain[k] as number)) < 1e-12));
});

test("the picture reaches as far as its bodies and what is on them", () => {
  const motion = decodeMotion({
    operations: [["number", "Infinity"], ["column", "q"], ["number", 0], ["number", 3]],
    bodies: [
      { name: "bob", shape: "sphere", at: [1, 2, 2], radius: [3] },
      { name: "arm", shape: "rod", on: "bob", from: [2, 2, 2], to: [2, 3, 2] },
      { name: "lost", shape: "sphere", at: [0, 2, 2] },
    ],
  }) as Motion;
  const bounds = boundsOf(motion, new Tape(motion.operations, times, () => times));
  assert.deepEqual(bounds.low, [-3, -3, -3]);
  assert.deepEqual(bounds.high, [13, 3, 3]);
  assert.equal(decodeMotion(null), undefined);
});
