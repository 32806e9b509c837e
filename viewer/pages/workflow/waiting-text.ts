/** What a run waits for, and what is late, in words. Pure. */
import type { RunDetails } from '../../../contract/types.generated.ts';
import { durationText } from './run-figures.ts';

type Waiting = RunDetails['waiting'];

/** What a task waits for: in the end, with what would free it, or its time. */
function reasonTexts({ reasons, blocked_by }: Waiting[number]): readonly string[] {
  if (blocked_by.length === 0) return reasons;
  return blocked_by.map(({ text, freed_by }) => `${text}; it waits for ${freed_by}`);
}

/** What a task of a run waits for; none where it does not wait. */
export function reasonsOf(run: RunDetails | null, task_id: string): readonly string[] {
  const waiting = run?.waiting.find((one) => one.task_id === task_id);
  return waiting ? reasonTexts(waiting) : [];
}

/** What takes longer than planned, and until when. */
export function lateTexts(run: RunDetails | null): readonly string[] {
  return (run?.late ?? []).map((one) => {
    const what = one.task_id ?? `the move of ${one.labware_id}`;
    const where = one.instrument_id === null ? '' : ` on ${one.instrument_id}`;
    const late = `late by ${durationText(one.late_s)}`;
    return `${what}${where}: ${late}, expected at ${durationText(one.expected_end_s)}`;
  });
}

/** Tasks by what they wait for: many tasks often wait for the same. */
export function waitingGroups(
  waiting: Waiting,
): readonly (readonly [reason: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const one of waiting) {
    const reason = reasonTexts(one).join('; ');
    groups.set(reason, [...(groups.get(reason) ?? []), one.task_id]);
  }
  return [...groups];
}
