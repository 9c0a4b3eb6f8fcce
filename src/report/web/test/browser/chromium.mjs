// Chromium for the tests: how it is started, and what must not happen in its pages. HERGLOTZ_CHROMIUM names another browser;
// HERGLOTZ_SKIP_BROWSER=1 skips a test (exit status 77).

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  // SwiftShader draws motions. Of pages it would draw every pixel again for every frame, twice as slowly as Chromium itself.
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-gpu-compositing",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const executablePath = process.env.HERGLOTZ_CHROMIUM ?? "/usr/bin/chromium";

/** Ends the test at once if it is to be skipped, or if one of the files that it is given, or the browser, is not there. */
export function needs(...files) {
  if (process.env.HERGLOTZ_SKIP_BROWSER === "1") {
    console.log("skipped: HERGLOTZ_SKIP_BROWSER is 1");
    process.exit(77);
  }
  const missing = [...files.map((file) => file ?? "the path of a rendered report"), executablePath].find((file) => !existsSync(file));
  if (missing === undefined) return;
  console.error(
    `browser test: ${missing} is not there` +
      (missing === executablePath ? "; install it (Debian: apt install chromium), name another with HERGLOTZ_CHROMIUM, or skip with HERGLOTZ_SKIP_BROWSER=1" : ""),
  );
  process.exit(2);
}

export const launch = () => chromium.launch({ executablePath, args: FLAGS, headless: true });

/** Faults of a page: lines on the console, errors, and requests for other addresses than `mayAsk` takes. */
export function watch(page, mayAsk) {
  // The processor draws the pictures here, slowly where other tests run beside this one.
  page.setDefaultTimeout(120_000);
  const faults = [];
  page.on("console", (message) => {
    // The driver finds it slow that drawn motions are copied into the page.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall due to ReadPixels")) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !mayAsk(url)) faults.push(`request: ${url}`);
  });
  return faults;
}
