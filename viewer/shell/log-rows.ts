/**
 * The rows of a list of events: those that this page received, and those of the log of the twin.
 * Pure.
 */
import type { SimLogEvent } from '../../contract/types.generated.ts';
import type { LogEntry } from '../link/arm-view.ts';
import type { StrokeName } from '../ui/icon.ts';
import { decimal, timeOfDayText } from '../ui/value-text.ts';

/** A row; one without an icon is a line between others. */
export interface LogRow {
  readonly kind: LogEntry['kind'] | 'break';
  readonly icon: StrokeName | null;
  readonly time: string;
  /** What the time means; empty where it is that of the day. */
  readonly title: string;
  readonly text: string;
}

/** Simulated time of a tick. */
const TICK_S = 0.004;
const ICONS: Record<LogEntry['kind'], StrokeName> = {
  done: 'done',
  step: 'step',
  warn: 'warn',
  fault: 'fault',
  lock: 'lock',
  io: 'io',
};
const LEVELS = { info: 'step', warning: 'warn', error: 'fault' } as const;

/** Between entries whose ticks do not follow each other: a reset or a snapshot set the time. */
const TIME_SET: LogRow = {
  ...{ kind: 'break', icon: null, time: '', title: '' },
  text: 'Below: before the time was set back',
};

/** An event that this page received. */
export function eventRow({ kind, at, text }: LogEntry): LogRow {
  return { kind, icon: ICONS[kind], time: timeOfDayText(at), title: '', text };
}

/** The newest entries of the twin log, with a line where its time was set back. */
export function twinLogRows(log: readonly SimLogEvent[], most: number): LogRow[] {
  return log.slice(0, most).flatMap((event, i) => {
    const newer = log[i - 1];
    return newer && newer.tick < event.tick ? [TIME_SET, twinRow(event)] : [twinRow(event)];
  });
}

/** An entry of the twin log, with its simulated time. */
function twinRow({ level, text, tick }: SimLogEvent): LogRow {
  const kind = LEVELS[level];
  const time = `${decimal(tick * TICK_S, 2)} s`;
  return { kind, icon: kind, time, title: `Tick ${tick} of the twin`, text };
}
