/** Calls back after every change of theme; canvases need it to redraw. */
export function onTheme(listener: () => void): void {
  new MutationObserver(listener).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}
