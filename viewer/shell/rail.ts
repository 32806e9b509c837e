/** The navigation rail: pages, finder, theme and sign-out; a bottom bar on narrow screens. */

import type { Theme } from '../scene/palette.ts';
import { button, element, setAttribute } from '../ui/element.ts';
import { type IconName, icon } from '../ui/icon.ts';
import { preferences } from '../ui/preferences.ts';
import { findTheme, followTheme } from './theme.ts';

export interface Rail {
  readonly element: HTMLElement;
  /** Marks the shown page. */
  mark(page: string): void;
  /** Shows or hides a page's button. */
  setOffered(page: string, offered: boolean): void;
}

/** A page as listed in the rail. */
export interface RailPage {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
}

export interface RailActions {
  /** The pages, in the order of their number keys. */
  readonly pages: readonly RailPage[];
  readonly show: (page: string) => void;
  readonly openFinder: () => void;
  readonly openHelp: () => void;
  readonly theme: (theme: Theme) => void;
  readonly signOut: () => void;
}

function railButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  return button(
    { class: 'rail-entry', title: label },
    onClick,
    icon(name),
    element('span', {}, label),
  );
}

/** Creates the rail; applies the theme at once and on every change. */
export function createRail(actions: RailActions): Rail {
  let theme = findTheme();
  const pages = actions.pages.map(({ name, label, icon: iconName }) => {
    const entry = railButton(iconName, label, () => actions.show(name));
    entry.dataset['page'] = name;
    return { name, button: entry };
  });
  const themeButton = railButton('moon', 'Theme', () => {
    apply(theme === 'light' ? 'dark' : 'light');
    preferences.update({ theme });
  });
  const finder = railButton('search', 'Find', actions.openFinder);
  setAttribute(finder, 'title', 'Find a page, a command, a toolpath (Ctrl K)');
  finder.classList.add('rail-find');
  const help = railButton('help', 'Help', actions.openHelp);
  setAttribute(help, 'title', 'Keys and documentation (?)');
  help.classList.add('rail-help');
  function apply(next: Theme): void {
    theme = next;
    document.documentElement.dataset['theme'] = theme;
    themeButton.firstChild?.replaceWith(icon(theme === 'light' ? 'moon' : 'sun'));
    actions.theme(theme);
  }
  apply(theme);
  followTheme(apply);
  function mark(page: string): void {
    for (const each of pages) {
      setAttribute(each.button, 'aria-current', each.name === page ? 'page' : undefined);
    }
  }
  mark('live');
  function offer(page: string, offered: boolean): void {
    const found = pages.find((each) => each.name === page);
    if (found) setAttribute(found.button, 'hidden', !offered);
  }
  const rail = element(
    'nav',
    { class: 'rail', 'aria-label': 'Pages' },
    element('div', { class: 'logo' }, icon('logo')),
    ...pages.map((page) => page.button),
    element('div', { class: 'rail-space' }),
    finder,
    help,
    themeButton,
    railButton('leave', 'Sign out', actions.signOut),
  );
  return { element: rail, mark, setOffered: offer };
}
