// Opens a rendered report in Chromium and uses it: node test/browser.test.mjs REPORT.html [SCREENSHOT_FOLDER]
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const [file, folder = file && join(dirname(file), "screenshots")] = process.argv.slice(2);
if (process.env.HERGLOTZ_SKIP_BROWSER === "1") {
  console.log("skipped: HERGLOTZ_SKIP_BROWSER is 1");
  process.exit(77);
}
if (!file || !existsSync(file)) {
  console.error(`browser test: ${file ?? "no file"} is not there; give the path of a rendered report`);
  process.exit(2);
}
const executablePath = process.env.HERGLOTZ_CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  console.error(
    `browser test: no Chromium at ${executablePath}; install it (Debian: apt install chromium), name another with HERGLOTZ_CHROMIUM, ` +
      "or skip this test with HERGLOTZ_SKIP_BROWSER=1",
  );
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const stem = join(folder, basename(file, ".html"));
const address = pathToFileURL(resolve(file)).href;
const run = JSON.parse((await readFile(file, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]);
const has = (role) => run.columns.some((column) => column.role === role);

const browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });

async function step(name, act) {
  try {
    await act();
    console.log(`ok - ${name}`);
  } catch (error) {
    console.error(`not ok - ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}

/** A page that records what must not happen. */
async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1320, height: 900 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith(`${address}#`) && !url.startsWith("data:") && !url.startsWith("blob:")) faults.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector("#verdict");
  return { page, faults, context };
}

const range = async (page, id, axis) =>
  (await page.locator(`#${id} .plot`).getAttribute(`data-${axis}`)).split(" ").map(Number);

async function reach(page, id) {
  await page.locator(`#${id}`).scrollIntoViewIfNeeded();
  await page.waitForSelector(`#${id} .nsewdrag`);
}

/** Drags over the middle part of a plot. */
async function drag(page, id, [x0, y0], [x1, y1]) {
  const box = await page.locator(`#${id} .nsewdrag`).first().boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(x0, y0));
  await page.mouse.down();
  await page.mouse.move(...at((x0 + x1) / 2, (y0 + y1) / 2), { steps: 4 });
  await page.mouse.move(...at(x1, y1), { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(400);
}

/** Scrolls through the page so that every plot is drawn. */
async function drawAll(page) {
  for (const figure of await page.locator(".figure").all()) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator(".nsewdrag").first().waitFor({ state: "attached" });
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(300);
}

const { page, faults, context } = await open({ colorScheme: "light" });

await step("the verdict comes first and states outcome, method and largest residual", async () => {
  const text = await page.locator("main > :first-child").innerText();
  assert.match(text, run.facts.complete ? /Complete/ : /Stopped early/);
  if (!run.facts.complete) assert.ok(text.includes(run.facts.status), "the reason is given");
  assert.ok(text.includes(run.facts.method));
  if (run.columns.some(({ name }) => name === "energy_residual")) assert.match(text, /Energy\s+(\d\.\d × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|0|not a number)/);
  assert.equal(await page.locator("h1").innerText(), run.facts.title || run.facts.model_name || "Untitled run");
});

if (run.facts.equations_latex) {
  await step("the equations are typeset in their own fonts", async () => {
    assert.ok((await page.locator("#equations .katex-html .mtable, #equations .katex-html .mord").count()) > 0);
    assert.equal(await page.locator("#equations .caution, #equations .katex-error").count(), 0);
    await page.waitForFunction(() => document.fonts.check("16px KaTeX_Main"));
  });
}

await step("a chip hides its line and shows it again", async () => {
  await reach(page, "trajectory");
  const lines = () => page.locator("#trajectory .scatterlayer .trace").count();
  const chip = page.locator("#trajectory .chip").first();
  const before = await lines();
  await chip.click();
  await page.waitForTimeout(200);
  assert.equal(await chip.getAttribute("aria-pressed"), "false");
  assert.equal(await lines(), before - 1);
  await chip.click();
  await page.waitForTimeout(200);
  assert.equal(await lines(), before);
});

await step("dragging zooms, and the other panels follow in time", async () => {
  await reach(page, "trajectory");
  const [low, high] = await range(page, "trajectory", "xaxis");
  await drag(page, "trajectory", [0.2, 0.5], [0.5, 0.5]);
  const [first, last] = await range(page, "trajectory", "xaxis");
  const inside = (value, fraction) => Math.abs(value - (low + fraction * (high - low))) < 0.03 * (high - low);
  assert.ok(inside(first, 0.2) && inside(last, 0.5), `zoomed to ${first}..${last} of ${low}..${high}`);
  await reach(page, "energy");
  assert.deepEqual(await range(page, "energy", "xaxis"), [first, last]);
  await page.locator("#trajectory").getByRole("button", { name: "Show everything" }).click();
  await page.waitForTimeout(200);
  assert.deepEqual(await range(page, "trajectory", "xaxis"), [low, high]);
  assert.deepEqual(await range(page, "energy", "xaxis"), [low, high]);
});

await step("a double click shows everything again", async () => {
  await reach(page, "trajectory");
  const whole = await range(page, "trajectory", "xaxis");
  await drag(page, "trajectory", [0.3, 0.3], [0.6, 0.7]);
  assert.notDeepEqual(await range(page, "trajectory", "xaxis"), whole);
  const box = await page.locator("#trajectory .nsewdrag").first().boundingBox();
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(400);
  assert.deepEqual(await range(page, "trajectory", "xaxis"), whole);
});

await step("keys zoom and pan", async () => {
  await page.locator("#trajectory .plot").focus();
  const [low, high] = await range(page, "trajectory", "xaxis");
  await page.keyboard.press("+");
  await page.waitForTimeout(200);
  const [first, last] = await range(page, "trajectory", "xaxis");
  assert.ok(Math.abs(last - first - 0.6 * (high - low)) < 1e-6 * (high - low));
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(200);
  assert.ok((await range(page, "trajectory", "xaxis"))[0] > first);
  await page.keyboard.press("0");
  await page.waitForTimeout(200);
  assert.deepEqual(await range(page, "trajectory", "xaxis"), [low, high]);
});

await step("phase space takes other axes and zooms", async () => {
  await reach(page, "phase");
  const title = (axis) => page.locator(`#phase .g-${axis}title`).textContent();
  const [x, y] = [await title("x"), await title("y")];
  const option = await page.locator("#phase-x option", { hasText: /^energy$/ }).first().getAttribute("value");
  await page.selectOption("#phase-x", option);
  await page.waitForTimeout(300);
  assert.equal(await title("x"), "energy");
  assert.notEqual(x, "energy");
  assert.equal(await title("y"), y);
  const energies = run.columns.find(({ name }) => name === "energy").values.filter(Number.isFinite);
  const [low, high] = await range(page, "phase", "xaxis");
  assert.ok(low <= Math.min(...energies.slice(0, 10_000)) && high >= Math.max(...energies.slice(0, 10_000)), "the range is that of the new column");
  const before = await range(page, "phase", "yaxis");
  await drag(page, "phase", [0.3, 0.3], [0.7, 0.7]);
  const after = await range(page, "phase", "yaxis");
  assert.ok(after[1] - after[0] < 0.6 * (before[1] - before[0]));
  await page.locator("#phase").getByRole("button", { name: "Show everything" }).click();
  const back = await page.locator("#phase-x option", { hasText: new RegExp(`^${x}$`) }).first().getAttribute("value");
  await page.selectOption("#phase-x", back);
  await page.waitForTimeout(300);
});

if (has("residual")) {
  await step("residuals stand on a logarithmic axis above the floor", async () => {
    await reach(page, "residuals");
    const [low, high] = await range(page, "residuals", "yaxis");
    assert.ok(low > 0 && low >= 1e-19 && high > low, `${low}..${high}`);
  });
}

await step("the data can be paged through and downloaded", async () => {
  await page.locator("#data").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Last rows" }).click();
  const held = run.columns[0].values.length;
  assert.ok((await page.locator(".place").innerText()).replace(/\s/g, "").endsWith(`of${held}`));
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#download-csv").click()]);
  const lines = (await readFile(await saved.path(), "utf8")).trimEnd().split("\n");
  assert.equal(lines.length, held + 1);
  assert.equal(Number(lines[held].split(",")[0]), run.columns[0].values[held - 1]);
  assert.equal((await page.locator("#main").innerText()).includes("stored states:"), held < run.rows);
});

await step("a plot can be saved as SVG with its legend", async () => {
  await reach(page, "trajectory");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#trajectory").getByRole("button", { name: "Save as SVG" }).click(),
  ]);
  const svg = await readFile(await saved.path(), "utf8");
  assert.match(svg, /<svg/);
  assert.match(svg, /class="legend"/);
});

if (run.facts.model_text) {
  await step("the model file opens and reads as it was written", async () => {
    await page.locator("#model summary").click();
    assert.equal(await page.locator("#model pre").textContent(), run.facts.model_text);
    await page.locator("#model summary").click();
  });
}

await step("nothing overflows sideways", async () => {
  for (const width of [1320, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `at ${width} px`);
  }
  await page.setViewportSize({ width: 1320, height: 900 });
});

await step("screenshots in light, dark and narrow, and a print", async () => {
  await drawAll(page);
  await page.screenshot({ path: `${stem}-light.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${stem}-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.pdf({ path: `${stem}.pdf`, format: "A4" });
  const narrow = await open({ colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await drawAll(narrow.page);
  await narrow.page.screenshot({ path: `${stem}-narrow.png`, fullPage: true });
  faults.push(...narrow.faults);
  await narrow.context.close();
});

await step("no error reached the console and nothing was asked of the network", async () => assert.deepEqual(faults, []));

await context.close();
await browser.close();
console.log(`screenshots: ${stem}-*.png`);
