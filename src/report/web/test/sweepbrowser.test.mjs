// Opens the report of an ensemble in Chromium and uses it: node test/sweepbrowser.test.mjs REPORT.html [SCREENSHOT_FOLDER]
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, needs, watch } from "./browser/chromium.mjs";
import { step } from "./browser/studio.mjs";

const [file, folder = file && join(dirname(file), "screenshots")] = process.argv.slice(2);
needs(file);
await mkdir(folder, { recursive: true });
const stem = join(folder, basename(file, ".html"));
const address = pathToFileURL(resolve(file)).href;
const sweep = JSON.parse((await readFile(file, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]);
const numbers = (text) => {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
};

const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1320, height: 900 }, colorScheme: "light", acceptDownloads: true })).newPage();
const faults = watch(page, (url) => url === address);
await page.goto(address);
await page.waitForSelector("#verdict");

async function reach(id) {
  await page.locator(`#${id}`).scrollIntoViewIfNeeded();
  await page.waitForSelector(`#${id} .nsewdrag`);
}
const drawn = (id) => page.evaluate((panel) => document.querySelector(`#${panel} .plot`).data.map(({ name, x, y }) => ({ name, x: [...(x ?? [])], y: [...(y ?? [])] })), id);
const members = sweep.facts.keep !== "statistics" && sweep.columns.some(({ last }) => last.count > 0);

await step("the page says what was run and what failed", async () => {
  const text = (await page.locator("#verdict").innerText()).replace(/\u202f/g, "");
  assert.ok(text.includes(String(sweep.facts.members)) && text.includes(sweep.facts.method));
  assert.match(text, sweep.facts.failed === sweep.facts.members ? /Every member failed/ : sweep.facts.failed > 0 ? /some failed/ : /Complete/);
  for (const { reason } of sweep.facts.failures) assert.ok(text.includes(reason), reason);
});

await step("each kind of ensemble has its figures", async () => {
  const ids = await page.locator(".figure").evaluateAll((figures) => figures.map(({ id }) => id));
  const axes = sweep.axes.length;
  assert.deepEqual(ids, [
    ...(members && axes >= 2 ? ["map"] : []),
    ...(members && axes === 1 ? ["curve"] : []),
    ...(sweep.facts.rows > 1 ? ["fan"] : []),
    ...(members ? ["scatter", "histogram"] : []),
  ]);
});

if (members && sweep.axes.length === 2) {
  await step("pointing at the map reads the cell under the pointer", async () => {
    await reach("map");
    const cells = sweep.axes.map(({ cells }) => cells);
    const [i, j] = [Math.floor(cells[0] / 4), cells[1] - 1];
    const [x, y] = await page.evaluate(([x, y]) => {
      const plot = document.querySelector("#map .plot");
      const box = plot.querySelector(".nsewdrag").getBoundingClientRect();
      const { xaxis, yaxis } = plot._fullLayout;
      return [box.x + xaxis.d2p(x), box.y + yaxis.d2p(y)];
    }, [numbers(sweep.axes[0].values[0])[i], numbers(sweep.axes[1].values[0])[j]]);
    await page.mouse.move(x, y);
    const read = Number((await page.locator("#map .readout").innerText()).split(" = ").at(-1).replace("−", "-"));
    assert.ok(Math.abs(read - numbers(sweep.columns[0].cells)[i * cells[1] + j]) < 1e-5 * Math.abs(read), `read ${read}`);
  });

  await step("the picture has the colours of its cells, and none where all failed", async () => {
    const at = (i, j) =>
      page.evaluate(async ([i, j]) => {
        const { source } = document.querySelector("#map .plot").layout.images[0];
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return [...context.getImageData(Math.floor(i * image.width), Math.floor(j * image.height), 1, 1).data];
      }, [i, j]);
    const cells = numbers(sweep.columns[0].cells);
    const [columns, rows] = sweep.axes.map(({ cells }) => cells);
    const finite = cells.filter(Number.isFinite);
    const [least, largest] = [Math.min(...finite), Math.max(...finite)];
    const colors = least === largest ? [[least, [35, 144, 140, 255]]] : [[least, [68, 1, 84, 255]], [largest, [253, 231, 37, 255]]];
    for (const [value, color] of colors) {
      const k = cells.indexOf(value);
      assert.deepEqual(await at((Math.floor(k / rows) + 0.5) / columns, 1 - ((k % rows) + 0.5) / rows), color);
    }
    const gap = cells.findIndex(Number.isNaN);
    if (gap >= 0) assert.equal((await at((Math.floor(gap / rows) + 0.5) / columns, 1 - ((gap % rows) + 0.5) / rows))[3], 0);
  });

  await step("another column and other axes can be chosen", async () => {
    const image = () => page.evaluate(() => document.querySelector("#map .plot").layout.images[0].source);
    const first = await image();
    await page.selectOption("#map-column", "1");
    assert.notEqual(await image(), first);
    await page.selectOption("#map-column", "0");
    await page.selectOption("#map-x", "1");
    assert.equal(await page.locator("#map-y").inputValue(), "0");
    assert.notEqual(await image(), first);
    await page.selectOption("#map-x", "0");
    assert.equal(await image(), first);
  });
}

if (members && sweep.axes.length === 1) {
  await step("the curve is the column over the axis", async () => {
    await reach("curve");
    const curve = (await drawn("curve")).at(-1);
    assert.deepEqual([curve.x, curve.y], [numbers(sweep.axes[0].values[0]), numbers(sweep.columns[0].cells)]);
  });
}

if (members) {
  await step("the scatter plot draws the members on the page, of any two quantities", async () => {
    await reach("scatter");
    const last = sweep.quantities.length;
    await page.selectOption("#scatter-x", String(0));
    await page.selectOption("#scatter-y", String(last));
    const [points] = await drawn("scatter");
    const finite = (values) => values.map((value) => (Number.isFinite(value) ? value : null));
    assert.deepEqual([points.x, points.y], [numbers(sweep.quantities[0].points), finite(numbers(sweep.columns[0].points))]);
    const said = (await page.locator("#scatter .note").innerText()).includes("the file has them all");
    assert.equal(said, points.x.length < sweep.facts.members);
  });

  await step("the histogram counts every member with a finite value", async () => {
    await reach("histogram");
    const [bars] = await drawn("histogram");
    assert.equal(bars.y.reduce((a, b) => a + b, 0), sweep.columns[0].last.count);
  });
}

if (sweep.facts.rows > 1) {
  if (sweep.fan_cells.length > 1) {
    await step("each value that was swept has its line, and a fan to choose", async () => {
      await reach("fan");
      const lines = await drawn("fan");
      const [axis] = sweep.axes;
      const gamma = numbers(axis.values[0]);
      assert.deepEqual(lines.map(({ name }) => Number(name.split(" = ")[1])), sweep.fan_cells.map((cell) => Number(gamma[cell].toPrecision(5))));
      assert.deepEqual(lines.at(-1).y, numbers(sweep.columns[0].fans.at(-1).quantiles[2]));
      await page.selectOption("#fan-value", "2");
      assert.deepEqual((await drawn("fan")).find(({ name }) => name === "median").y, lines[0].y);
      await page.selectOption("#fan-value", "1");
    });
  }
  await step("the fan has its bands", async () => {
    await reach("fan");
    const names = (await drawn("fan")).map(({ name }) => name).filter(Boolean);
    assert.deepEqual(names, members ? ["5 % to 95 %", "25 % to 75 %", "least", "largest", "median"] : ["least to largest", "mean ± deviation", "least", "largest", "mean"]);
    assert.equal(await page.locator("#fan .fills path").count(), 2);
  });
}

await step("members move together, one of them as it is and the others as ghosts", async () => {
  const motion = page.locator("#motion");
  assert.equal(await motion.count(), sweep.motion ? 1 : 0);
  if (!sweep.motion) return;
  await motion.scrollIntoViewIfNeeded();
  await motion.locator("canvas").waitFor();
  const picture = () => page.evaluate(() => {
    const canvas = document.querySelector("#motion canvas");
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(canvas.toDataURL()))));
  });
  const names = await motion.locator("#solid-member option").allInnerTexts();
  assert.deepEqual(names.map((name) => Number(name.split(":")[0])), sweep.motion.members.map(({ member }) => member));
  await page.screenshot({ path: `${stem}-motion.png` });
  assert.equal(await motion.locator("#ghosts").isChecked(), true);
  await motion.locator("#motion-time").fill("700");
  await motion.locator("#solid-member").selectOption(String(names.length - 1));
  assert.match(await motion.locator("output.clock").innerText(), /^t = 2\.8/);
  await motion.locator("#ghosts").uncheck();
  assert.ok((await picture()).length > 100);
});

await step("nothing overflows sideways", async () => {
  for (const width of [390, 768, 1320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `at ${width} px`);
  }
});

await step("screenshots in light and dark", async () => {
  for (const figure of await page.locator(".figure").all()) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator(".nsewdrag").first().waitFor({ state: "attached" });
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${stem}-light.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${stem}-dark.png`, fullPage: true });
});

await step("figures without room for a label draw their titles at a finite place", async () => {
  await page.evaluate(() => {
    for (const plot of document.querySelectorAll(".plot")) plot.style.width = "10px";
    window.dispatchEvent(new Event("resize"));
  });
  await page.waitForFunction(() => [...document.querySelectorAll(".plot .main-svg")].every((picture) => picture.getAttribute("width") === "10"));
});

await step("no error reached the console and nothing was asked of the network", async () => assert.deepEqual(faults, []));

await browser.close();
console.log(`screenshots: ${stem}-*.png`);
