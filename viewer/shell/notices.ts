/**
 * The notices over the scene: the age of a stale view, a refused call, and a service that refuses
 * saves.
 */
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { ageText } from '../ui/value-text.ts';
import type { Panel } from './panel.ts';

/** Time between queries of the service's health. */
const HEALTH_PERIOD_MS = 10_000;

/** The reply of /readyz, as far as it tells of saves. */
interface ReadyState {
  readonly error?: { readonly details?: { readonly read_only?: string } | null };
}

/** Reports why the service refuses saves, or null, soon and from time to time. */
function watchStorage(shown: Promise<void>, report: (fault: string | null) => void): void {
  const query = async () => {
    const reply = await fetch('/readyz').catch(() => null);
    const state: ReadyState | null = await reply?.json().catch(() => null);
    report(state?.error?.details?.read_only ?? null);
  };
  void shown.then(query);
  setInterval(() => void query(), HEALTH_PERIOD_MS);
}

/** The age of a stale view, and a refused call, over the scene; hidden while not needed. */
export function createNotices(
  store: ArmStore,
  { reconnect, shown }: { readonly reconnect: () => void; readonly shown: Promise<void> },
): Panel {
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
  watchStorage(shown, (text) => {
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
