/**
 * What happened in a run and what is planned, for other programs: a report as JSON and CSV
 * (RFC 4180), the plan as a calendar (RFC 5545), and the events as they happen.
 */
import { limits } from '../../contract/limits.ts';
import { refuse, streamRefusal } from '../../contract/refusal.ts';
import type { PlannedWorkflowTask, RunEvent, RunHead, RunOperation } from '../../contract/types.ts';
import type { Cancel, WallClock } from '../clock/clock.ts';
import { answer, type EventFeed, type EventSink, type Handlers } from '../http/reply.ts';
import type { Guard } from '../store/database.ts';
import type { RunRecord } from './archive.ts';
import { planAnalysis } from './plan/planner.ts';
import { historyOf } from './run-log.ts';
import { type Runs, recordOf } from './runs.ts';

function timeAt({ started_at }: RunHead, at_s: number | null | undefined): string | null {
  if (at_s === null || at_s === undefined) return null;
  return new Date(Date.parse(started_at) + 1000 * at_s).toISOString();
}

function startOf({ started_at_s, planned_start_s }: RunOperation): number {
  return started_at_s ?? planned_start_s ?? Number.POSITIVE_INFINITY;
}

/** Returns every task and begun move of a run, in the order of their starts. */
export function operationsOfRun({ head, history }: Pick<RunRecord, 'head' | 'history'>) {
  const times = (one: { started_at_s: number | null; ended_at_s: number | null }) => ({
    started_at_s: one.started_at_s,
    ended_at_s: one.ended_at_s,
    started_at: timeAt(head, one.started_at_s),
    ended_at: timeAt(head, one.ended_at_s),
  });
  const tasks = history.tasks.map(
    (one): RunOperation => ({
      kind: 'task',
      task_id: one.id,
      labware_id: null,
      instrument_id: one.instrument_id,
      slot: null,
      source_instrument_id: null,
      source_slot: null,
      state: one.state,
      planned_start_s: one.planned_start_s ?? null,
      planned_end_s: one.planned_end_s ?? null,
      ...times(one),
      error: one.error,
      arm_started_at_s: null,
      arm_ended_at_s: null,
    }),
  );
  const moves = history.moves.map(
    (one): RunOperation => ({
      kind: 'move',
      task_id: null,
      labware_id: one.labware_id,
      instrument_id: one.destination_instrument_id,
      slot: one.destination_slot,
      source_instrument_id: one.source_instrument_id,
      source_slot: one.source_slot,
      state: one.ended_at_s === null ? 'begun' : 'finished',
      planned_start_s: one.planned_start_s ?? null,
      planned_end_s: one.planned_end_s ?? null,
      ...times(one),
      error: '',
      arm_started_at_s: one.arm_started_at_s ?? null,
      arm_ended_at_s: one.arm_ended_at_s ?? null,
    }),
  );
  return [...moves, ...tasks].sort((a, b) => startOf(a) - startOf(b));
}

const COLUMNS = [
  'kind',
  'task_id',
  'labware_id',
  'source_instrument_id',
  'source_slot',
  'instrument_id',
  'slot',
  'state',
  'planned_start_s',
  'planned_end_s',
  'started_at_s',
  'ended_at_s',
  'started_at',
  'ended_at',
  'error',
  'arm_started_at_s',
  'arm_ended_at_s',
] as const satisfies readonly (keyof RunOperation)[];

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns operations as CSV with a header line. */
export function csvOf(operations: readonly RunOperation[]): string {
  const rows = operations.map((one) => COLUMNS.map((name) => csvField(one[name])).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

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

interface FeedParts {
  readonly runs: Runs;
  readonly record: RunRecord;
  /** The last event that the client has seen. */
  readonly after: number;
  readonly wall: WallClock;
  /** The refusal once the session has ended. */
  readonly recheck: Guard;
}

/** The events of a run for one client: read from the record, so that none is skipped. */
/** Sends the events of a run after one of them, and then as they happen. */
export class RunEventFeed implements EventFeed {
  private sent: number;
  private sink: EventSink | null = null;
  private isFull = false;
  /** Times at which the client still had not read what was written before. */
  private missed = 0;
  private unsubscribe = () => {};
  private cancelBeat: Cancel = () => {};
  private readonly parts: FeedParts;

  constructor(parts: FeedParts) {
    this.parts = parts;
    this.sent = parts.after;
  }

  get isOver(): boolean {
    const { events, head } = this.parts.record;
    return head.state === 'stopped' && (events.at(-1)?.sequence ?? 0) <= this.sent;
  }

  open(sink: EventSink): void {
    this.sink = sink;
    this.unsubscribe = this.parts.runs.onSaved(this.parts.record, () => this.push());
    this.push();
    this.beat();
  }

  onDrain(): void {
    this.isFull = false;
    this.missed = 0;
    this.push();
  }

  close(): void {
    this.sink = null;
    this.unsubscribe();
    this.cancelBeat();
  }

  private beat(): void {
    this.cancelBeat = this.parts.wall.afterUnreferenced(limits.stream_ping_s * 1000, () => {
      this.beat();
      if (!this.isFull) this.write(': keep-alive\n\n');
      else if (this.parts.recheck() !== null || ++this.missed >= limits.stream_missed_pings) {
        // A reply that only ends would wait for a client that does not read.
        this.end('abort');
      }
    });
  }

  private write(text: string): void {
    if (this.sink === null) return;
    if (this.parts.recheck() !== null) this.end();
    else this.isFull = !this.sink.write(text);
  }

  private end(how: 'end' | 'abort' = 'end'): void {
    const { sink } = this;
    this.close();
    sink?.[how]();
  }

  private push(): void {
    const { record } = this.parts;
    const [first] = record.events;
    if (first && first.sequence > this.sent + 1) {
      // Events beyond the limit of a run are removed, the oldest first.
      const data = JSON.stringify({ from: this.sent + 1, to: first.sequence - 1 });
      this.sent = first.sequence - 1;
      this.write(`event: gap\ndata: ${data}\n\n`);
    }
    const begin = first ? this.sent + 1 - first.sequence : 0;
    for (const event of record.events.slice(begin)) {
      if (this.isFull || this.sink === null) return;
      this.sent = event.sequence;
      this.write(eventText(event));
    }
    if (this.isOver && !this.isFull && this.sink !== null) this.end();
  }
}

function eventText(event: RunEvent): string {
  return `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A run as it is now. */
function currentOf(runs: Runs, { head, history }: RunRecord): Pick<RunRecord, 'head' | 'history'> {
  const live = runs.liveOf(head.id);
  return { head, history: live ? historyOf(live, history.plan) : history };
}

/** Returns the handlers of reports, calendars and live events of runs. */
export function reportHandlers(runs: Runs): Handlers {
  return {
    streamRunEvents(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const tooMany = streamRefusal(record.owner_id, runs.followers);
      if (tooMany) return tooMany;
      const { recheck, lastEventId } = call;
      const after = call.query['after'] ?? lastEventId ?? 0;
      const feed = new RunEventFeed({ runs, record, after, wall: runs.wall, recheck });
      return { reply: {}, feed };
    },
    getRunPlan(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const live = runs.liveOf(record.head.id);
      if (!live) return refuse('wrong_state', 'The run is stopped; see its report');
      const { model, run } = live;
      const { plan } = historyOf(live, record.history.plan);
      return answer({ plan, analysis: planAnalysis(model, run.plan.current) });
    },
    getRunReport(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const current = currentOf(runs, record);
      const { violations } = current.history;
      return answer({ run: current.head, operations: operationsOfRun(current), violations });
    },
    getRunReportCsv(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const text = csvOf(operationsOfRun(currentOf(runs, record)));
      return { reply: {}, file: { name: `run-${record.head.id}.csv`, text } };
    },
    getRunCalendar(call) {
      const record = recordOf(runs, call);
      if ('refused' in record) return record;
      const text = calendarOf(currentOf(runs, record));
      return { reply: {}, file: { name: `run-${record.head.id}.ics`, text } };
    },
  };
}
