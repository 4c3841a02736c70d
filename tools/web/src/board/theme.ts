/** The colours of the page that a board takes, which differ between light and dark. */
export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly line: string;
  readonly accent: string;
}

/** Reads the colours of the page where an element stands. */
export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  return {
    paper: read("--paper", "#fcfcfa"),
    ink: read("--ink", "#1d2126"),
    line: read("--line", "#d3d6da"),
    accent: read("--accent", "#08519c"),
  };
}
