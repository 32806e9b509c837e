/** Notices over the scene: the age of a stale view, and a refused call. */
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { icon } from './icons.ts';
import type { Panel } from './panel.ts';
import { ageText } from './value-text.ts';

/** Time between queries of the service's health. */
const HEALTH_PERIOD_MS = 10_000;
const FIRST_QUERY_MS = 1500;

/** Reports why the service refuses saves, or null, soon and from time to time. */
function watchStorage(report: (fault: string | null) => void): void {
  const query = async () => {
    const reply = await fetch('/readyz').catch(() => null);
    const state: unknown = await reply?.json().catch(() => null);
    const fault = state !== null && typeof state === 'object' && 'read_only' in state;
    report(fault ? String(state.read_only) : null);
  };
  // Not on the way of the first picture.
  setTimeout(() => void query(), FIRST_QUERY_MS);
  setInterval(() => void query(), HEALTH_PERIOD_MS);
}

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
  const fault = element('p');
  const readOnly = element(
    'div',
    { class: 'glass notice notice-warn', role: 'alert', hidden: '' },
    icon('warn'),
    fault,
  );
  watchStorage((text) => {
    setAttribute(readOnly, 'hidden', text === null);
    if (text !== null) setText(fault, `Nothing can be saved: ${text}. Motion and reads work.`);
  });
  return {
    element: element('div', { class: 'notices' }, stale, readOnly, refused),
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
