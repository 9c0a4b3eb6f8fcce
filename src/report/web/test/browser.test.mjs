// Opens a rendered report in Chromium and uses it: node test/browser.test.mjs REPORT.html [--content] [SCREENSHOT_FOLDER]
// With --content only what depends on the run is tested, and not what is the same on every page.
// HERGLOTZ_CHROMIUM names another browser; HERGLOTZ_SKIP_BROWSER=1 skips (exit status 77).

import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, needs, watch } from "./browser/chromium.mjs";
import { eventually, reach, step } from "./browser/studio.mjs";

const content = process.argv.includes("--content");
const [file, folder = file && join(dirname(file), "screenshots")] = process.argv.slice(2).filter((word) => word !== "--content");
needs(file);
await mkdir(folder, { recursive: true });
const stem = join(folder, basename(file, ".html"));
const address = pathToFileURL(resolve(file)).href;
const run = JSON.parse((await readFile(file, "utf8")).match(/id="run">(.*?)<\/script>/s)[1]);
const has = (role) => run.columns.some((column) => column.role === role);

const browser = await launch();

/** A step that is the same on every page: how plots are used, what is refused, and how a page looks. */
const common = async (name, act) => content || (await step(name, act));

/** A page that records what must not happen. */
async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1320, height: 900 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  const page = await context.newPage();
  const faults = watch(page, (url) => url === address || url.startsWith(`${address}#`));
  await page.goto(address);
  await page.waitForSelector("#verdict");
  return { page, faults, context };
}

const range = async (page, id, axis) =>
  (await page.locator(`#${id} .plot`).getAttribute(`data-${axis}`)).split(" ").map(Number);

/** Drags over the middle part of a plot. */
async function drag(page, id, [x0, y0], [x1, y1]) {
  const box = await page.locator(`#${id} .nsewdrag`).first().boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(x0, y0));
  await page.mouse.down();
  await page.mouse.move(...at((x0 + x1) / 2, (y0 + y1) / 2), { steps: 4 });
  await page.mouse.move(...at(x1, y1), { steps: 4 });
  await page.mouse.up();
  // Two presses within 300 ms would be a double click.
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
  assert.equal(await chip.getAttribute("aria-pressed"), "false");
  await eventually(async () => assert.equal(await lines(), before - 1));
  await chip.click();
  await eventually(async () => assert.equal(await lines(), before));
});

if (run.motion && run.motion.bodies.length + (run.motion.arrays?.length ?? 0) > 0) {
  await step("the motion plays, is scrubbed, turned and kept as a picture", async () => {
    const card = page.locator("#motion");
    await card.scrollIntoViewIfNeeded();
    await card.locator("canvas").waitFor();
    const clock = async () => Number((await card.locator(".clock").innerText()).split("= ")[1].replace("−", "-"));
    const start = await clock();
    await card.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction((from) => document.querySelector(".clock").textContent !== from, await card.locator(".clock").innerText());
    await card.getByRole("button", { name: "Pause" }).click();
    assert.notEqual(await clock(), start);
    await card.getByRole("button", { name: "View: Top" }).click();
    await card.locator("canvas").focus();
    for (const key of ["ArrowLeft", "ArrowUp", "+", "-", "0"]) await page.keyboard.press(key);
    const [saved] = await Promise.all([page.waitForEvent("download"), card.getByRole("button", { name: "Save as PNG" }).click()]);
    assert.match(saved.suggestedFilename(), /-motion\.png$/);
    const picture = await readFile(await saved.path());
    assert.ok(picture.length > 3000, "something is drawn");
    await page.screenshot({ path: `${stem}-motion.png` });
  });

  await step("curves mark the moment, and a click on one goes there", async () => {
    await page.locator("#motion-time").fill("250");
    await reach(page, "trajectory");
    const mark = page.locator("#trajectory .cursor-line");
    const place = async () => (await mark.boundingBox()).x;
    const area = () => page.locator("#trajectory .nsewdrag").first().boundingBox();
    const marked = async (fraction) => {
      const box = await area();
      const at = await place();
      assert.ok(Math.abs(at - box.x - fraction * box.width) < 0.05 * box.width, `${at} in ${box.x} to ${box.x + box.width}`);
    };
    await eventually(() => marked(0.25));
    // A click on a curve counts once the curve knows that the pointer is over it.
    await eventually(async () => {
      const box = await area();
      await page.mouse.move(box.x + 0.69 * box.width, box.y + 0.5 * box.height);
      await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.5 * box.height);
      await page.waitForTimeout(200);
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForTimeout(300);
      await marked(0.7);
    });
    assert.ok(Number(await page.locator("#motion-time").inputValue()) > 500);
  });
}

await common("dragging zooms, and the other panels follow in time", async () => {
  await reach(page, "trajectory");
  const [low, high] = await range(page, "trajectory", "xaxis");
  await drag(page, "trajectory", [0.2, 0.5], [0.5, 0.5]);
  const inside = (value, fraction) => Math.abs(value - (low + fraction * (high - low))) < 0.03 * (high - low);
  const [first, last] = await eventually(async () => {
    const [from, to] = await range(page, "trajectory", "xaxis");
    assert.ok(inside(from, 0.2) && inside(to, 0.5), `zoomed to ${from}..${to} of ${low}..${high}`);
    return [from, to];
  });
  await reach(page, "energy");
  await eventually(async () => assert.deepEqual(await range(page, "energy", "xaxis"), [first, last]));
  await page.locator("#trajectory").getByRole("button", { name: "Show everything" }).click();
  for (const id of ["trajectory", "energy"]) await eventually(async () => assert.deepEqual(await range(page, id, "xaxis"), [low, high]));
});

await common("a double click shows everything again", async () => {
  await reach(page, "trajectory");
  const whole = await range(page, "trajectory", "xaxis");
  await drag(page, "trajectory", [0.3, 0.3], [0.6, 0.7]);
  await eventually(async () => assert.notDeepEqual(await range(page, "trajectory", "xaxis"), whole));
  // Two clicks that a busy page takes later than 300 ms after one another are not a double click.
  await eventually(async () => {
    const box = await page.locator("#trajectory .nsewdrag").first().boundingBox();
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForTimeout(400);
    assert.deepEqual(await range(page, "trajectory", "xaxis"), whole);
  });
});

await common("keys zoom and pan", async () => {
  await page.locator("#trajectory .plot").focus();
  const [low, high] = await range(page, "trajectory", "xaxis");
  await page.keyboard.press("+");
  const first = await eventually(async () => {
    const [from, to] = await range(page, "trajectory", "xaxis");
    assert.ok(Math.abs(to - from - 0.6 * (high - low)) < 1e-6 * (high - low), `${from}..${to} of ${low}..${high}`);
    return from;
  });
  await page.keyboard.press("ArrowRight");
  await eventually(async () => assert.ok((await range(page, "trajectory", "xaxis"))[0] > first));
  await page.keyboard.press("0");
  await eventually(async () => assert.deepEqual(await range(page, "trajectory", "xaxis"), [low, high]));
});

await step("phase space takes other axes and zooms", async () => {
  await reach(page, "phase");
  const title = (axis) => page.locator(`#phase .g-${axis}title`).textContent();
  const [x, y] = [await title("x"), await title("y")];
  const option = await page.locator("#phase-x option", { hasText: /^energy$/ }).first().getAttribute("value");
  await page.selectOption("#phase-x", option);
  await eventually(async () => assert.equal(await title("x"), "energy"));
  assert.notEqual(x, "energy");
  assert.equal(await title("y"), y);
  const energies = run.columns.find(({ name }) => name === "energy").values.filter(Number.isFinite);
  await eventually(async () => {
    const [low, high] = await range(page, "phase", "xaxis");
    assert.ok(low <= Math.min(...energies.slice(0, 10_000)) && high >= Math.max(...energies.slice(0, 10_000)), "the range is that of the new column");
  });
  await reach(page, "phase");
  const before = await range(page, "phase", "yaxis");
  await drag(page, "phase", [0.3, 0.3], [0.7, 0.7]);
  await eventually(async () => {
    const after = await range(page, "phase", "yaxis");
    assert.ok(after[1] - after[0] < 0.6 * (before[1] - before[0]));
  });
  await page.locator("#phase").getByRole("button", { name: "Show everything" }).click();
  const back = await page.locator("#phase-x option", { hasText: new RegExp(`^${x}$`) }).first().getAttribute("value");
  await page.selectOption("#phase-x", back);
  await eventually(async () => assert.equal(await title("x"), x));
});

if (has("residual")) {
  await step("residuals stand on a logarithmic axis above the floor", async () => {
    await reach(page, "residuals");
    const [low, high] = await range(page, "residuals", "yaxis");
    assert.ok(low > 0 && low >= 1e-19 && high > low, `${low}..${high}`);
  });
}

if (has("residual") || has("constraint")) {
  await step("what lies within round-off is veiled and says so", async () => {
    for (const id of ["residuals", "constraints"].filter((panel) => has(panel.slice(0, -1)))) {
      await reach(page, id);
      const [low, high] = await range(page, id, "yaxis");
      assert.ok(high >= 1e-11, `${id}: noise would fill an axis that ends at ${high}`);
      const text = await page.locator(`#${id} .annotation-text`).allTextContents();
      assert.equal(text.includes("round-off"), low < 1e-13, `${id}: ${text}`);
      assert.equal(await page.locator(`#${id} .layer-above .shapelayer path[style*="fill-opacity: 0.8"]`).count(), low < 1e-13 ? 1 : 0, id);
    }
  });
}

const named = (role) => run.columns.filter((column) => column.role === role).map(({ name }) => name);
const column = (name) => run.columns.find((candidate) => candidate.name === name).values;
const traces = (id) => page.evaluate((panel) => document.querySelector(`#${panel} .plot`).data, id);

for (const { name, count, columns } of run.events.filter(({ count }) => count > 0)) {
  await step(`the crossings of ${name} stand on the curve, and a button hides them`, async () => {
    await reach(page, "phase");
    const marks = async () => (await traces("phase")).find((trace) => trace.name === name);
    const at = (id) => page.locator(`#phase-${id} option:checked`).innerText();
    const [x, y] = [await at("x"), await at("y")].map((chosen) => columns.find((each) => each.name === chosen).values);
    assert.deepEqual([(await marks()).x, (await marks()).y, (await marks()).visible], [x, y, true]);
    const chip = page.locator("#phase .chip", { hasText: `${name} (${count})` });
    await chip.click();
    assert.equal((await marks()).visible, false);
    await chip.click();
    await page.locator("#phase-section").check();
    assert.equal((await traces("phase"))[0].visible, false);
    await page.locator("#phase-section").uncheck();
  });
}

await step("constraints and multipliers have panels exactly when the run has them", async () => {
  for (const [id, role] of [["constraints", "constraint"], ["multipliers", "multiplier"]]) {
    assert.equal(await page.locator(`#${id}`).count(), has(role) ? 1 : 0, id);
    if (!has(role)) continue;
    await reach(page, id);
    assert.deepEqual((await traces(id)).map(({ name }) => name), named(role));
  }
  if (!has("multiplier")) return;
  assert.match(await page.locator("#multipliers .note").innerText(), /λₖ of the nonholonomic rule/);
  const [name] = named("multiplier");
  const drawn = (await traces("multipliers"))[0].y;
  assert.deepEqual(drawn.slice(0, 5), column(name).slice(0, 5));
});

await step("the verdict states every constraint, the largest of all, and the notes of the run", async () => {
  const rows = await page.locator("#verdict .law-name").allInnerTexts();
  const constraints = named("constraint");
  for (const name of constraints) assert.ok(rows.includes(name.replace("constraint.", "Constraint ")), name);
  assert.equal(rows.some((row) => /^All constraints|^Constraints and/.test(row)), constraints.length > 1, rows.join("; "));
  const notes = await page.locator("#verdict .notes li").allInnerTexts();
  assert.deepEqual(notes.map((note) => note.toLowerCase()), run.facts.notes.map((note) => note.toLowerCase()));
  if (constraints.length === 0) return;
  const stated = page.locator("#verdict .law", { hasText: constraints.length > 1 ? "Constraints and their time derivatives" : "Constraint 1" });
  const largest = Math.max(run.facts.largest_constraint_residual, ...run.columns.filter(({ role }) => role === "constraint").map((each) => each.largest));
  const digits = largest.toExponential(1).split("e")[0];
  assert.ok((await stated.innerText()).includes(`${digits} × 10⁻¹`), await stated.innerText());
});

const planar = named("base").includes("x") && named("base").includes("y");
await step("a path is drawn exactly when the base has a position in the plane", async () => {
  assert.equal(await page.locator("#path").count(), planar ? 1 : 0);
  assert.equal(await page.locator('nav a[href="#path"]').count(), planar ? 1 : 0);
});

if (planar) {
  const [xs, ys, ts] = ["x", "y", "t"].map(column);

  await step("the path is y over x in equal scales, with its start and its end", async () => {
    await reach(page, "path");
    const [path, , ends] = await traces("path");
    assert.deepEqual([path.x.length, path.x[7], path.y[7]], [xs.length, xs[7], ys[7]]);
    assert.deepEqual([ends.x, ends.y], [[xs[0], xs.at(-1)], [ys[0], ys.at(-1)]]);
    for (const width of [1320, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually(async () => {
        const perUnit = await page.evaluate(() => {
          const { xaxis, yaxis } = document.querySelector("#path .plot")._fullLayout;
          return [xaxis._length / (xaxis.range[1] - xaxis.range[0]), yaxis._length / (yaxis.range[1] - yaxis.range[0])];
        });
        assert.ok(Math.abs(perUnit[0] / perUnit[1] - 1) < 1e-6, `${perUnit} pixels per unit at ${width} px`);
      });
    }
    await page.setViewportSize({ width: 1320, height: 900 });
    await page.waitForTimeout(300);
  });

  await step("pointing at the path shows the time", async () => {
    await reach(page, "path");
    const arrows = page.locator("#path-heading"); // they have labels of their own
    const heading = (await arrows.count()) > 0 ? await arrows.inputValue() : undefined;
    if (heading !== undefined) await arrows.selectOption("");
    const row = Math.floor(xs.length / 3);
    await eventually(async () => {
      const [x, y] = await page.evaluate(([x, y]) => {
        const plot = document.querySelector("#path .plot");
        const box = plot.querySelector(".nsewdrag").getBoundingClientRect();
        const { xaxis, yaxis } = plot._fullLayout;
        return [box.x + xaxis.d2p(x), box.y + yaxis.d2p(y)];
      }, [xs[row], ys[row]]);
      await page.mouse.move(x - 3, y);
      await page.mouse.move(x, y, { steps: 3 });
      await page.locator("#path .hovertext").waitFor({ timeout: 5000 });
      const shown = Number((await page.locator("#path .hovertext").textContent()).match(/t = ([\d.e+−-]+)/)[1]);
      const apart = Math.abs(shown - ts[row]) % (2 * Math.PI);
      assert.ok(Math.min(apart, 2 * Math.PI - apart) < 0.05 * ts.at(-1), `t = ${shown} near the place of t = ${ts[row]}`);
    });
    if (heading !== undefined) await arrows.selectOption(heading);
  });

  if (named("base").includes("phi")) {
    const arrows = async () => (await traces("path")).find(({ name }) => name.startsWith("heading"));

    await step("arrows stand on the path along the angle that the motion follows, within the chosen time", async () => {
      assert.equal(await page.locator("#path-heading").inputValue(), "phi");
      const all = await arrows();
      assert.equal(all.x.length, 20);
      all.customdata.forEach(([t, angle], i) => {
        const row = ts.indexOf(t);
        assert.deepEqual([all.x[i], all.y[i], angle], [xs[row], ys[row], column("phi")[row]]);
        const turned = ((90 - all.marker.angle[i]) * Math.PI) / 180;
        assert.ok(Math.hypot(Math.cos(turned) - Math.cos(angle), Math.sin(turned) - Math.sin(angle)) < 1e-9);
      });
      await reach(page, "trajectory");
      await drag(page, "trajectory", [0.2, 0.5], [0.5, 0.5]);
      const [first, last] = await range(page, "trajectory", "xaxis");
      await reach(page, "path");
      await eventually(async () => {
        const some = await arrows();
        assert.equal(some.x.length, 20);
        assert.ok(some.customdata.every(([t]) => t >= first && t <= last));
      });
      await page.locator("#trajectory").getByRole("button", { name: "Show everything" }).click();
      await page.waitForTimeout(300);
    });

    await step("another angle can be the heading, or none", async () => {
      await page.selectOption("#path-heading", "theta");
      assert.equal((await arrows()).name, "heading theta");
      await page.selectOption("#path-heading", "");
      assert.equal(await arrows(), undefined);
      await page.selectOption("#path-heading", "phi");
    });
  }
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

await common("a plot can be saved as SVG with its legend", async () => {
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

await step("labels of ticks are whole", async () => {
  const cut = await page.evaluate(() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((plot) => {
    const frame = plot.getBoundingClientRect();
    return [...plot.querySelectorAll(".xtick text, .ytick text")].filter((label) => {
      const box = label.getBoundingClientRect();
      return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1);
    }).map((label) => label.textContent);
  }));
  assert.deepEqual(cut, []);
  assert.ok(await page.locator(".js-plotly-plot .ytick text").count() > 0, "a plot has ticks");
});

await step("nothing overflows sideways", async () => {
  for (const width of [1320, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `at ${width} px`));
  }
  await page.setViewportSize({ width: 1320, height: 900 });
});

await common("a script, a handler and a style that stand in the page unescaped are refused", async () => {
  const attack = '<script>window.attacked = "script"</script><img src="data:," onerror="window.attacked = \'handler\'"><p id="styled" style="position: fixed">x</p><style>#styled { position: fixed }</style>';
  const attacked = `${stem}-attacked.html`;
  await writeFile(attacked, (await readFile(file, "utf8")).replace("<body>", () => `<body>${attack}`));
  const other = await context.newPage();
  const refused = [];
  other.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await other.goto(pathToFileURL(resolve(attacked)).href);
  await other.waitForSelector("#verdict");
  assert.equal(await other.evaluate(() => window.attacked), undefined);
  assert.equal(await other.evaluate(() => getComputedStyle(document.getElementById("styled")).position), "static");
  await eventually(() => assert.equal(refused.filter((text) => text.includes("Content Security Policy")).length, 4, refused.join("\n")));
  await other.close();
  await rm(attacked);
});

await common("screenshots in light and dark, and a print", async () => {
  await drawAll(page);
  await page.screenshot({ path: `${stem}-light.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${stem}-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.pdf({ path: `${stem}.pdf`, format: "A4" });
});

await step("a screenshot on a telephone", async () => {
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
