import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cells, decodeFields, pictureOf } from "../src/run/fields.ts";
import { Moments } from "../src/motion/moments.ts";
import { decodeComponent, decodeMotion, innerRange, isDrawn } from "../src/run/motion.ts";
import { valueAt } from "../src/run/interpolate.ts";

const chain = { name: "q", role: "base" as const, axes: [{ name: "i", places: [0, 10, 20] }], times: [0, 0.5], values: [1, 2, 3, 4, 5, 6] };
const grid = { name: "q", role: "base" as const, axes: [{ name: "i", places: [0, 1] }, { name: "j", places: [0, 5, 9] }], times: [0, 1], values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

const rowsOf = ({ values, from, across, up, width, height }: Cells) => Array.from({ length: height }, (_, j) => Array.from({ length: width }, (_, k) => values[from + k * across + j * up]));

test("a run without families has no fields", () => {
  assert.deepEqual(decodeFields(undefined), []);
});

test("values that JSON cannot hold come back, and a wrong number of them is refused", () => {
  const [decoded] = decodeFields([{ ...chain, values: [1, "NaN", 3, 4, 5, 6] }]);
  assert.deepEqual(Array.from(decoded?.values ?? []), [1, Number.NaN, 3, 4, 5, 6]);
  assert.throws(() => decodeFields([{ ...chain, values: [1] }]), /1 values of q for 2 moments of 3 sites/);
});

test("a chain is drawn over its sites and time", () => {
  const { x, y, cells } = pictureOf(chain, "t", 1);
  assert.deepEqual(x, { title: "i", places: [0, 10, 20] });
  assert.deepEqual(y, { title: "t", places: [0, 0.5] });
  assert.deepEqual(rowsOf(cells), [[1, 2, 3], [4, 5, 6]]);
});

test("a grid is drawn over its sites at a moment", () => {
  const { x, y, cells } = pictureOf(grid, "t", 1);
  assert.deepEqual([x.title, y.title], ["j", "i"]);
  assert.deepEqual(rowsOf(cells), [[6, 7, 8], [9, 10, 11]]);
});

const packed = (...codes: number[]) => btoa(String.fromCharCode(...codes.flatMap((code) => [code & 255, code >> 8])));

test("components are multiples of a step above the lowest value, and one code is no value", () => {
  const { values } = decodeComponent({ bodies: 2, moments: 2, low: -1, step: 0.5, data: packed(0, 4, 65535, 65534) });
  assert.deepEqual([...values], [-1, 1, Number.NaN, 32766]);
  const codes = Uint16Array.of(0, 4, 65535, 65534);
  assert.deepEqual([...decodeComponent({ bodies: 2, moments: 2, low: -1, step: 0.5, data: codes }).values], [...values], "as the studio sends them");
  assert.throws(() => decodeComponent({ bodies: 3, moments: 2, low: 0, step: 1, data: packed(1) }), /1 values for 2 moments of 3 bodies/);
});

test("the inner range leaves out the lowest and the highest hundredth, and what is no number", () => {
  const values = Float32Array.from({ length: 3000 }, (_, k) => Math.sin(k * k));
  values[7] = -50;
  values[1500] = 1e3;
  values[2999] = Number.NaN;
  const sorted = values.filter(Number.isFinite).sort();
  const [low, high] = innerRange(values);
  // Counted in levels of the whole range.
  const level = (1e3 + 50) / 65535;
  assert.ok(Math.abs(low - (sorted[Math.floor(0.01 * 2998)] as number)) <= 0.51 * level, `${low}`);
  assert.ok(Math.abs(high - (sorted[Math.ceil(0.99 * 2998)] as number)) <= 0.51 * level, `${high}`);
  assert.deepEqual(innerRange([2, 2, Number.NaN]), [2, 2]);
  assert.deepEqual(innerRange([]), [0, 1]);
});

test("values between moments are the cubics of columns, for each body", () => {
  const times = [0, 1, 1.5, 3, 4, 6];
  const moments = new Moments(times);
  const first = times.map((t) => Math.sin(t));
  const second = times.map((t) => t * t);
  const component = { bodies: 2, moments: 6, values: Float32Array.from(times.flatMap((_, k) => [first[k] as number, second[k] as number])) };
  for (const [row, time] of [[0, 0.3], [1, 1.2], [2, 2.9], [3, 3.5], [4, 5.5], [4, 6], [0, 0]] as const) {
    const found = moments.values(component, time, new Float32Array(2));
    assert.ok(Math.abs((found[0] as number) - valueAt(times, first, row, time)) < 1e-6);
    assert.ok(Math.abs((found[1] as number) - valueAt(times, second, row, time)) < 1e-5);
  }
});

test("a component that does not vary has one moment", () => {
  const found = new Moments([0, 1]).values({ bodies: 3, moments: 1, values: Float32Array.of(1, 2, 3) }, 0.7, new Float32Array(3));
  assert.deepEqual([...found], [1, 2, 3]);
});

test("motions of models without an index have no arrays", () => {
  const motion = decodeMotion({ bodies: [], operations: [], columns: [], note: "none" });
  assert.deepEqual(motion?.arrays, []);
  assert.equal(motion && isDrawn(motion), false);
});
