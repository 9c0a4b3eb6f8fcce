// Uses a report that follows its motion itself, from a file: node test/livepage.test.mjs PROGRAM [SCREENSHOT_FOLDER]
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { step } from "./browser/studio.mjs";
import { openBrowser } from "./browser/studiobrowser.mjs";

const [program, folder = "live-screenshots"] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), "herglotz-live-"));
const file = join(work, "pendulum.html");
const made = spawnSync(program, ["simulate", "damped-pendulum", "--tolerance", "1e-10", "--t-end", "20", "--report", file, "--live"]);
if (/no WebAssembly target|no fused multiply-add/.test(String(made.stderr))) process.exit(77);
assert.equal(made.status, 0, String(made.stderr));

await step("a motion that a page cannot follow is refused in one line, and nothing is written", async () => {
  const model = (lagrangian, more = "") => `[algebroid]\nkind = "tangent"\nbase = ["q"]\nfibre = ["v"]\n[dynamics]\nlagrangian = "${lagrangian}"\n[initial]\nq = 1.0\n[simulation]\nstep = 0.01\nt_end = 1\n${more}`;
  const oscillator = "v^2/2 - q^2/2";
  const refused = [
    [model(oscillator, '[impacts]\nhit = { gap = "q", restitution = 0.5 }\n'), /it has impacts, and a page computes no impulses/],
    [model(oscillator).replace("[initial]", 'forces = { v = "-0.3*sign(v - 0.1)" }\n[initial]'), /it may stay where 'v - 1\/10' is 0, and a page follows no motion that a switch holds/],
    [model(oscillator, 'time_scale = "1 + q^2"\n'), /scaled time; remove time_scale/],
    [model("v^2/2 + w^2/2 + o^2/2").replace('["q"]', '["q", "s", "r"]').replace('["v"]', '["v", "w", "o"]') + '[constraints]\nrule = "nonholonomic"\nequations = ["v - w", "w - o", "v - o"]\n', /one of its constraints follows from the others; leave that constraint out/],
    ["christ-lee", /exchanges of rows/],
    ["sine-gordon-kink", /a model with an index does not follow/],
    ["regulator", /a problem of control does not follow/],
  ];
  for (const [text, why] of refused) {
    const name = text.includes("\n") ? join(work, "refused.toml") : text;
    if (name !== text) await writeFile(name, text);
    const { status, stderr } = spawnSync(program, ["simulate", name, "--report", join(work, "refused.html"), "--live"], { encoding: "utf8" });
    assert.equal(status, 2, name);
    assert.match(stderr, why);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
    assert.ok(!existsSync(join(work, "refused.html")));
  }
});

await mkdir(folder, { recursive: true });
const address = pathToFileURL(file);
const { browser, context, page, faults } = await openBrowser(address);
await context.setOffline(true);
await page.goto(address.href);
const done = (wish) => page.waitForFunction((least) => Number(document.getElementById("live")?.dataset.wish ?? 0) >= least, wish);
const wishes = async () => Number(await page.locator("#live").getAttribute("data-wish"));
const state = (k) => page.evaluate((column) => document.getElementById("live").live.run.columns[column].values, k);

await step("the page follows the motion to the bits of the run, and says so", async () => {
  await done(1);
  const run = JSON.parse((await readFile(file, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]);
  for (const k of [0, 1, 2, 3]) assert.deepEqual(await state(k), run.columns[k].values);
  assert.equal(await page.locator("#live-bits").getAttribute("data-equal"), "true");
  assert.match(await page.locator("#live-bits").innerText(), /reference .*has the same bits/);
  await page.locator("#motion canvas").waitFor();
  await page.screenshot({ path: join(folder, "live.png"), fullPage: true });
});

await step("a slider moves curves, picture and verdict, and back again", async () => {
  const before = await state(1);
  const slider = page.getByRole("slider", { name: "gamma" });
  const wish = await wishes();
  await slider.focus();
  for (let k = 0; k < 20; ++k) await page.keyboard.press("ArrowRight");
  await done(wish + 20);
  assert.notEqual((await state(1)).at(-1), before.at(-1));
  assert.match(await page.locator("#live code").innerText(), /--set gamma=0\.\d+ .*--method reference --tolerance 1e-10 .*--output-step 0\.02/);
  assert.match(await page.locator("#live-verdict").innerText(), /Complete[^]*Energy/);
  const back = await wishes();
  await page.getByRole("button", { name: "All as in the run" }).click();
  await done(back + 1);
  assert.deepEqual(await state(1), before);
});

await step("a motion that stops says why, and the page goes on", async () => {
  const number = page.getByRole("spinbutton", { name: "theta, exact value" });
  const wish = await wishes();
  await number.fill("1e300");
  await number.press("Enter");
  await done(wish + 1);
  assert.match(await page.locator("#live-verdict").innerText(), /Stopped early/);
  await number.fill("0.5");
  await number.press("Enter");
  await done(wish + 2);
  assert.match(await page.locator("#live-verdict").innerText(), /Complete/);
});

await step("a body is drawn to another place, and starts there", async () => {
  const back = await wishes();
  await page.getByRole("button", { name: "All as in the run" }).click();
  // The verdict of the new motion may be longer, and moves what is below it.
  await done(back + 1);
  await page.locator("#motion canvas").scrollIntoViewIfNeeded();
  const places = () =>
    page.evaluate(() => {
      const { player, run } = document.getElementById("live").live;
      const at = (angle) => player.stage.windowPoint([Math.sin(angle), 0, -Math.cos(angle)]);
      return { bob: at(run.columns[1].values[0]), target: at(0.9) };
    });
  await page.evaluate(() => document.getElementById("live").live.cursor.set(0));
  const { bob, target } = await places();
  const wish = await wishes();
  await page.mouse.move(...bob);
  await page.mouse.down();
  await page.mouse.move((bob[0] + target[0]) / 2, (bob[1] + target[1]) / 2);
  await page.mouse.move(...target);
  await page.mouse.up();
  await done(wish + 1);
  const [start] = await state(1);
  assert.ok(Math.abs(start - 0.9) < 0.02, `theta is ${start}`);
});

await step("a link brings back exactly this", async () => {
  const number = page.getByRole("spinbutton", { name: "theta, exact value" });
  const wish = await wishes();
  await number.fill("0.625");
  await number.press("Enter");
  await done(wish + 1);
  const expected = await state(2);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => /link/.test(document.querySelector("#live .told").textContent));
  const link = page.url();
  const other = await context.newPage();
  await other.goto(link);
  await other.waitForFunction(() => Number(document.getElementById("live")?.dataset.wish ?? 0) >= 1);
  assert.deepEqual(await other.evaluate(() => document.getElementById("live").live.run.columns[2].values), expected);
  assert.equal(await other.getByRole("spinbutton", { name: "theta, exact value" }).inputValue(), "0.625");
});

await step("a start off the constraints is moved onto them, and the command line that is named has the same numbers", async () => {
  const rolling = join(work, "disk.html");
  const { status, stderr } = spawnSync(program, ["simulate", "rolling-disk", "--method", "reference", "--tolerance", "1e-9", "--t-end", "4", "--report", rolling, "--live"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  await page.goto(pathToFileURL(rolling).href);
  await done(1);
  assert.match(await page.locator("#live-bits").innerText(), /every step is moved onto the constraints.* has the same bits/s);
  assert.equal(await page.locator("#live-moves").innerText(), "");
  await page.locator("#live").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(folder, "live-constraints.png") });
  const number = page.getByRole("spinbutton", { name: "vth, exact value" });
  const wish = await wishes();
  await number.fill("1.75");
  await number.press("Enter");
  await done(wish + 1);
  assert.match(await page.locator("#live-moves").innerText(), /off the constraints by .* was moved onto them: .*vth = /);
  assert.match(await page.locator("#live-verdict").innerText(), /Complete[^]*All constraints/);
  const words = (await page.locator("#live code").innerText()).split(" ").slice(1);
  const out = join(work, "disk.csv");
  const again = spawnSync(program, [...words, "--out", out], { encoding: "utf8" });
  assert.equal(again.status, 0, again.stderr);
  const rows = (await readFile(out, "utf8")).trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
  for (const [k, name] of ["t", "x", "y", "th", "ph", "vx", "vy", "vth", "vph", "z"].entries()) {
    const at = rows[0].indexOf(name);
    assert.ok(at >= 0, `${name} is not a column of ${rows[0]}`);
    assert.deepEqual(await state(k), rows.slice(1).map((row) => Number(row[at])), name);
  }
});

await step("a motion passes its switches, and the page counts them", async () => {
  const text = `[algebroid]\nkind = "tangent"\nbase = ["q"]\nfibre = ["v"]\n[parameters]\nk = 4\n[dynamics]\nlagrangian = "v^2/2 - if(q > 0, 1, k)*q^2/2"\n[initial]\nq = 1.0\n[simulation]\nt_end = 9\n`;
  const [model, springs] = [join(work, "springs.toml"), join(work, "springs.html")];
  await writeFile(model, text);
  const { status, stderr } = spawnSync(program, ["simulate", model, "--method", "reference", "--tolerance", "1e-10", "--report", springs, "--live"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  await page.goto(pathToFileURL(springs).href);
  await done(1);
  assert.match(await page.locator("#live-bits").innerText(), /has the same bits/);
  // A quarter of a period with the frequency 1, then halves of periods with 2 and 1 in turn.
  assert.equal(await page.locator("#live-moves").innerText(), "Switches passed: 'q' 4 times.");
  const number = page.getByRole("spinbutton", { name: "k, exact value" });
  const wish = await wishes();
  await number.fill("100");
  await number.press("Enter");
  await done(wish + 1);
  assert.equal(await page.locator("#live-moves").innerText(), "Switches passed: 'q' 6 times.");
});

await step("nothing was complained of, and nothing left the page", async () => assert.deepEqual(faults.filter((fault) => !fault.startsWith("request: file://")), []));

await browser.close();
await rm(work, { recursive: true });
