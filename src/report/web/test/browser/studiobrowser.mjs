// Chromium with an empty page for a studio's address, which keeps what goes wrong (see chromium.mjs).

import { launch, needs, watch } from "./chromium.mjs";

needs();

/** Browser, context, page, and the faults: lines on the console, errors, and requests that leave the studio. */
export async function openBrowser(address) {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "light", acceptDownloads: true });
  const page = await context.newPage();
  const faults = watch(page, (url) => new URL(url).origin === address.origin);
  return { browser, context, page, faults };
}
