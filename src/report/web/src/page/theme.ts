/** Colours of the plots, in light and dark. Lines: Okabe and Ito's palette, told apart by any kind of colour vision. */

export interface Theme {
  lines: string[];
  text: string;
  muted: string;
  grid: string;
  zero: string;
  panel: string;
  /** Lies over lines that ask for no attention. */
  veil: string;
}

const LIGHT: Theme = {
  lines: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1b1f24"],
  text: "#1b1f24",
  muted: "#59626d",
  grid: "#e6e8eb",
  zero: "#b9bfc7",
  panel: "#ffffff",
  veil: "rgba(236, 239, 242, 0.8)",
};

const DARK: Theme = {
  lines: ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#e8eaed"],
  text: "#e4e7eb",
  muted: "#9aa4b0",
  grid: "#2a3038",
  zero: "#4a535e",
  panel: "#171b20",
  veil: "rgba(36, 42, 50, 0.8)",
};

export const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"] as const;

const darkScheme = () => window.matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export const isPrinting = (): boolean => printing;

export const isDark = (): boolean => {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkScheme().matches;
};

export const theme = (): Theme => (isDark() ? DARK : LIGHT);

/** Calls back when the reader's choice or the system's changes. */
export function onThemeChange(callback: () => void): void {
  darkScheme().addEventListener("change", callback);
  document.addEventListener("themechange", callback);
}

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  document.dispatchEvent(new Event("themechange"));
}

/** Paper is white: while printing, plots take the light colours. */
export function setPrinting(on: boolean): void {
  printing = on;
}
