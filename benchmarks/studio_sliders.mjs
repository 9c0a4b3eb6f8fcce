// Time from moving a slider of the studio to its new curve, for models of the gallery:
// node benchmarks/studio_sliders.mjs PROGRAM WEB [--moves N] [--screenshots FOLDER] [--emulated] [MODEL ...]
// WEB is where the pages were bundled (build/release/report-web). The time ends after the frame in which the curve is drawn. On a machine that others use it says
// little; the processor time of a move, in the program, the page and the process that draws, says more, as do the medians of its parts: to set the values, run and pack
// the rows in the program, to unpack and show them in the page. Without a graphics card the
// processor draws: the motion as WebGL, and the page as browsers do then. `--emulated` lets the emulated card draw the page too, which takes some 15 ms of processor time a frame
// whatever the frame shows.
// HERGLOTZ_CHROMIUM names another browser.

import { readFileSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { moves: { type: "string", default: "40" }, screenshots: { type: "string" }, emulated: { type: "boolean" } } });
const [program, web, ...chosen] = positionals;
if (!program || !web) throw new Error("name the program and the folder in which its pages were bundled");
const { chromium } = createRequire(join(resolve(web), "package.json"))("playwright-core");
const { startStudio } = await import(pathToFileURL(join(resolve(web), "test/browser/studio.mjs")).href);

const { address, end } = await startStudio(program);
const browser = await chromium.launch({
  executablePath: process.env.HERGLOTZ_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", ...(values.emulated ? ["--use-angle=swiftshader"] : [])],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const faults = [];
// Chromium reads pictures back when it puts pages together without a card, and says so.
page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall due to ReadPixels") && faults.push(message.text()));
page.on("pageerror", (error) => faults.push(String(error)));

const answered = () => page.waitForSelector("#main[aria-busy=false]", { timeout: 60_000 });
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const milliseconds = (value) => (value === undefined ? "" : value.toFixed(1)).padStart(9);

/** Fields of a process behind its name in /proc: its state, its parent, ... */
const fieldsOf = (id) => readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1).split(" ");

function isOurs(id) {
  for (let at = Number(id); at > 1; at = Number(fieldsOf(at)[1])) if (at === process.pid) return true;
  return false;
}

/** Milliseconds of processor time that the program and the browser's processes have taken. */
function processorTimes() {
  const times = { program: 0, page: 0, drawing: 0 };
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(id) === process.pid || !isOurs(id)) continue;
      const words = readFileSync(`/proc/${id}/cmdline`, "utf8");
      const fields = fieldsOf(id);
      const part = words.includes("--type=renderer") ? "page" : words.includes("--type=gpu-process") ? "drawing" : words.startsWith(program) ? "program" : undefined;
      // In ticks of a hundredth of a second.
      if (part) times[part] += 10 * (Number(fields[11]) + Number(fields[12]));
    } catch {
      // It ended meanwhile.
    }
  }
  return times;
}

const PARTS = ["values", "run", "pack", "unpack", "show"];
/** Seconds after which a move that no curve follows is an error. */
const PATIENCE = 60;

/** Moves sliders in turn, each a step further, and returns the time of every move with the times of its parts. */
const slide = (moves) =>
  page.evaluate(async ([count, patience]) => {
    const sliders = [...document.querySelectorAll("#values input[type=range]")];
    const result = [];
    for (let k = 0; k < count && sliders.length > 0; ++k) {
      const slider = sliders[k % sliders.length];
      const from = Number(slider.value);
      slider.value = String(from + (from < 300 ? 7 : -7));
      const began = performance.now();
      const shown = new Promise((done, fail) => {
        setTimeout(() => fail(new Error(`no curve followed the slider of ${slider.id} in ${patience} s`)), 1000 * patience);
        const seen = new MutationObserver(() => {
          seen.disconnect();
          requestAnimationFrame(() => done(performance.now() - began));
        });
        for (const place of document.querySelectorAll("#verdict, .fault")) seen.observe(place, { childList: true });
      });
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      const time = await shown;
      result.push({ time, parts: JSON.parse(document.getElementById("main").dataset.stages ?? "{}") });
      await new Promise((done) => setTimeout(done, 20));
    }
    return result;
  }, [moves, PATIENCE]);

/** Opens a model of the gallery, also one that the page shows already, and waits for its run. */
async function open(name) {
  await page.evaluate(() => delete document.getElementById("main").dataset.stages);
  await page.locator("#gallery").selectOption({ label: name });
  await page.waitForFunction(
    () => document.getElementById("main").dataset.stages !== undefined || document.querySelector(".fault").textContent !== "" || document.querySelector(".status").textContent.startsWith("Problem"),
    undefined,
    { timeout: 1000 * PATIENCE },
  );
  await answered();
}

/** Opens a model, and returns whether it has a run. */
async function hasRun(name) {
  await open(name);
  return page.evaluate(() => document.getElementById("main").dataset.stages !== undefined);
}

async function measure(name) {
  await open(name);
  const from = processorTimes();
  const moves = await slide(Number(values.moves));
  const to = processorTimes();
  const times = moves.map(({ time }) => time).sort((a, b) => a - b);
  const spent = ["program", "page", "drawing"].map((part) => milliseconds((to[part] - from[part]) / times.length));
  const parts = PARTS.map((part) => milliseconds(quantile(moves.map((move) => move.parts[part] ?? 0).sort((a, b) => a - b), 0.5)));
  const said = await page.locator(".fault").innerText();
  console.log(`${name.padEnd(32)}${milliseconds(quantile(times, 0.5))}${milliseconds(quantile(times, 0.95))}${milliseconds(times.at(-1))}${spent.join("")}${parts.join("")}   ${said === "" ? await page.locator(".status").innerText() : said}`.replaceAll("\n", " "));
  for (const fault of faults.splice(0)) console.log(`  console: ${fault}`);
  if (values.screenshots) {
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(values.screenshots, `${name}.png`) });
  }
}

try {
  await page.goto(address.href);
  await answered();
  const names = chosen.length > 0 ? chosen : (await page.locator("#gallery option").allInnerTexts()).slice(1);
  if (values.screenshots) await mkdir(values.screenshots, { recursive: true });
  const heads = ["median", "95 %", "largest", "program", "page", "drawing", ...PARTS].map((head) => head.padStart(9));
  console.log(`${"model".padEnd(32)}${heads.join("")}   (ms; from the fourth on processor time of a move, then medians of its parts)`);
  for (const name of names) {
    // Problems of control have no runs.
    if (chosen.length === 0 && !(await hasRun(name))) continue;
    await measure(name);
  }
} finally {
  await browser.close();
  await end();
}
