/** The rail: pages above, theme and sign-out below; a bottom bar on narrow screens. */
import type { Theme } from '../scene/palette.ts';
import { button, element, setAttribute } from './element.ts';
import { type IconName, icon } from './icons.ts';

const KEPT_AS = 'armtwin.theme';

/** The theme the user chose, else the system's. */
export function findTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export interface Rail {
  readonly element: HTMLElement;
  /** Marks the page that is shown. */
  mark(page: string): void;
  /** Lists a page, or leaves it out. */
  offer(page: string, offered: boolean): void;
}

/** A page as the rail lists it. */
export interface RailPage {
  readonly name: string;
  readonly words: string;
  readonly icon: IconName;
}

export interface RailActions {
  /** The pages, in the order of their number keys. */
  readonly pages: readonly RailPage[];
  readonly show: (page: string) => void;
  readonly find: () => void;
  readonly theme: (theme: Theme) => void;
  readonly signOut: () => void;
}

function entry(name: IconName, words: string, act: () => void): HTMLButtonElement {
  return button({ class: 'rail-entry' }, act, icon(name), element('span', {}, words));
}

/** The rail; applies the theme at once and on every change. */
export function createRail(actions: RailActions): Rail {
  let theme = findTheme();
  const pages = actions.pages.map(({ name, words, icon: picture }) => {
    const made = entry(picture, words, () => actions.show(name));
    made.dataset['page'] = name;
    return { name, button: made };
  });
  const lamp = entry('moon', 'Theme', () => {
    theme = theme === 'light' ? 'dark' : 'light';
    localStorage.setItem(KEPT_AS, theme);
    apply();
  });
  const finder = entry('search', 'Find', actions.find);
  setAttribute(finder, 'title', 'Find a page, a command, a toolpath (Ctrl K)');
  finder.classList.add('rail-find');
  function apply(): void {
    document.documentElement.dataset['theme'] = theme;
    lamp.firstChild?.replaceWith(icon(theme === 'light' ? 'moon' : 'sun'));
    actions.theme(theme);
  }
  apply();
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
    lamp,
    entry('leave', 'Sign out', actions.signOut),
  );
  return { element: rail, mark, offer };
}
