// Bundles the pages and writes them as C++: node build.mjs --cpp FILE --studio FILE [--html FILE]

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

// The places that the renderer fills, in their order on the page.
const SLOTS = ["policy", "title", "summary", "run"];
const slot = (name) => `@@herglotz-${name}@@`;

/** KaTeX lists each font as woff2, woff and ttf; every browser that runs this page reads woff2. */
const woff2Only = {
  name: "woff2-only",
  setup(bundler) {
    bundler.onLoad({ filter: /katex\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ""),
      loader: "css",
    }));
  },
};

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "ascii",
    format: "iife",
    target: ["es2022"],
    legalComments: "inline",
    loader: { ".woff2": "dataurl" },
    plugins: [woff2Only],
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

/** Inline code must not end its own element; in code `</script` can only stand in a string, regular expression or comment. */
const inlineScript = (text) => text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");

/** The source of a content policy that allows exactly this text of an element and no other. */
const hashOf = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/**
 * The whole page. Its policy allows its one script and its one style sheet by their hashes, and nothing else inline; of a
 * report that follows its motion itself the renderer adds that WebAssembly may be compiled. The
 * sheet has the name under which Plotly looks for one to put its rules into, so that it makes none of its own.
 */
async function page() {
  const [html, script, style] = await Promise.all([
    readFile(join(here, "src/page.html"), "utf8"),
    bundle("src/main.ts"),
    bundle("src/style.css"),
  ]);
  if (/<\/style/i.test(style)) throw new Error("the style sheet holds </style and cannot be inlined");
  if (/url\((?!["']?data:)/.test(style)) throw new Error("the style sheet loads a file; inline it as a data URI");
  const inlined = inlineScript(script);
  const text = html
    .replace("script-hash", hashOf(inlined))
    .replace("style-hash", hashOf(style))
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => inlined);
  for (const name of SLOTS) {
    if (text.split(slot(name)).length !== 2) throw new Error(`the page must hold ${slot(name)} exactly once`);
  }
  return text;
}

/** The studio's page. Whoever serves it puts a nonce into its policy, its elements, and so into the rules that the editor adds. */
async function studioPage() {
  const [html, script, style] = await Promise.all([
    readFile(join(here, "src/studio/page.html"), "utf8"),
    bundle("src/studio/main.ts"),
    bundle("src/studio/studio.css"),
  ]);
  return html.replace("/*style*/", () => style).replace("/*script*/", () => inlineScript(script));
}

function studioSource(text) {
  return `#include "herglotz/report/live.hpp"

using namespace std::string_view_literals;

namespace herglotz::report {

std::string_view studio_page() {
  static constexpr std::string_view page =
${literal(text)}sv;
  return page;
}

}  // namespace herglotz::report
`;
}

function literal(text) {
  const lines = [];
  const bytes = Buffer.from(text, "utf8");
  let line = "";
  for (const byte of bytes) {
    if (byte === 0x0a) line += "\\n";
    else if (byte === 0x22 || byte === 0x5c || byte === 0x3f) line += "\\" + String.fromCharCode(byte);
    else if (byte >= 0x20 && byte < 0x7f) line += String.fromCharCode(byte);
    else line += "\\" + byte.toString(8).padStart(3, "0");
    if (line.length > 4000) {
      lines.push(`"${line}"`);
      line = "";
    }
  }
  if (line || lines.length === 0) lines.push(`"${line}"`);
  return lines.join("\n");
}

function source(text) {
  const parts = [];
  let rest = text;
  for (const name of SLOTS) {
    const at = rest.indexOf(slot(name));
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + slot(name).length);
  }
  parts.push(rest);
  const fields = parts.map((part) => `${literal(part)}sv`).join(",\n");
  return `#include "page/page.hpp"

using namespace std::string_view_literals;

namespace herglotz::report {

const Page& page() {
  static constexpr Page parts{
${fields}};
  return parts;
}

}  // namespace herglotz::report
`;
}

const { values } = parseArgs({ options: { cpp: { type: "string" }, html: { type: "string" }, studio: { type: "string" } } });
if (!values.cpp && !values.html && !values.studio) throw new Error("say where to write: --cpp FILE, --html FILE or --studio FILE");
const files = [];
if (values.cpp || values.html) {
  const text = await page();
  files.push([values.cpp, source(text)], [values.html, text]);
}
if (values.studio) files.push([values.studio, studioSource(await studioPage())]);
for (const [file, content] of files) {
  if (!file) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
