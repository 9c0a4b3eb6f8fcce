// What tests in a browser share: `herglotz studio` that is started and ended, steps, and waits for what a page does.

import { spawn } from "node:child_process";

/** The running program with the address that it printed first. */
export async function startStudio(program, ...more) {
  const child = spawn(program, ["studio", ...more, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(new URL(text.split("\n")[0]));
    });
    child.on("exit", (status) => reject(new Error(`the studio ended with ${status}: ${text}`)));
  });
  const end = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.on("exit", (status) => resolve(status));
      child.kill("SIGINT");
    });
  return { address, child, end };
}

export async function step(name, act) {
  try {
    await act();
    console.log(`ok - ${name}`);
  } catch (error) {
    console.error(`not ok - ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}

/** Repeats a check until it holds: where other tests take the processor, a page needs time for what it was asked. */
export async function eventually(check) {
  const patience = Date.now() + 60_000;
  while (true) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > patience) throw error;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Scrolls to a plot, and waits until it stands still: plots above are drawn when they are near, and move those below. */
export async function reach(page, id) {
  await page.locator(`#${id}`).scrollIntoViewIfNeeded();
  await page.waitForSelector(`#${id} .nsewdrag`);
  await page.evaluate(async (panel) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const place = () => JSON.stringify(document.querySelector(`#${panel} .nsewdrag`)?.getBoundingClientRect());
    for (let same = 0, last = ""; same < 8; last = place()) {
      await frame();
      same = place() === last ? same + 1 : 0;
    }
  }, id);
}
