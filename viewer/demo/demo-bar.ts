/** What both pages of the demo have in their top bar: the other page, and what a tab cannot do. */
import { button, element } from '../ui/element.ts';

const PAGES = [
  { file: './', demo: 'run', label: 'A recorded run' },
  { file: './edit.html', demo: 'edit', label: 'Edit a toolpath' },
] as const;

const CANNOT = [
  'No arm moves here: what you see was recorded on a twin, or is planned in this tab. A twin has mass, friction, contact and faults.',
  'There is no API: scripts, tests and other programs need a twin.',
  'Nothing is kept: a reload forgets your edits.',
  'While you edit, only what stands fixed around the arm is drawn: parts, grippers and belts act in a run.',
];
const WAY_ON = 'A clone of armtwin starts a twin with npm start; its README has three commands.';

function createLimits(): HTMLDialogElement {
  const close = button({ class: 'primary' }, () => dialog.close(), 'Close');
  const dialog = element(
    'dialog',
    { class: 'demo-limits', 'aria-label': 'What this tab cannot do' },
    element('h2', {}, 'What this tab cannot do'),
    element('ul', {}, ...CANNOT.map((text) => element('li', {}, text))),
    element('p', {}, WAY_ON),
    close,
  );
  return dialog;
}

/** Adds the links of the demo to the top bar of the page. */
export function addDemoBar(): void {
  const here = document.body.dataset['demo'];
  const links = PAGES.map(({ file, demo, label }) =>
    element('a', { href: file, ...(demo === here && { 'aria-current': 'page' }) }, label),
  );
  const limits = createLimits();
  const about = button({ class: 'plain' }, () => limits.showModal(), 'What this tab cannot do');
  const bar = document.querySelector('.export-bar');
  bar?.querySelector('.title')?.after(element('nav', { class: 'demo-pages' }, ...links), about);
  document.body.append(limits);
}
