import assert from "node:assert/strict";
import { test } from "node:test";
import { coordinatesFor } from "../src/motion/drag.ts";
import { Tape } from "../src/motion/tape.ts";
import type { Operation } from "../src/run/motion.ts";

/** The end of a double pendulum in the plane of x and z, with rods of length 1. */
const operations: Operation[] = [["column", "a"], ["column", "b"], ["sin", 0], ["sin", 1], ["add", 2, 3], ["number", 0], ["number", -1], ["cos", 0], ["cos", 1], ["add", 7, 8], ["mul", 6, 9]];
const tape = new Tape(operations, [0, 1], (name) => (name === "a" || name === "b" ? [0.3, 0.4] : undefined));
const end = [4, 5, 10];
const from = new Map([["a", 0.3], ["b", 0.4], ["c", 7]]);

test("the coordinates bring the point to its target, and what does not move it stays", () => {
  const found = coordinatesFor(tape, 0, end, from, [1.2, 3, -1], [0, 1, 0]);
  assert.ok(found);
  const [a, b] = [found.get("a") as number, found.get("b") as number];
  assert.ok(Math.abs(Math.sin(a) + Math.sin(b) - 1.2) < 1e-6 && Math.abs(Math.cos(a) + Math.cos(b) - 1) < 1e-6);
  assert.equal(found.get("c"), 7);
});

test("a target out of reach is approached", () => {
  const found = coordinatesFor(tape, 0, end, from, [5, 0, 0], [0, 1, 0]);
  assert.ok(found);
  assert.ok(Math.sin(found.get("a") as number) + Math.sin(found.get("b") as number) > 1.99);
});

test("a point that no coordinate moves gives none", () => {
  assert.equal(coordinatesFor(tape, 0, [5, 5, 5], from, [1, 1, 1], [0, 1, 0]), undefined);
});
