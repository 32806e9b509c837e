/** The plan of a run as a calendar (RFC 5545). */

import type { PlannedWorkflowTask } from '../../contract/types.generated.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { timeAt } from './run-report.ts';

/** Longest line of a calendar (bytes). */
const LINE_BYTES = 75;

/** Folds a line of a calendar: later parts begin with a space. */
function folded(line: string): string {
  const lines: string[] = [];
  let [part, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      lines.push(part);
      [part, bytes] = [' ', 1];
    }
    part += character;
    bytes += size;
  }
  return [...lines, part].join('\r\n');
}

/** A text as a calendar has it: without control characters (RFC 5545, 3.3.11). */
function calendarText(text: string): string {
  const escaped = text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
  return escaped.replace(/\p{Cc}/gu, ' ');
}

function calendarTime(timestamp: string): string {
  return timestamp.replace(/\.\d+/, '').replace(/[-:]/g, '');
}

/** Returns the plan of a run as a calendar with one event for each task and move. */
export function calendarOf({ head, history: { plan } }: Pick<RunRecord, 'head' | 'history'>) {
  const entries = [
    ...Object.entries((plan?.tasks ?? {}) as Record<string, PlannedWorkflowTask>).map(
      ([id, one]) => ({
        ...one,
        id: `task-${id}`,
        summary: one.instrument === null ? id : `${id} (${one.instrument})`,
      }),
    ),
    ...(plan?.transports ?? []).map((one, i) => ({
      ...one,
      id: `move-${i + 1}`,
      summary: `${one.labware_id} to ${one.destination_instrument_id}`,
    })),
  ];
  const events = entries.flatMap(({ id, summary, start, end }) => [
    'BEGIN:VEVENT',
    `UID:${calendarText(`run-${head.id}-${id}@armtwin`)}`,
    `DTSTAMP:${calendarTime(head.started_at)}`,
    `DTSTART:${calendarTime(timeAt(head, start)!)}`,
    `DTEND:${calendarTime(timeAt(head, end)!)}`,
    `SUMMARY:${calendarText(summary)}`,
    'END:VEVENT',
  ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//armtwin//workflow//EN',
    `NAME:${calendarText(head.name)}`,
    ...events,
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
