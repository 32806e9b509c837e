/** The help: a dialog that lists the keys of the pages. */
import { button, element } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { loadStyles } from '../ui/style-sheets.ts';
import type { Finder } from './finder/finder.ts';

const STYLES = [new URL('../styles/finder.css', import.meta.url)];

/** The keys of the page, by where they work. */
const KEYS: readonly (readonly [where: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['P', 'Pause'],
      ['⇧ R', 'Run or resume'],
      ['⇧ Esc', 'Cancel the motion'],
      ['L', 'Acquire the lock'],
      ['F', 'Show the whole arm'],
      ['C', 'Show collision capsules'],
      ['I', 'Show or hide panels'],
      ['1 – 6', 'Pages'],
      ['Ctrl K', 'Find a page, a command, a toolpath'],
      ['?', 'This help'],
    ],
  ],
  [
    'Time, on Live, Paths and Teach',
    [
      ['← →', 'One frame; with ⇧ one step, on Live one second'],
      ['Home End', 'Start and end; on Live the first that is kept, and now'],
      ['Esc', 'On Live back to now'],
    ],
  ],
  [
    'Paths and Teach',
    [
      ['Space', 'Play or pause the preview'],
      ['[ ]', 'Slower, faster'],
      ['A B X', 'Set and clear the repeated part'],
      ['E', 'Next error'],
      ['G Z', 'Ghost, zones'],
      ['/', 'Search the program'],
    ],
  ],
  [
    'Teach',
    [
      ['W', 'Add a waypoint; with ⇧ at the arm'],
      ['⇧ M', 'Move the arm to the ghost'],
      ['Ctrl Z', 'Undo; Ctrl Y to redo'],
      ['Ctrl S', 'Save to the arm'],
      ['Del', 'Remove the step'],
      ['Alt ↑ ↓', 'Move the step'],
    ],
  ],
];

function keyList([where, keys]: (typeof KEYS)[number]): HTMLElement {
  const rows = keys.map(([key, text]) =>
    element('div', {}, element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)),
  );
  return element('section', {}, element('h3', {}, where), element('dl', {}, ...rows));
}

/** Creates the help: all keys, the hints, and the way to the documentation of the API. */
export async function createHelp(app: HTMLElement, showHints: () => void): Promise<Finder> {
  await loadStyles(STYLES);
  const close = button(
    { class: 'plain square', 'aria-label': 'Close' },
    () => toggle(),
    icon('close'),
  );
  const docs = element('a', { href: 'docs/', target: '_blank' }, 'Documentation of the API');
  function hint(): void {
    toggle();
    showHints();
  }
  const hints = button({ class: 'plain small' }, hint, 'Show the hints again');
  const dialog = element(
    'dialog',
    { class: 'finder help', 'aria-label': 'Help' },
    element('header', {}, element('h2', {}, 'Keys'), docs, hints, close),
    element('div', { class: 'help-keys' }, ...KEYS.map(keyList)),
  );
  app.append(dialog);
  function toggle(): void {
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }
  return { toggle };
}
