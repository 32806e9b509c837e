/**
 * Reads colours of the style sheets for an element in the page, each once for each theme: a dense
 * drawing asks thousands of times.
 */
export function createTokens(of: HTMLElement): (name: string) => string {
  const tokens = new Map<string, string>();
  let lastTheme: string | undefined;
  return (name) => {
    const theme = document.documentElement.dataset['theme'];
    if (theme !== lastTheme) tokens.clear();
    lastTheme = theme;
    const known = tokens.get(name) ?? getComputedStyle(of).getPropertyValue(`--${name}`);
    tokens.set(name, known);
    return known;
  };
}
