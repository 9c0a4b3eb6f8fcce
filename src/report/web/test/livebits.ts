// Follows motions as a live report does, and compares every row with the program's: node --import tsx test/livebits.ts PROGRAM

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Follower } from "../src/live/follow.ts";
import { type Live, Module } from "../src/live/module.ts";
import { Rows } from "../src/live/rows.ts";
import { playableOf } from "../src/live/view.ts";
import { type Run, heldRows, runOf } from "../src/run/data.ts";
import { decodeMotion, decodeOperations } from "../src/run/motion.ts";

const program = process.argv[2] as string;
const folder = mkdtempSync(join(tmpdir(), "herglotz-live-"));

interface Report {
  run: Run;
  live: Live;
}

/** The data of the report of a run; undefined where the program has no module to offer, for a reason that is none of ours. */
function reportOf(...words: string[]): Report | undefined {
  const file = join(folder, "run.html");
  try {
    execFileSync(program, ["simulate", ...words, "--report", file, "--live", "--force"], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    const text = String((error as { stderr: Buffer }).stderr);
    if (/no WebAssembly target|no fused multiply-add/.test(text)) return undefined;
    throw new Error(text);
  }
  const data = JSON.parse((readFileSync(file, "utf8").match(/id="run">(.*?)<\/script>/s) as RegExpMatchArray)[1] as string);
  return { run: runOf(data), live: data.live };
}

/** The motion of the page from the start of the run, with other values for some names. */
async function followed({ run, live }: Report, changes: Record<string, number> = {}): Promise<Run> {
  const { parameters, initial, t_end } = run.facts;
  const follower = new Follower(live, await Module.of(live, parameters.length), parameters.length);
  follower.kernels.p.values.set(parameters.map(({ name, value }) => changes[name] ?? value));
  const valueOf = (name: string) => changes[name] ?? (initial.find((one) => one.name === name)?.value as number);
  const t = initial.find(({ name }) => !live.state.includes(name))?.value as number;
  const given = { t, state: live.state.map(valueOf) };
  const start = Object.keys(changes).length > 0 ? follower.resolved(given, (name) => name in changes) : given;
  const rows = new Rows(live, follower.kernels, 0);
  const crossings = live.events.map(() => new Rows(live, follower.kernels, 0));
  for (const _ of follower.follow(start, t_end, (sample) => rows.add(sample), (event, sample) => crossings[event]?.add(sample)));
  assert.equal(follower.steps, Object.keys(changes).length > 0 ? follower.steps : run.facts.steps);
  const result = rows.finish(run, {});
  result.events = crossings.map((found, k) => ({ name: live.events[k]?.name ?? "", count: 0, columns: found.finish(run, {}).columns }));
  return result;
}

/** Columns that a run may have besides, and a page does not follow. */
const onDemand = ["volume_rate", "mechanical_energy", "power.action"];

/** Columns that take no exponential of the browser have equal bits; the others are equal but for their last digits. */
function requireEqual(mine: Run, theirs: Run): void {
  assert.equal(heldRows(mine), heldRows(theirs));
  theirs.columns.forEach(({ name, role, values }) => {
    if (onDemand.includes(name)) return;
    const own = mine.columns.find((one) => one.name === name)?.values as number[];
    const exact = !name.startsWith("loss.") && ["time", "base", "fibre", "action", "multiplier", "energy", "momentum", "observable"].includes(role);
    values.forEach((value, row) => {
      const [a, b] = [own[row] as number, value];
      const close = role === "residual" || role === "constraint" ? Math.abs(a - b) < 1e-14 : Math.abs(a - b) <= 1e-13 * Math.abs(b);
      assert.ok(exact ? Object.is(a, b) : close, `${name} in row ${row}: ${a}, not ${b}`);
    });
  });
  assert.deepEqual(mine.events.map(({ name }) => name), theirs.events.map(({ name }) => name));
  assert.ok(theirs.events.length === 0 || theirs.events.some(({ columns }) => (columns[0]?.values.length ?? 0) > 0), "no event happened");
  theirs.events.forEach(({ name, columns }, e) =>
    columns.forEach(({ name: column, values }, k) => {
      if (onDemand.includes(column)) return;
      const own = mine.events[e]?.columns.find((one) => one.name === column)?.values as number[];
      assert.equal(own.length, values.length, `crossings of ${name}`);
      if (["time", "base", "fibre", "action", "multiplier", "energy", "momentum", "observable"].includes(theirs.columns[k]?.role as string) && !column.startsWith("loss.")) assert.deepEqual(own, values, `${column} at ${name}`);
    }),
  );
}

async function step(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
    console.log(`ok - ${name}`);
  } catch (error) {
    console.error(`not ok - ${name}\n${(error as Error).stack}`);
    process.exitCode = 1;
  }
}

if (!reportOf("damped-oscillator")) {
  console.log("skipped: this program compiles no WebAssembly");
  process.exit(77);
}

const pendulum = ["damped-pendulum", "--t-end", "10"];
/** An oscillator pushed by a table, whose rates jump at its points or do not. */
function pushed(interpolation: string): string {
  const file = join(folder, `${interpolation}.toml`);
  writeFileSync(
    file,
    `[algebroid]\nkind = "tangent"\nbase = ["q"]\nfibre = ["v"]\n[dynamics]\nlagrangian = "v^2/2 - q^2/2 - 0.1*z"\nforces = { v = "u" }\n[inputs]\nu = { times = [-1.0, 0.35, 1.0, 2.05, 4.0], values = [0.0, 1.0, -0.5, 0.3, 0.0], interpolation = "${interpolation}" }\n[initial]\nq = 1.0\n[simulation]\nt_end = 3.3\n`,
  );
  return file;
}
/** A model of the gallery that is watched. */
function watched(name: string, events: string): string {
  const file = join(folder, `${name}-${events.length}.toml`);
  writeFileSync(file, `${execFileSync(program, ["models", "show", name], { encoding: "utf8" })}\n[events]\n${events}\n`);
  return file;
}
const turning = watched("damped-pendulum", 'turn = { at = "omega" }\nlow = { at = "theta", direction = "rising" }');
const ended = watched("damped-pendulum", 'turn = { at = "omega" }\nthird = { at = "t - 3.3 + theta/100", stop = true }');
const rolling = watched("rolling-disk", 'north = { at = "sin(ph)" }\nfar = { at = "x - 0.5", stop = true }');
const nonlinear = watched("appell-hamel", 'turn = { at = "sin(7*t) + x/10" }');
/** A model whose events set its state. */
function jumping(text: string, name: string): string {
  const file = join(folder, `${name}.toml`);
  writeFileSync(file, text);
  return file;
}
const falling = `[algebroid]\nkind = "tangent"\nbase = ["q"]\nfibre = ["v"]\n[parameters]\ng = 9.81\nc = 0.2\ne = 0.8\n[dynamics]\nlagrangian = "v^2/2 - g*q - c*z"\n[initial]\nq = 1.0\n`;
const bouncing = jumping(`${falling}[events]\nfloor = { at = "q", direction = "falling", set = { v = "-e*v" } }\ntop = { at = "v" }\n[simulation]\nt_end = 2.0\n`, "bouncing");
const counted = jumping(`${falling}[events]\nfloor = { at = "q", direction = "falling", set = { v = "-e*v" } }\nend = { at = "t - 1.7", stop = true }\n`, "counted");
const swapped = jumping(`${falling}[events]\nfloor = { at = "q", direction = "falling", set = { v = "-e*v", q = "q + 0.01" } }\ntick = { at = "sin(5*t)", set = { z = "z/2" } }\n[simulation]\nt_end = 1.5\n`, "swapped");
const more = jumping(`${falling}[events]\nfloor = { at = "q", direction = "falling", set = { v = "-e*v" } }\n[observables]\nheight = "2*q"\n[simulation]\nt_end = 1.5\ncolumns = [${["q", ...onDemand].map((name) => `"${name}"`).join(", ")}]\n`, "more");
const skating = jumping(`${execFileSync(program, ["models", "show", "rolling-disk"], { encoding: "utf8" })}\n[events]\nwall = { at = "x - 0.3", set = { vx = "-vx", vy = "-vy", vth = "-vth" } }\n`, "skating");
/** A model whose equations have switches. */
function switching(name: string, dynamics: string, simulation: string, more = ""): string {
  return jumping(`[algebroid]\nkind = "tangent"\nbase = ["q"]\nfibre = ["v"]\n[parameters]\nk1 = 1\nk2 = 4\ngamma = 0.1\n[dynamics]\n${dynamics}\n[initial]\nq = 1.0\n[simulation]\n${simulation}\n${more}`, name);
}
const twoSprings = 'lagrangian = "v^2/2 - if(q > 0, k1, k2)*q^2/2 - gamma*z"';
const springs = switching("springs", twoSprings, "t_end = 9.0");
const events = '[events]\nturn = { at = "v" }\nzero = { at = "q", direction = "falling" }\n[observables]\nside = "sign(q)"\n';
const watchedSprings = switching("watched-springs", twoSprings, "t_end = 9.0", events);
const drag = switching("drag", 'lagrangian = "v^2/2 - k1*q^2/2"\nforces = { v = "-gamma*v*abs(v) - 0.1*sign(q) + 0.3*max(0, sin(2*t))" }', "t_end = 9.0");
const stairs = switching("stairs", 'lagrangian = "v^2/2 - k1*q^2/2 - gamma*z"\nforces = { v = "floor(t)/5 + floor(q)*0.05" }', "t_end = 5.5");
const wall = switching("wall", 'lagrangian = "v^2/2 - 40*max(0, -q)^2 - k1*q - gamma*z"', "t_end = 6.0", '[events]\ntick = { at = "sin(3*t)", set = { v = "0.9*v" } }\nzero = { at = "q", direction = "falling" }\n');
const edge = switching("edge", 'lagrangian = "v^2/2 - if(q > 0.4, k1, 0)*(q - 0.4) - gamma*z"\nforces = { v = "-floor(5*q + 3)*0.1 - if(q > 0.4, 1, 0)*v" }', "t_end = 4.0", '[events]\nhit = { at = "q - 0.4", set = { v = "-0.9*v" } }\n');
const rough = jumping(`${execFileSync(program, ["models", "show", "rolling-disk"], { encoding: "utf8" }).replace(/\[dynamics\]/, '[dynamics]\nforces = { vph = "-0.2*vph*abs(vph) + if(x > 0.3, 0.4, 0)" }')}`, "rough");
const [held, linear, spline] = ["hold", "linear", "spline"].map(pushed) as [string, string, string];
for (const words of [
  ["heavy-top", "--method", "reference", "--tolerance", "1e-10"],
  ["kepler-drag", "--method", "reference", "--tolerance", "1e-11"],
  [...pendulum, "--method", "runge-kutta-4", "--step", "0.03", "--output-step", "0.1"],
  [...pendulum, "--method", "runge-kutta-8", "--step", "0.02"],
  [...pendulum, "--method", "taylor", "--tolerance", "1e-12"],
  [...pendulum, "--tolerance", "1e-9", "--output-every", "3"],
  ["damped-pendulum", "--t-end", "-5", "--tolerance", "1e-9"],
  // Constraints: linear in the velocities, of positions, nonlinear in the velocities, vakonomic, and many of them.
  ["rolling-disk", "--method", "reference", "--tolerance", "1e-9", "--t-end", "3"],
  ["rolling-disk", "--method", "runge-kutta-4", "--step", "0.03", "--output-step", "0.1", "--t-end", "3"],
  ["double-pendulum-cartesian", "--method", "reference", "--tolerance", "1e-10", "--t-end", "3"],
  ["double-pendulum-cartesian", "--method", "runge-kutta-8", "--step", "0.01", "--t-end", "2"],
  ["appell-hamel", "--method", "reference", "--tolerance", "1e-9", "--t-end", "2"],
  ["appell-hamel", "--method", "runge-kutta-4", "--step", "0.02", "--output-step", "0.05", "--t-end", "2"],
  ["skate-vakonomic", "--method", "reference", "--tolerance", "1e-9", "--t-end", "2"],
  ["snakeboard", "--method", "taylor", "--tolerance", "1e-10", "--t-end", "2"],
  ["spherical-pendulum", "--method", "reference", "--tolerance", "1e-10", "--t-end", "2", "--output-every", "2"],
  // Events.
  [turning, "--method", "reference", "--tolerance", "1e-9", "--t-end", "10"],
  [turning, "--method", "runge-kutta-4", "--step", "0.05", "--output-step", "0.13", "--t-end", "6"],
  [turning, "--method", "taylor", "--tolerance", "1e-10", "--t-end", "-4"],
  [ended, "--method", "reference", "--tolerance", "1e-9", "--t-end", "10"],
  [ended, "--method", "runge-kutta-8", "--step", "0.07", "--output-every", "2", "--t-end", "10"],
  [rolling, "--method", "reference", "--tolerance", "1e-9", "--t-end", "3"],
  [rolling, "--method", "runge-kutta-4", "--step", "0.02", "--t-end", "3"],
  [nonlinear, "--method", "runge-kutta-4", "--step", "0.02", "--t-end", "2"],
  // Events that set the state.
  [bouncing, "--method", "reference", "--tolerance", "1e-9"],
  [bouncing, "--method", "taylor", "--tolerance", "1e-11", "--output-step", "0.07"],
  [bouncing, "--method", "runge-kutta-4", "--step", "0.01", "--output-every", "3"],
  [bouncing, "--method", "runge-kutta-8", "--step", "0.05", "--output-step", "0.03"],
  [bouncing, "--tolerance", "1e-8", "--output-every", "2"],
  [counted, "--method", "reference", "--tolerance", "1e-9", "--t-end", "3"],
  [swapped, "--method", "reference", "--tolerance", "1e-9"],
  [swapped, "--method", "runge-kutta-4", "--step", "0.01"],
  [more, "--method", "reference", "--tolerance", "1e-9"],
  [skating, "--method", "reference", "--tolerance", "1e-9", "--t-end", "3"],
  [skating, "--method", "runge-kutta-4", "--step", "0.02", "--output-step", "0.05", "--t-end", "3"],
  // Switches.
  [springs, "--method", "reference", "--tolerance", "1e-10"],
  [springs, "--method", "runge-kutta-4", "--step", "0.03", "--output-step", "0.1"],
  [springs, "--method", "runge-kutta-8", "--step", "0.05"],
  [springs, "--tolerance", "1e-9", "--output-every", "2"],
  [springs, "--method", "reference", "--tolerance", "1e-9", "--t-end", "-4"],
  [watchedSprings, "--method", "reference", "--tolerance", "1e-10"],
  [watchedSprings, "--method", "runge-kutta-4", "--step", "0.03", "--output-step", "0.1"],
  [drag, "--method", "reference", "--tolerance", "1e-10"],
  [drag, "--method", "runge-kutta-8", "--step", "0.05", "--output-every", "3"],
  [stairs, "--method", "reference", "--tolerance", "1e-10"],
  [stairs, "--method", "taylor", "--tolerance", "1e-10"],
  [stairs, "--method", "runge-kutta-4", "--step", "0.03"],
  [wall, "--method", "reference", "--tolerance", "1e-10"],
  [wall, "--method", "runge-kutta-4", "--step", "0.02", "--output-step", "0.05"],
  [edge, "--method", "reference", "--tolerance", "1e-10"],
  [edge, "--method", "runge-kutta-4", "--step", "0.02", "--output-step", "0.05"],
  [rough, "--method", "reference", "--tolerance", "1e-9", "--t-end", "3"],
  [rough, "--method", "runge-kutta-4", "--step", "0.03", "--output-step", "0.1", "--t-end", "3"],
  // Inputs.
  [held, "--method", "reference", "--tolerance", "1e-9"],
  [held, "--method", "runge-kutta-4", "--step", "0.05", "--output-step", "0.13"],
  [linear, "--method", "runge-kutta-8", "--step", "0.1", "--output-every", "2"],
  [linear, "--method", "reference", "--tolerance", "1e-9", "--output-every", "2"],
  [spline, "--method", "reference", "--tolerance", "1e-9", "--output-step", "0.35"],
  [held, "--method", "reference", "--tolerance", "1e-9", "--t-end", "-0.9"],
  [held, "--method", "runge-kutta-4", "--step", "0.05", "--t-end", "-0.9"],
]) {
  await step(`${words.join(" ")}: the page's rows are the program's`, async () => {
    const report = reportOf(...words) as Report;
    assert.equal(report.live.method, report.run.facts.method);
    requireEqual(await followed(report), report.run);
  });
}

await step("other values give the rows of the command line that the page names", async () => {
  const report = reportOf(...pendulum, "--tolerance", "1e-10") as Report;
  const changed = reportOf(...pendulum, "--tolerance", "1e-10", "--set", "gamma=0.4", "--set", "theta=1.25", "--output-step", "0.01") as Report;
  const { run } = changed;
  const mine = await followed({ run: { ...report.run, facts: { ...report.run.facts, steps: run.facts.steps } }, live: report.live }, { gamma: 0.4, theta: 1.25 });
  requireEqual(mine, run);
});

await step("other values move the events that set the state as on the command line", async () => {
  const words = [bouncing, "--method", "reference", "--tolerance", "1e-9"];
  const report = reportOf(...words) as Report;
  const { run } = reportOf(...words, "--set", "e=0.75", "--set", "q=1.3", "--output-step", String(report.live.interval)) as Report;
  const mine = await followed({ run: { ...report.run, facts: { ...report.run.facts, steps: run.facts.steps } }, live: report.live }, { e: 0.75, q: 1.3 });
  requireEqual(mine, run);
});

await step("resets that accumulate stop the page as they stop the program", async () => {
  const report = reportOf(bouncing, "--method", "reference", "--tolerance", "1e-9") as Report;
  await assert.rejects(followed({ ...report, run: { ...report.run, facts: { ...report.run.facts, t_end: 9 } } }, { e: 0.5 }), /the resets of 'floor' accumulate at t = 1\.3/);
});

await step("other values move the switches as on the command line", async () => {
  const words = [wall, "--method", "reference", "--tolerance", "1e-10"];
  const report = reportOf(...words) as Report;
  const { run } = reportOf(...words, "--set", "gamma=0.3", "--set", "q=0.7", "--output-step", String(report.live.interval)) as Report;
  requireEqual(await followed({ run: { ...report.run, facts: { ...report.run.facts, steps: run.facts.steps } }, live: report.live }, { gamma: 0.3, q: 0.7 }), run);
});

await step("a motion that both sides of a switch lead back to stops the page as it stops the program", async () => {
  const valley = switching("valley", 'lagrangian = "v^2/2 - gamma*z"\nforces = { v = "-k1*sign(q) - k2*v" }', "t_end = 0.5");
  const report = reportOf(valley, "--method", "reference", "--tolerance", "1e-9") as Report;
  await assert.rejects(followed(report, { q: 0 }), /the motion cannot leave 'q' = 0, because both of its sides lead back to it/);
});

await step("a method that no page has is followed by another one, close by", async () => {
  const report = reportOf(...pendulum, "--method", "contact-gauss-6", "--step", "0.02") as Report;
  assert.equal(report.live.method, "reference");
  const { run } = report;
  run.facts.steps = (await followedSteps(report)) ?? 0;
  const mine = await followed(report);
  for (const k of [1, 2, 3]) assert.ok(Math.abs((mine.columns[k]?.values.at(-1) as number) - (run.columns[k]?.values.at(-1) as number)) < 1e-7);
});

async function followedSteps({ run, live }: Report): Promise<number> {
  const { parameters, initial, t_end } = run.facts;
  const follower = new Follower(live, await Module.of(live, parameters.length), parameters.length);
  follower.kernels.p.values.set(parameters.map(({ value }) => value));
  const state = live.state.map((name) => initial.find((one) => one.name === name)?.value as number);
  for (const _ of follower.follow({ t: 0, state }, t_end, () => {}));
  return follower.steps;
}

await step("a body that turns at given rates is carried as the program carries it", async () => {
  const report = reportOf("heavy-top", "--method", "reference", "--tolerance", "1e-10") as Report;
  const view = report.live.motion as NonNullable<Live["motion"]>;
  const playable = playableOf({ ...view, operations: decodeOperations(view.operations) }, await followed(report), report.run.facts.parameters);
  const theirs = decodeMotion((report.run as { motion?: unknown }).motion);
  assert.ok(theirs && theirs.columns.length >= 4);
  for (const { name, values } of theirs.columns) {
    const own = playable?.motion.columns.find((one) => one.name === name)?.values as number[];
    values.forEach((value, row) => assert.ok(Math.abs((own[row] as number) - value) < 1e-9, `${name} in row ${row}`));
  }
});

rmSync(folder, { recursive: true });
