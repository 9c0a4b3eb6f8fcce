// Opens every model of the gallery in the studio, and then does random things for SECONDS: node test/studiosoak.test.mjs PROGRAM SECONDS [SEED]
// Nothing may fail, and neither page nor program may grow. HERGLOTZ_CHROMIUM and HERGLOTZ_SKIP_BROWSER as in studiopage.test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { startStudio, step } from "./browser/studio.mjs";
import { openBrowser } from "./browser/studiobrowser.mjs";

const [program, seconds, seed = "1"] = process.argv.slice(2);
const MEBIBYTE = 2 ** 20;
const { address, child, end } = await startStudio(program);
const { browser, context, page, faults } = await openBrowser(address);
const devices = await context.newCDPSession(page);

let state = Number(seed) >>> 0;
/** A number from 0 to below `count`, the same sequence for the same seed. */
function random(count) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
}

const status = () => page.locator(".status").innerText();
const answered = () => page.waitForSelector("#main[aria-busy=false]");
const gallery = async () => (await page.locator("#gallery option").allInnerTexts()).slice(1);

async function open(name) {
  const text = await page.evaluate(() => document.querySelector(".cm-content").textContent);
  await page.locator("#gallery").selectOption({ label: name });
  await page.waitForFunction((before) => document.querySelector(".cm-content").textContent !== before, text);
  await answered();
}

/** Runs a model by every method: a process that was begun anew, in place of one whose work was cancelled, then has what compiling takes once. */
async function runByEveryMethod(name) {
  await open(name);
  const methods = await page.locator("#method option").count();
  for (let index = 0; index < methods; ++index) {
    await page.locator("#method").selectOption({ index });
    await page.waitForTimeout(100);
    await answered();
  }
}

/** MiB of the studio's processes, but for pages of files, which the system takes back and loads again as others need memory. */
function memoryOfProgram() {
  const computing = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  assert.equal(computing.length, 1, "one process computes for the page");
  const own = (id) => {
    const [, resident, ofFiles] = readFileSync(`/proc/${id}/statm`, "utf8").split(" ").map(Number);
    return resident - ofFiles;
  };
  return ([child.pid, ...computing].reduce((sum, id) => sum + own(id), 0) * 4096) / MEBIBYTE;
}

/** Milliseconds without a request in which the program gives free memory back, unless machine code is still being generated. */
const REST = 2500;

async function memoryAtRest() {
  let latest = Infinity;
  for (let now = memoryOfProgram(); now < latest - 1; now = memoryOfProgram()) {
    latest = now;
    await page.waitForTimeout(REST);
  }
  return latest;
}

/** Memory of page and program with one model and its curves shown, after what can be collected was. */
async function memory() {
  await page.locator("#method").selectOption({ index: 0 });
  // The page may show the model that is opened first, and a text that does not change is not seen to be opened.
  await page.locator(".cm-content").click();
  await page.keyboard.type("#");
  await runByEveryMethod("polar-hamel");
  await open("damped-pendulum");
  await open("heavy-top");
  assert.ok(await page.locator("#curves-panel").isVisible(), "the model that is opened last has its curves");
  const program = await memoryAtRest();
  await devices.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devices.send("Runtime.getHeapUsage");
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  return { page: usedSize / MEBIBYTE, program, nodes };
}

async function pickMethod() {
  const labels = await page.locator("#method option").allInnerTexts();
  await page.locator("#method").selectOption({ index: random(labels.length) });
}

/** Curves stand beside a run only: a problem of control, and a model that its method refuses, have none to choose. */
async function pickCurves() {
  await page.evaluate((at) => {
    const select = document.querySelector("#curves-panel");
    if (!select?.checkVisibility({ visibilityProperty: true })) return;
    select.selectedIndex = at % select.options.length;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }, random(100000));
}

async function slide() {
  await page.evaluate((at) => {
    const sliders = [...document.querySelectorAll("#values input[type=range]")];
    const slider = sliders[at % Math.max(1, sliders.length)];
    if (!slider) return;
    slider.value = String((at * 37) % 1000);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, random(100000));
}

const ACTS = [
  slide,
  slide,
  slide,
  slide,
  pickMethod,
  pickCurves,
  async () => page.locator("#gallery").selectOption({ index: 1 + random((await gallery()).length) }),
  () => page.getByRole("button", { name: "Light / dark" }).click(),
  () => page.keyboard.press(["Tab", "Space", "ArrowRight", "ArrowLeft", "0", "Escape"][random(6)]),
  () => page.evaluate((at) => [...document.querySelectorAll("#motion button:not([title*=video]):not([title*=PNG])")][at % 5]?.click(), random(100)),
  async () => {
    await page.locator(".cm-content").click();
    await page.keyboard.type(["gamma", "[", "= 1e", "\n", "q^2"][random(5)]);
    await page.keyboard.press("Control+z");
  },
];

await page.goto(address.href);
await answered();

await step("every model of the gallery opens", async () => {
  for (const name of await gallery()) {
    await open(name);
    const said = await status();
    if (/Not run/.test(said)) assert.match(await page.locator(".fault").innerText(), /Sweep or solve/, name);
  }
});

/** Does random things until a time, and returns how many. */
async function use(until) {
  let acts = 0;
  for (; performance.now() < until; ++acts) {
    await ACTS[random(ACTS.length)]();
    await page.waitForTimeout(random(60));
  }
  await answered();
  return acts;
}

/** Share of the time, and seconds at most, after which all that is made once has been made: libraries are loaded, and code is kept for models that come again. */
const FIRST = 0.3;
const LONGEST_FIRST = 240;

await step("neither page nor program grows", async () => {
  const ofFirst = Math.min(FIRST * Number(seconds), LONGEST_FIRST);
  const first = await use(performance.now() + 1000 * ofFirst);
  const before = await memory();
  const acts = await use(performance.now() + 1000 * (Number(seconds) - ofFirst));
  const after = await memory();
  console.log(`${first} acts, and ${acts} more; MiB of the page ${before.page.toFixed(1)} to ${after.page.toFixed(1)}, of the program ${before.program.toFixed(1)} to ${after.program.toFixed(1)}`);
  assert.ok(after.page < 1.2 * before.page + 8, "the page grew");
  // What is made once is not all made in the first part of a short test: 10 MiB were seen after it. Up to 64 MiB of machine code are kept of models and methods
  // that were not there before: 5 to 6 kB for each act.
  assert.ok(after.program < before.program + 20 + Math.min(64, acts / 128), "the program grew");
  assert.ok(after.nodes < 1.2 * before.nodes + 50, "elements were left behind");
});

await step("no error reached the console and no request left the page", async () => assert.deepEqual(faults, []));
await browser.close();
await end();
