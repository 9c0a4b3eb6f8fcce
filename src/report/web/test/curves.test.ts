import assert from "node:assert/strict";
import { test } from "node:test";
import { edgesOf } from "../src/figures/cells.ts";
import { ticks } from "../src/studio/axes.ts";
import { namesIn } from "../src/studio/sites.ts";
import { SvgPen } from "../src/studio/svgpen.ts";

test("what is drawn becomes a picture, and text in it is text", () => {
  const pen = new SvgPen();
  pen.strokeStyle = "#123456";
  pen.beginPath();
  pen.stroke();
  pen.moveTo(0.123456, 1);
  pen.lineTo(2, 3.5);
  pen.setLineDash([6, 4]);
  pen.save();
  pen.rect(1, 2, 3, 4);
  pen.clip();
  pen.stroke();
  pen.restore();
  pen.textAlign = "right";
  pen.fillText("a < b & c", 5, 6);
  const picture = pen.picture(100, 50, "#fff", "x > 0");
  assert.equal(picture.match(/<path /g)?.length, 1, "an empty path draws nothing");
  assert.match(picture, /<g clip-path="url\(#inside\)"><path d="M0.12 1L2 3.5" fill="none" stroke="#123456" stroke-width="1" stroke-dasharray="6 4"\/><\/g>/);
  assert.match(picture, /text-anchor="end" fill="#000">a &lt; b &amp; c<\/text>/);
  assert.match(picture, /^<svg [^>]*viewBox="0 0 100 50"[^>]*><title>x &gt; 0<\/title>.*<\/svg>$/);
});

test("cells of a canvas become a picture within the picture", () => {
  const pen = new SvgPen();
  pen.drawImage({ toDataURL: () => "data:image/png;base64,AA==" } as HTMLCanvasElement, 1, 2, 30, 40);
  assert.match(pen.picture(100, 50, "#fff", ""), /<image href="data:image\/png;base64,AA==" x="1" y="2" width="30" height="40" preserveAspectRatio="none"/);
});

test("round numbers mark an axis, also of time that runs backwards", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(100, 20, 4), [20, 40, 60, 80, 100]);
});

test("names of columns are told apart by commas outside brackets", () => {
  assert.deepEqual(namesIn("q[0], q[::10],v"), ["q[0]", "q[::10]", "v"]);
  assert.deepEqual(namesIn("q[0,3], energy , v[::10, 5]"), ["q[0,3]", "energy", "v[::10, 5]"]);
  assert.deepEqual(namesIn(" , "), []);
  assert.deepEqual(namesIn(""), []);
  assert.deepEqual(namesIn("q[0,"), ["q[0,"], "what is not closed is one name, which the program refuses");
});

test("cells reach half a step beyond their places", () => {
  assert.deepEqual(edgesOf([0, 2, 4]), [-1, 5]);
  assert.deepEqual(edgesOf([7]), [6.5, 7.5]);
});
