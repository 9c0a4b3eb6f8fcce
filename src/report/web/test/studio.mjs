// Starts `herglotz studio` for the tests and ends it.

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
