// Opens the report of two runs in Chromium: node test/comparisonbrowser.test.mjs REPORT.html
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, needs, watch } from "./browser/chromium.mjs";

const [file] = process.argv.slice(2);
needs(file);
const address = pathToFileURL(resolve(file)).href;
const { names, runs } = JSON.parse((await readFile(file, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1320, height: 900 } })).newPage();
const faults = watch(page, (url) => url === address);
await page.goto(address);
await page.waitForSelector("#verdict-2");

try {
  assert.equal(await page.locator("h1").innerText(), `${names[0]} and ${names[1]}`);
  for (const [k, { facts }] of runs.entries()) assert.ok((await page.locator(`#verdict-${k + 1}`).innerText()).includes(facts.method));
  const traces = async (id) => {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.waitForSelector(`#${id} .nsewdrag`);
    return page.evaluate((panel) => document.querySelector(`#${panel} .plot`).data.map(({ name, x, y }) => ({ name, x: [...x], y: [...y] })), id);
  };
  const values = (k, name) => runs[k].columns.find((column) => column.name === name).values;
  const drawn = await traces("trajectory");
  for (const [k, name] of names.entries()) {
    const line = drawn.find((trace) => trace.name === `x, ${name}`);
    assert.deepEqual([line.x, line.y], [values(k, "t"), values(k, "x")]);
  }
  const apart = (await traces("differences")).find(({ name }) => name === "x");
  assert.equal(apart.y.length, values(0, "t").length, "differences stand at the times of the first run");
  const phase = await traces("phase");
  assert.deepEqual(phase.map(({ name }) => name).filter((name) => names.includes(name)), names);
  for (const width of [390, 768, 1320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `at ${width} px`);
  }
  assert.deepEqual(faults, []);
  console.log("ok - two runs stand side by side");
} finally {
  await browser.close();
}
