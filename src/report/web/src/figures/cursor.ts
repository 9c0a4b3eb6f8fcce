/** The moment that the motion shows, and its marks in the plots. */

export class TimeCursor {
  private current: number | undefined;
  private readonly listeners: ((time: number) => void)[] = [];

  /** Undefined as long as nothing on the page moves. */
  get time(): number | undefined {
    return this.current;
  }

  set(time: number): void {
    if (time === this.current || !Number.isFinite(time)) return;
    this.current = time;
    for (const listener of this.listeners) listener(time);
  }

  follow(listener: (time: number) => void): void {
    this.listeners.push(listener);
  }
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The rectangle of a plot's axes within the plot. */
export function axesFrame(plot: HTMLElement): Frame | undefined {
  const area = plot.querySelector(".nsewdrag");
  if (!area) return undefined;
  const side = (name: string) => Number(area.getAttribute(name));
  return { left: side("x"), top: side("y"), width: side("width"), height: side("height") };
}

/** A line or a dot over a plot, which moves without a redraw. */
export class CursorMark {
  private readonly element = document.createElement("div");

  constructor(
    plot: HTMLElement,
    private readonly kind: "line" | "dot",
  ) {
    this.element.className = `cursor cursor-${kind}`;
    this.element.hidden = true;
    this.element.setAttribute("aria-hidden", "true");
    plot.append(this.element);
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** At fractions of the axes, from the left and from below; hidden outside. */
  move(frame: Frame, x: number, y: number): void {
    const inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    this.element.hidden = !inside;
    if (!inside) return;
    const { style } = this.element;
    if (this.kind === "line") style.height = `${frame.height}px`;
    style.transform = `translate(${frame.left + x * frame.width}px, ${frame.top + (1 - y) * frame.height}px)`;
  }
}
