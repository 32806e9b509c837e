/** Notices over the scene: the age of a stale view, and a refused call. */
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { icon } from './icons.ts';
import type { Panel } from './panel.ts';
import { ageText } from './value-text.ts';

/** Creates the notices; each is hidden while it does not apply. */
export function createNotices(store: ArmStore, reconnect: () => void): Panel {
  const age = element('b');
  const stale = element(
    'div',
    { class: 'glass notice notice-warn', role: 'alert' },
    icon('warn'),
    element('p', {}, age, 'This is the last known pose; the arm may have moved.'),
    button({ class: 'plain' }, reconnect, 'Reconnect now'),
  );
  const refusedText = element('p');
  const code = element('code');
  const refused = element(
    'div',
    { class: 'glass notice', role: 'status' },
    icon('warn'),
    refusedText,
    code,
    button(
      { class: 'plain square', 'aria-label': 'Dismiss' },
      () => store.set({ notice: null }),
      icon('close'),
    ),
  );
  return {
    element: element('div', { class: 'notices' }, stale, refused),
    update({ view, age_ms }) {
      setAttribute(stale, 'hidden', view.link !== 'stale');
      if (view.link === 'stale') setText(age, `No data for ${ageText(age_ms)}. `);
      setAttribute(refused, 'hidden', view.notice === null);
      if (view.notice) {
        setText(refusedText, view.notice.text);
        setText(code, view.notice.code);
      }
    },
  };
}
