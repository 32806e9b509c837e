/** The report of a run: every task and begun move as rows, and as CSV (RFC 4180). */
import type { RunHead, RunOperation } from '../../contract/types.generated.ts';
import type { RunRecord } from '../archive/run-record.ts';

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
