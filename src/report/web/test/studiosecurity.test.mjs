// Asks a running studio for what it must refuse: node test/studiosecurity.test.mjs PROGRAM

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import { startStudio, step } from "./browser/studio.mjs";

const { address, child, end } = await startStudio(process.argv[2]);
const port = Number(address.port);
const own = `127.0.0.1:${port}`;

const ask = (path, headers = {}, method = "GET") =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { host: own, ...headers } }, (response) => {
      let body = "";
      response.on("data", (part) => (body += part));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    asked.on("upgrade", (response, socket) => resolve({ status: response.statusCode, headers: response.headers, socket }));
    asked.on("error", reject);
    asked.end();
  });
const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
const status = async (...what) => (await ask(...what)).status;
const token = address.pathname + address.search;
let cookie = "";

await step("without the token, or from a foreign host, nobody is let in, and the token is not spent", async () => {
  assert.equal(await status("/"), 403);
  assert.equal(await status("/?token=0"), 403);
  assert.equal(await status(token, { host: "evil.example" }), 403);
  assert.equal(await status(token, { origin: "http://evil.example" }), 403);
  assert.equal(await status("/ws", upgrade), 403);
  assert.equal(await status("/nothing"), 404);
});

await step("the token lets one browser in, with a cookie and a strict policy", async () => {
  const { status: let_in, headers, body } = await ask(token);
  assert.equal(let_in, 200);
  const [set] = headers["set-cookie"];
  assert.match(set, /; HttpOnly; SameSite=Strict$/);
  cookie = set.split(";")[0];
  const policy = headers["content-security-policy"];
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[0-9a-f]{64}'; style-src 'nonce-/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.ok(body.includes(`nonce="${policy.match(/nonce-([0-9a-f]+)/)[1]}"`) && !body.includes("@@herglotz"));
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(await status(token), 403, "it is spent");
  assert.equal(await status("/", { cookie }), 200);
});

await step("the cookie alone opens no socket, and no other path", async () => {
  assert.equal(await status("/ws", { ...upgrade, cookie }), 403);
  assert.equal(await status("/ws", { ...upgrade, cookie, origin: "http://evil.example" }), 403);
  assert.equal(await status("/ws", { ...upgrade, origin: `http://${own}` }), 403);
  assert.equal(await status("/etc/passwd", { cookie }), 404);
  assert.equal(await status("/../../etc/passwd", { cookie }), 404);
  assert.equal(await status(`/result/${"0".repeat(64)}`), 403);
  assert.equal(await status(`/result/${"0".repeat(64)}`, { cookie }), 404);
  assert.equal(await status(`/result/${"0".repeat(64)}`, { cookie, origin: "http://evil.example" }), 403);
  assert.equal(await status("/", { cookie }, "POST"), 405);
  const opened = await ask("/ws", { ...upgrade, cookie, origin: `http://${own}` });
  assert.equal(opened.status, 101);
  opened.socket.destroy();
});

/** Sends bytes and returns what comes back until the other side ends. */
const raw = (write, limit = 15_000) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setTimeout(limit, () => socket.destroy());
    socket.on("data", (part) => (text += part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    write(socket);
  });

await step("endless heads, large bodies and noise are ended, and the studio lives", async () => {
  await raw((socket) => socket.write(`GET / HTTP/1.1\r\nHost: ${own}\r\nX: ${"x".repeat(100_000)}\r\n\r\n`));
  const answer = await raw((socket) => {
    socket.write(`POST / HTTP/1.1\r\nHost: ${own}\r\nContent-Length: 100000000\r\n\r\n`);
    const part = Buffer.alloc(1 << 20);
    const push = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on("drain", push);
    push();
  });
  assert.ok(answer === "" || /^HTTP\/1.1 4/.test(answer), answer.slice(0, 80));
  await raw((socket) => socket.write(Buffer.from(Array.from({ length: 4000 }, (_, k) => (k * 131) % 256))));
  await raw((socket) => socket.end(`GET / HTTP/1.1\r\nHost: ${own}\r\nHost: ${own}\r\nCookie: ${cookie}\r\n\r\n`)).then((text) => assert.match(text, /^HTTP\/1.1 403/));
  assert.equal(await status("/", { cookie }), 200);
});

await step("a flood of connections and slow readers keep nobody out for long", async () => {
  const idle = Array.from({ length: 300 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const socket of idle) socket.destroy();
  const { socket } = await ask("/ws", { ...upgrade, cookie, origin: `http://${own}` });
  socket.pause();
  socket.on("error", () => {});
  const frame = (text) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255, 0, 0, 0, 0]), bytes]);
  };
  const wish = JSON.stringify({ kind: "gallery", name: "heavy-top" });
  const small = Buffer.from(wish);
  const masked = Buffer.concat([Buffer.from([0x81, 0x80 | small.length, 0, 0, 0, 0]), small]);
  for (let k = 0; k < 500; ++k) socket.write(masked);
  socket.write(frame("x".repeat(60_000)));
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await status("/", { cookie }), 200);
  socket.destroy();
  assert.equal(child.exitCode, null);
});

/** Sends one message to a page of its own, and returns what comes back until the studio closes it or `wanted` came. */
const tell = async (text, wanted) => {
  const { socket } = await ask("/ws", { ...upgrade, cookie, origin: `http://${own}` });
  const bytes = Buffer.from(text);
  const head = bytes.length < 126 ? Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]) : bytes.length < 65536 ? Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255, 0, 0, 0, 0]) : Buffer.from([0x81, 0xff, 0, 0, 0, 0, bytes.length >>> 24, (bytes.length >> 16) & 255, (bytes.length >> 8) & 255, bytes.length & 255, 0, 0, 0, 0]);
  return new Promise((resolve) => {
    let said = "";
    socket.on("error", () => {});
    socket.on("close", () => resolve({ closed: true, said }));
    socket.on("data", (part) => {
      said += part.toString("latin1");
      if (wanted?.test(said)) {
        resolve({ closed: false, said });
        socket.destroy();
      }
    });
    socket.write(Buffer.concat([head, bytes]));
  });
};

await step("messages that are none of the page's are the end of that page, and of nothing else", async () => {
  const run = { kind: "run", id: 1, text: "", changes: {} };
  for (const wrong of ["", "no JSON", "[1, 2", "7", '{"kind":7}', '{"kind":"read","file":"/etc/passwd"}', JSON.stringify({ ...run, id: -1 }), '{"kind":"run","id":1e300,"text":"","changes":{}}', '{"kind":"run","id":1,"text":"","changes":{"q":1e999}}', JSON.stringify({ ...run, changes: { q: "1; rm" } }), JSON.stringify({ ...run, text: 7 }), JSON.stringify({ kind: "gallery", name: 7 }), "[".repeat(900_000), "x".repeat(2_000_000)])
    assert.ok((await tell(wrong)).closed, wrong.slice(0, 60));
  assert.equal(await status("/", { cookie }), 200);
});

await step("values of any size are refused or run, and a model of noise is an error with its place", async () => {
  const of = (more) => JSON.stringify({ kind: "run", id: 5, text: "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2 - q^2/2\"\n[simulation]\nstep = 0.1\nt_end = 1\n", changes: {}, ...more });
  const answer = /"id":5[,}]/;
  for (const more of [{ changes: { q: 1e308, v: -1e308 } }, { changes: { nothing: 1 } }, { changes: { "q=1; [x]": 1 } }, { method: "../../etc/passwd" }, { text: "[".repeat(100_000) }, { text: "\u0000\ufffd".repeat(1000) }]) {
    const { said } = await tell(of(more), answer);
    assert.match(said, answer);
  }
  assert.equal(await status("/", { cookie }), 200);
  assert.equal(child.exitCode, null);
});

await step("a taken port and a model that is not there are one line and status 2", () => {
  for (const [words, said] of [[["--port", String(port)], /^--port: cannot listen on port/], [["no-such-model"], /there is no such file/], [["--port", "70000"], /--port/]]) {
    const { status: code, stdout, stderr } = spawnSync(process.argv[2], ["studio", "--no-browser", ...words], { encoding: "utf8" });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, said);
    assert.equal(stderr.trim().split("\n").length, 1);
  }
});

await step("an interrupt ends it", async () => assert.equal(await end(), 0));
