/** What happened, newest first. */
import type { LogEntry } from '../link/arm-store.ts';
import { element, setText } from './element.ts';
import { type IconName, icon } from './icons.ts';
import { heading, type Panel } from './panel.ts';
import { clockText } from './value-text.ts';

const SHOWN_MAX = 60;
const ICONS: Record<LogEntry['kind'], IconName> = {
  done: 'done',
  step: 'step',
  warn: 'warn',
  fault: 'fault',
  lock: 'lock',
  io: 'io',
};

function line(entry: LogEntry): HTMLElement {
  return element(
    'li',
    { class: `event event-${entry.kind}` },
    element('time', {}, clockText(entry.at)),
    icon(ICONS[entry.kind]),
    element('span', {}, entry.text),
  );
}

/** The list of what this page has heard. */
export function createEventsPanel(): Panel {
  const head = heading('Events');
  const list = element('ol', { class: 'events-list' });
  const empty = element('p', { class: 'empty' });
  const panel = element(
    'section',
    { class: 'panel events', 'data-tab': 'events', 'aria-label': 'Events' },
    head.element,
    empty,
    list,
  );
  let drawn: readonly LogEntry[] | null = null;
  return {
    element: panel,
    update({ view }) {
      if (view.log === drawn) return;
      drawn = view.log;
      setText(empty, drawn.length === 0 ? 'Nothing has happened since this page was opened.' : '');
      list.replaceChildren(...drawn.slice(0, SHOWN_MAX).map(line));
    },
  };
}
