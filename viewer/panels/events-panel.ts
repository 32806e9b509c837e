/** What happened, newest first: as this page heard it, or as the twin's own log has it. */
import type { SimLogEvent } from '../../contract/types.ts';
import type { LogEntry } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from './element.ts';
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

const LEVELS = { info: 'step', warning: 'warn', error: 'fault' } as const;

/** A line of the twin's log, by tick: twin time is not the time of day. */
export function twinLine({ level, text, tick }: SimLogEvent): HTMLElement {
  const kind = LEVELS[level];
  return element(
    'li',
    { class: `event event-${kind}` },
    element('time', {}, `tick ${tick}`),
    icon(kind),
    element('span', {}, text),
  );
}

/** The list of what this page has heard, and of the twin's log where there is one. */
export function createEventsPanel(): Panel {
  let twins = false;
  const flip = button(
    { class: 'chip', 'aria-pressed': 'false', hidden: true },
    () => {
      twins = !twins;
      setAttribute(flip, 'aria-pressed', String(twins));
    },
    "Twin's log",
  );
  const head = heading('Events', flip);
  const list = element('ol', { class: 'events-list' });
  const empty = element('p', { class: 'empty' });
  const panel = element(
    'section',
    { class: 'panel events', 'data-tab': 'events', 'aria-label': 'Events' },
    head.element,
    empty,
    list,
  );
  let drawn: readonly unknown[] | null = null;
  return {
    element: panel,
    update({ view }) {
      setAttribute(flip, 'hidden', view.sim === null);
      const twin = twins ? view.sim?.log : undefined;
      const shown = twin ?? view.log;
      if (shown === drawn) return;
      drawn = shown;
      setText(empty, shown.length === 0 ? 'Nothing has happened since this page was opened.' : '');
      const lines = twin
        ? twin.slice(0, SHOWN_MAX).map(twinLine)
        : view.log.slice(0, SHOWN_MAX).map(line);
      list.replaceChildren(...lines);
    },
  };
}
