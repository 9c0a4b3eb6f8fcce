import assert from "node:assert/strict";
import { test } from "node:test";
import { alignment, evenlyInTime, markerAngle, planarBodies } from "../src/run/path.ts";
import { column, run } from "./runs.ts";

const N = 200;
const times = Array.from({ length: N + 1 }, (_, i) => (6 * i) / N);
const base = (name: string, value: (t: number) => number) => column(name, "base", times.map(value));
const bodiesOf = (...names: string[]) =>
  planarBodies(run([column("t", "time", [0, 1]), ...names.map((name) => column(name, "base", [0, 1]))])).map(({ x, y }) => `${x.name} ${y.name}`);

test("a position in the plane is x and y, X and Y, or such a pair with one ending", () => {
  assert.deepEqual(bodiesOf("x", "y", "phi"), ["x y"]);
  assert.deepEqual(bodiesOf("theta", "Y", "X"), ["X Y"]);
  assert.deepEqual(bodiesOf("x1", "y1", "x2", "y2"), ["x1 y1", "x2 y2"]);
  assert.deepEqual(bodiesOf("x_c", "y_c"), ["x_c y_c"]);
});

test("other base coordinates are not taken for a position", () => {
  for (const names of [["q1", "q2"], ["x1", "x2"], ["x", "Y"], ["x1", "y2"], ["r", "th"], ["x"], ["y", "phi"], []]) {
    assert.deepEqual(bodiesOf(...names), [], names.join(" "));
  }
});

test("x and y are a position among the base coordinates only", () => {
  const columns = [column("x", "fibre", [0]), column("y", "fibre", [0]), column("X", "observable", [0]), column("Y", "observable", [0])];
  assert.deepEqual(planarBodies(run(columns)), []);
  assert.deepEqual(planarBodies(run([column("x", "base", [0]), column("y", "fibre", [0])])), []);
});

test("the heading is the angle that the motion follows, whatever the order of the coordinates", () => {
  // A wheel on a circle of radius 2: theta rolls, phi steers.
  const x = base("x", (t) => 2 * Math.sin(t));
  const y = base("y", (t) => -2 * Math.cos(t));
  const theta = base("theta", (t) => 2 * t + 0.3);
  const phi = base("phi", (t) => t);
  const headings = (...angles: (typeof theta)[]) => planarBodies(run([column("t", "time", times), x, y, ...angles]))[0]?.headings.map(({ name }) => name);
  assert.deepEqual(headings(theta, phi), ["phi", "theta"]);
  assert.deepEqual(headings(phi, theta), ["phi", "theta"]);
  assert.ok(alignment({ x, y }, phi) > 0.999);
  assert.ok(alignment({ x, y }, theta) < 0.3);
});

test("a blade that runs backwards keeps its heading, and so does one across the motion", () => {
  const phi = (t: number) => 0.5 * t;
  const speed = (t: number) => Math.cos(2 * t);
  const sum = (rate: (t: number) => number) => {
    let total = 0;
    return times.map((t, i) => (total += i === 0 ? 0 : rate(t - 3 / N) * (6 / N)));
  };
  const x = column("x", "base", sum((t) => speed(t) * Math.cos(phi(t))));
  const y = column("y", "base", sum((t) => speed(t) * Math.sin(phi(t))));
  assert.ok(alignment({ x, y }, base("phi", phi)) > 0.999);
  assert.ok(alignment({ x, y }, base("phi", (t) => phi(t) + Math.PI / 2)) > 0.999);
  assert.ok(alignment({ x, y }, base("phi", (t) => -phi(t))) < 0.9);
});

test("without an angle that the motion follows the model's order stays", () => {
  const [x, y] = [base("x", () => 1), base("y", () => 2)];
  assert.equal(alignment({ x, y }, base("psi", (t) => t)), 0);
  const bodies = planarBodies(run([column("t", "time", times), x, y, base("psi", (t) => t), base("theta", (t) => 2 * t)]));
  assert.deepEqual(bodies[0]?.headings.map(({ name }) => name), ["psi", "theta"]);
});

test("gaps in the path do not hide its heading", () => {
  const hole = (values: (t: number) => number) => (t: number) => (t > 2 && t < 2.2 ? Number.NaN : values(t));
  const [x, y] = [base("x", hole(Math.sin)), base("y", hole((t) => -Math.cos(t)))];
  assert.ok(alignment({ x, y }, base("phi", (t) => t)) > 0.999);
});

test("a body's heading has the body's ending; other coordinates are not angles", () => {
  const names = ["x1", "y1", "x2", "y2", "th2", "th1", "alpha", "theta"];
  const bodies = planarBodies(run([column("t", "time", [0, 1]), ...names.map((name) => column(name, "base", [0, 1]))]));
  assert.deepEqual(bodies.map(({ headings }) => headings.map(({ name }) => name)), [["th1"], ["th2"]]);
  assert.deepEqual(planarBodies(run([column("x", "base", [0]), column("y", "base", [0]), column("w", "base", [0])]))[0]?.headings, []);
});

test("arrows stand at even times, also where the stored states do not, and run backwards too", () => {
  const even = Array.from({ length: 101 }, (_, i) => i / 10);
  assert.deepEqual(evenlyInTime(even, [0, 10], 5).map((row) => even[row]), [1, 3, 5, 7, 9]);
  assert.deepEqual(evenlyInTime(even, [4, 6], 2).map((row) => even[row]), [4.5, 5.5]);
  const uneven = [0, 0.01, 0.02, 0.03, 2.4, 2.6, 7.4, 10];
  assert.deepEqual(evenlyInTime(uneven, [0, 10], 2).map((row) => uneven[row]), [2.6, 7.4]);
  const backwards = [...even].reverse();
  assert.deepEqual(evenlyInTime(backwards, [0, 10], 5).map((row) => backwards[row]), [9, 7, 5, 3, 1]);
});

test("no state is marked twice, and an empty window has none", () => {
  assert.deepEqual(evenlyInTime([0, 1], [0, 1], 20), [0, 1]);
  assert.deepEqual(evenlyInTime([0], [0, 0], 20), [0]);
  assert.deepEqual(evenlyInTime([0, 1], [3, 4], 20), []);
  assert.deepEqual(evenlyInTime([], [0, 1], 20), []);
});

test("an angle from the x axis becomes one clockwise from straight up", () => {
  const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value} is not ${wanted}`);
  near(markerAngle(0), 90);
  near(markerAngle(Math.PI / 2), 0);
  near(markerAngle(Math.PI), -90);
  near(markerAngle(-Math.PI / 4), 135);
  near(markerAngle(40 * Math.PI + 0.1), markerAngle(0.1));
  for (const angle of [-1e3, -7, 3, 1e3]) assert.ok(Math.abs(markerAngle(angle)) <= 180);
});
