// Shows the motion of a report, and the studio, in frames as a notebook does: node test/notebookframes.test.mjs PROGRAM WIDGETS
// WIDGETS is the folder of the widgets' scripts.
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStudio, step } from "./browser/studio.mjs";
import { openBrowser } from "./browser/studiobrowser.mjs";

const [program, widgets] = process.argv.slice(2);
const work = await mkdtemp(join(tmpdir(), "herglotz-frame-"));
const report = join(work, "pendulum.html");
assert.equal(spawnSync(program, ["simulate", "damped-pendulum", "--t-end", "10", "--report", report]).status, 0);
const { browser, context, page, faults } = await openBrowser(new URL("http://notebook.invalid/"));
await context.route("http://notebook.invalid/", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><link rel=icon href=data:,><div id=cell></div>" }));
await page.goto("http://notebook.invalid/");

/** Renders a widget as a notebook does, with a model that keeps what the widget does. */
const show = async (widget, content) => page.evaluate(
  async ([module, page]) => {
    const { default: widgetOf } = await import(`data:text/javascript;base64,${btoa(module)}`);
    const values = { page, height: 600, time: null };
    const listeners = new Set();
    window.asked = [];
    window.model = {
      send: (message) => window.asked.push(message),
      get: (name) => values[name],
      set: (name, value) => (values[name] = value),
      save_changes: () => (window.saved = (window.saved ?? 0) + 1),
      on: (_, act) => listeners.add(act),
      off: (_, act) => listeners.delete(act),
    };
    window.give = (time) => {
      values.time = time;
      listeners.forEach((act) => act());
    };
    window.answer = (content, buffers) => listeners.forEach((act) => act(content, buffers));
    window.listeners = listeners;
    window.cleanUp = widgetOf.render({ model: window.model, el: document.getElementById("cell") });
  },
  [await readFile(join(widgets, widget), "utf8"), content],
);
await show("motion.js", await readFile(report, "utf8"));
const frame = page.frameLocator("#cell iframe");

await step("the frame shows motion and curves, and nothing else of the report", async () => {
  await frame.locator("#motion canvas").waitFor();
  await frame.locator("#curves canvas").waitFor();
  assert.equal(await frame.locator("#verdict").count(), 0);
  assert.equal(await page.locator("#cell iframe").getAttribute("sandbox"), "allow-scripts allow-downloads");
});

await step("its time is that of the notebook, both ways", async () => {
  await page.waitForFunction(() => window.model.get("time") === 0);
  await page.evaluate(() => window.give(2.5));
  await frame.locator(".clock", { hasText: "= 2.5" }).waitFor();
  await frame.locator("#curves canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => Math.abs(window.model.get("time") - 2.6) < 1e-9 && window.saved > 0);
  await page.evaluate(() => window.dispatchEvent(new MessageEvent("message", { data: { time: 7 } })));
  assert.ok(Math.abs((await page.evaluate(() => window.model.get("time"))) - 2.6) < 1e-9, "others set no time");
});

const removed = async () => {
  await page.evaluate(() => {
    window.cleanUp();
    document.getElementById("cell").replaceChildren();
  });
  assert.equal(await page.evaluate(() => window.listeners.size), 0);
};

await step("it leaves nothing behind", removed);

await step("the studio's page asks through the notebook, and shows what that answers", async () => {
  const { address, end } = await startStudio(program);
  await show("studio.js", await (await fetch(address)).text());
  await end();
  await page.waitForFunction(() => window.asked.some(({ kind }) => kind === "hello"));
  await page.evaluate(() => window.answer({ text: JSON.stringify({ kind: "hello", version: "0", gallery: [], methods: [], file: "m.toml", saves: false, text: "# nothing" }) }));
  await page.waitForFunction(() => window.asked.some(({ kind, text }) => kind === "run" && text === "# nothing"));
  await page.evaluate(() => window.answer({ text: JSON.stringify({ kind: "error", id: 1, what: "there is no model", remedy: "write one", line: 1, column: 1 }) }));
  await frame.locator(".fault", { hasText: "Line 1, column 1: there is no model; write one" }).waitFor();
  const head = JSON.stringify({ id: 2, drawn: 2, milliseconds: 1, unknown: [], run: { format: 1, rows: 2, facts: { ...JSON.parse((await readFile(report, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]).facts, title: "From Python" }, columns: [{ name: "t", role: "time", largest: 1 }, { name: "q", role: "base", largest: 1 }], events: [], motion: null } });
  await page.evaluate((text) => {
    const bytes = new TextEncoder().encode(text);
    const start = Math.ceil((4 + bytes.length) / 8) * 8;
    const buffer = new ArrayBuffer(start + 32);
    new DataView(buffer).setUint32(0, bytes.length, true);
    new Uint8Array(buffer, 4).set(bytes);
    new Float64Array(buffer, start).set([0, 1, 0.5, 0.25]);
    window.answer({}, [new DataView(buffer)]);
  }, head);
  await frame.locator("#verdict", { hasText: "Complete" }).waitFor();
  assert.equal(await frame.getByRole("button", { name: "Copy link" }).count(), 0);
  await removed();
});

await step("no error, and no request but the notebook's own", async () => assert.deepEqual(faults, []));

await browser.close();
await rm(work, { recursive: true });
