/** The string of the equations may come with or without its own display delimiters. */
export const withoutDelimiters = (latex: string): string =>
  latex.trim().replace(/^\\\[([\s\S]*)\\\]$/, "$1").replace(/^\$\$([\s\S]*)\$\$$/, "$1").trim();
