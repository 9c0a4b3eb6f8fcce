/** Names of columns as a reader lists them. */

/** The names in a list with commas, of which those in brackets belong to a site of a grid. */
export function namesIn(text: string): string[] {
  return (text.match(/[^,[\]]*\[[^\]]*\]?|[^,]+/g) ?? []).map((name) => name.trim()).filter((name) => name !== "");
}
