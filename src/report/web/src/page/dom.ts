/** Elements from plain values. Text is always set as text, never as markup. */

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

export const download = (name: string, type: string, content: string): void => saveBlob(name, new Blob([content], { type }));

export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that copies a text and says so. */
export function copyButton(label: string, content: () => string): HTMLButtonElement {
  const button = el("button", { type: "button", class: "tool" }, label);
  button.addEventListener("click", async () => {
    const copied = await copy(content());
    button.textContent = copied ? "Copied" : "Select and copy by hand";
    setTimeout(() => (button.textContent = label), 1600);
  });
  return button;
}

/** Pages opened from disk may lack the clipboard interface; a selected text area works there too. */
async function copy(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = content;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Acts once the page has drawn what it is asked for, and after half a second in any case. Returns what gives the act up. */
export function whenIdle(act: () => void): () => void {
  // Not every browser tells when it is idle.
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, 50);
    return () => clearTimeout(timer);
  }
  const call = requestIdleCallback(act, { timeout: 500 });
  return () => cancelIdleCallback(call);
}
