// Chromium with an empty page for a studio's address, which keeps what goes wrong. HERGLOTZ_CHROMIUM names another browser;
// HERGLOTZ_SKIP_BROWSER=1 skips the test (exit status 77).

import { chromium } from "playwright-core";

if (process.env.HERGLOTZ_SKIP_BROWSER === "1") process.exit(77);

/** Browser, context, page, and the faults: lines on the console, errors, and requests that leave the studio. */
export async function openBrowser(address) {
  const browser = await chromium.launch({
    executablePath: process.env.HERGLOTZ_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "light", acceptDownloads: true });
  const page = await context.newPage();
  // The processor draws the pictures here, slowly where other tests run beside this one.
  page.setDefaultTimeout(120_000);
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== address.origin && !["data:", "blob:"].includes(protocol)) faults.push(`request: ${request.url()}`);
  });
  return { browser, context, page, faults };
}
