/** The part of a canvas that curves are drawn with, as a picture in SVG. */

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const short = (value: number): string => String(Number(value.toFixed(2)));

/** The part of a canvas that curves need. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  "strokeStyle" | "fillStyle" | "font" | "lineWidth" | "textAlign" | "textBaseline" | "setLineDash" | "beginPath" | "moveTo" | "lineTo" | "stroke" | "fillText" | "save" | "restore" | "rect" | "clip" | "drawImage" | "imageSmoothingEnabled"
>;

export class SvgPen implements Pen {
  strokeStyle: string | CanvasGradient | CanvasPattern = "#000";
  fillStyle: string | CanvasGradient | CanvasPattern = "#000";
  font = "";
  lineWidth = 1;
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  imageSmoothingEnabled = false;
  private readonly parts: string[] = [];
  private path = "";
  private dash: number[] = [];
  private frame: number[] = [];

  setLineDash(dash: Iterable<number>): void {
    this.dash = [...dash];
  }
  beginPath(): void {
    this.path = "";
  }
  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }
  stroke(): void {
    if (this.path === "") return;
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}/>`);
  }
  fillText(text: string, x: number, y: number): void {
    const anchor = { right: "end", center: "middle" }[this.textAlign as string] ?? "start";
    const shift = { middle: ".35em", top: ".8em" }[this.textBaseline as string] ?? "0";
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" dy="${shift}" text-anchor="${anchor}" fill="${this.fillStyle}">${escaped(text)}</text>`);
  }
  /** Cells of a canvas, which stay sharp. */
  drawImage(image: CanvasImageSource, x: number, y: number, width = 0, height = 0): void {
    this.parts.push(`<image href="${(image as HTMLCanvasElement).toDataURL("image/png")}" x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" preserveAspectRatio="none" style="image-rendering:pixelated"/>`);
  }
  rect(...frame: [number, number, number, number]): void {
    this.frame = frame;
  }
  save(): void {}
  clip(): void {
    const [x, y, width, height] = this.frame;
    this.parts.push(`<clipPath id="inside"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#inside)">`);
  }
  restore(): void {
    this.parts.push("</g>");
  }

  picture(width: number, height: number, background: string, title: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="${background}"/>${this.parts.join("")}</svg>`;
  }
}
