/**
 * The rows of a list of events: those that this page received, and those of the log of the twin.
 */

import type { SimLogEvent } from '../../contract/types.generated.ts';
import type { LogEntry } from '../link/arm-view.ts';
import { element } from '../ui/element.ts';
import { type IconName, icon } from '../ui/icon.ts';
import { decimal, timeOfDayText } from '../ui/value-text.ts';

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

export function eventItem(entry: LogEntry): HTMLElement {
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
