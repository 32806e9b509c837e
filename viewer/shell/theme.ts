/** The theme of the page: chosen by the user, else that of the system. */
import type { Theme } from '../scene/palette.ts';
import { preferences } from '../ui/preferences.ts';

const DARK = '(prefers-color-scheme: dark)';

/** The theme chosen by the user, else the system's. */
export function findTheme(): Theme {
  const { theme } = preferences.read();
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

/** Calls back when the system changes its theme; that of the user stays, once chosen. */
export function followTheme(changed: (theme: Theme) => unknown): void {
  matchMedia(DARK).addEventListener('change', () => changed(findTheme()));
}
