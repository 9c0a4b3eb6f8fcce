import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFields, pictureOf } from "../src/run/fields.ts";

const chain = { name: "q", role: "base" as const, axes: [{ name: "i", places: [0, 10, 20] }], times: [0, 0.5], values: [1, 2, 3, 4, 5, 6] };
const grid = { name: "q", role: "base" as const, axes: [{ name: "i", places: [0, 1] }, { name: "j", places: [0, 5, 9] }], times: [0, 1], values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

test("a run without families has no fields", () => {
  assert.deepEqual(decodeFields(undefined), []);
});

test("values that JSON cannot hold come back, and a wrong number of them is refused", () => {
  const [decoded] = decodeFields([{ ...chain, values: [1, "NaN", 3, 4, 5, 6] }]);
  assert.deepEqual(decoded?.values, [1, Number.NaN, 3, 4, 5, 6]);
  assert.throws(() => decodeFields([{ ...chain, values: [1] }]), /1 values of q for 2 moments of 3 sites/);
});

test("a chain is drawn over its sites and time", () => {
  const { x, y, rows } = pictureOf(chain, "t", 1);
  assert.deepEqual(x, { title: "i", places: [0, 10, 20] });
  assert.deepEqual(y, { title: "t", places: [0, 0.5] });
  assert.deepEqual(rows, [[1, 2, 3], [4, 5, 6]]);
});

test("a grid is drawn over its sites at a moment", () => {
  const { x, y, rows } = pictureOf(grid, "t", 1);
  assert.deepEqual([x.title, y.title], ["j", "i"]);
  assert.deepEqual(rows, [[6, 7, 8], [9, 10, 11]]);
});
