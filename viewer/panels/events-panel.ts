/** The list of events, newest first: those this page received, or the twin log. */
import type { SimLogEvent } from '../../contract/types.ts';
import type { LogEntry } from '../link/arm-store.ts';
import {
  button,
  element,
  heading,
  type IconName,
  icon,
  type Panel,
  setAttribute,
  setText,
} from './element.ts';
import { decimal, timeOfDayText } from './value-text.ts';

const SHOWN_MAX = 60;
/** Simulated time of a tick. */
const TICK_S = 0.004;
const ICONS: Record<LogEntry['kind'], IconName> = {
  done: 'done',
  step: 'step',
  warn: 'warn',
  fault: 'fault',
  lock: 'lock',
  io: 'io',
};

function eventItem(entry: LogEntry): HTMLElement {
  return element(
    'li',
    { class: `event event-${entry.kind}` },
    element('time', {}, timeOfDayText(entry.at)),
    icon(ICONS[entry.kind]),
    element('span', {}, entry.text),
  );
}

const LEVELS = { info: 'step', warning: 'warn', error: 'fault' } as const;

/** Between entries whose ticks do not follow each other: a reset or a snapshot set the time. */
function timeSetItem(): HTMLElement {
  return element('li', { class: 'event event-break' }, 'Below: before the time was set back');
}

/** The newest entries of the twin log, with a line where its time was set back. */
export function twinLogItems(log: readonly SimLogEvent[], most: number): HTMLElement[] {
  return log.slice(0, most).flatMap((event, i) => {
    const newer = log[i - 1];
    const item = twinLogItem(event);
    return newer && newer.tick < event.tick ? [timeSetItem(), item] : [item];
  });
}

/** An entry of the twin log, with its simulated time. */
function twinLogItem({ level, text, tick }: SimLogEvent): HTMLElement {
  const kind = LEVELS[level];
  const seconds = `${decimal(tick * TICK_S, 2)} s`;
  return element(
    'li',
    { class: `event event-${kind}` },
    element('time', { title: `Tick ${tick} of the twin` }, seconds),
    icon(kind),
    element('span', {}, text),
  );
}

/** The panel; it can switch to the twin log if there is one. */
export function createEventsPanel(): Panel {
  let showTwinLog = false;
  const toggle = button(
    { class: 'chip', 'aria-pressed': 'false', hidden: true },
    () => {
      showTwinLog = !showTwinLog;
      setAttribute(toggle, 'aria-pressed', String(showTwinLog));
    },
    'Twin log',
  );
  const head = heading('Events', toggle);
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
      setAttribute(toggle, 'hidden', view.sim === null);
      const twinLog = showTwinLog ? view.sim?.log : undefined;
      const shown = twinLog ?? view.log;
      if (shown === drawn) return;
      drawn = shown;
      setText(empty, shown.length === 0 ? 'No events since this page was opened.' : '');
      const items = twinLog
        ? twinLogItems(twinLog, SHOWN_MAX)
        : view.log.slice(0, SHOWN_MAX).map(eventItem);
      list.replaceChildren(...items);
    },
  };
}
