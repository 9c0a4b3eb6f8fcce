// Times of pages beside those of sliders: node benchmarks/pages.mjs PROGRAM WEB [--repeats N] [--emulated]
// WEB is where the pages were bundled (build/release/report-web). Milliseconds, the median and the largest of N repeats: from the start of `herglotz studio` to its first
// picture, in a browser that runs; from opening a report of 100 000 rows to a button that answers; script of a frame of a motion of ten bodies. On a machine that others
// use the times say little; the load is printed beside them. Without a graphics card the processor draws: the motion as WebGL, and the page as browsers do then; `--emulated` lets the emulated card draw the
// page too. HERGLOTZ_CHROMIUM names another browser.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { repeats: { type: "string", default: "5" }, emulated: { type: "boolean" } } });
const [program, web] = positionals;
if (!program || !web) throw new Error("name the program and the folder in which its pages were bundled");
const repeats = Number(values.repeats);
const { chromium } = createRequire(join(resolve(web), "package.json"))("playwright-core");
const { startStudio } = await import(pathToFileURL(join(resolve(web), "test/browser/studio.mjs")).href);
const folder = mkdtempSync(join(tmpdir(), "herglotz-pages-"));
const browser = await chromium.launch({
  executablePath: process.env.HERGLOTZ_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", ...(values.emulated ? ["--use-angle=swiftshader"] : [])],
});

function say(what, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const shown = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((time) => time.toFixed(1).padStart(9));
  console.log(`${what.padEnd(48)}${shown.join("")}   load ${loadavg()[0].toFixed(1)}`);
}

async function repeated(act) {
  const times = [];
  for (let k = 0; k < repeats; ++k) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    times.push(await act(page));
    await page.close();
  }
  return times;
}

/** The page itself notes when the frame behind that of its first picture begins: to ask it from outside would wait for what it does next. */
async function firstPicture(page) {
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector("#motion canvas")) return;
      seen.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => (window.drawnAt = Date.now())));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  const began = Date.now();
  const { address, end } = await startStudio(program);
  await page.goto(address.href, { waitUntil: "commit" });
  await page.waitForFunction(() => window.drawnAt, undefined, { timeout: 60_000 });
  const time = (await page.evaluate(() => window.drawnAt)) - began;
  await end();
  return time;
}

const long = join(folder, "long.html");
execFileSync(program, ["simulate", "damped-pendulum", "--method", "runge-kutta-4", "--step", "0.01", "--t-end", "1000", "--output-every", "1", "--report", long], { stdio: "ignore" });
async function longReport(page) {
  const began = performance.now();
  await page.goto(pathToFileURL(long).href, { waitUntil: "commit" });
  // The button answers once the script of the page has run.
  await page.getByRole("button", { name: "Play" }).click({ timeout: 60_000 });
  await page.getByRole("button", { name: "Pause" }).waitFor({ timeout: 60_000 });
  return performance.now() - began;
}

/** Ten masses in a row that move, as a live report, whose page shows its player to the console. */
const names = Array.from({ length: 10 }, (_, k) => `q${k}`);
const model = `[algebroid]\nkind = "tangent"\nbase = [${names.map((name) => `"${name}"`)}]\nfibre = [${names.map((name) => `"v${name}"`)}]\n[dynamics]\nlagrangian = "${names.map((name, k) => `v${name}^2/2 - ${k + 1}*${name}^2/2`).join(" + ")}"\n[initial]\n${names.map((name) => `${name} = 0.4`).join("\n")}\n[simulation]\nt_end = 20\n[view.bodies]\n${names.map((name, k) => `m${k} = { shape = "sphere", at = ["${k}", "0", "${name}"], radius = 0.3 }`).join("\n")}\n`;
const [ten, live] = [join(folder, "ten.toml"), join(folder, "ten.html")];
writeFileSync(ten, model);
execFileSync(program, ["simulate", ten, "--method", "reference", "--tolerance", "1e-9", "--report", live, "--live"], { stdio: "ignore" });
async function frames(page) {
  await page.goto(pathToFileURL(live).href);
  await page.waitForFunction(() => Number(document.getElementById("live")?.dataset.wish ?? 0) >= 1);
  return page.evaluate(async () => {
    const { player } = document.getElementById("live").live;
    player.frameCosts.length = 0;
    player.play();
    await new Promise((done) => setTimeout(done, 3000));
    player.pause();
    const costs = player.frameCosts.sort((a, b) => a - b);
    return costs[Math.floor(0.95 * (costs.length - 1))];
  });
}

try {
  console.log(`${"milliseconds".padEnd(48)}${"median".padStart(9)}${"largest".padStart(9)}`);
  say("studio, from its start to the first picture", await repeated(firstPicture));
  say(`report of 100 000 rows (${(statSync(long).size / 1e6).toFixed(1)} MB) to a button`, await repeated(longReport));
  say("script of a frame, ten bodies (95 %)", await repeated(frames));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
