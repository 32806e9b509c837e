/**
 * The runs that the twin keeps, also those that no page saw: their list, and the recording of one.
 */

import type { RecordedRemark, RecordingDocument } from '../../../contract/export-document.ts';
import type {
  ReplayRunBody,
  ReplayRunReply,
  RobotRun,
  Toolpath,
  ToolpathHead,
} from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import { signalText } from '../../link/event-text.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import type { KeptRun, RunOutcome } from '../../link/kept-run.ts';
import { decimal, recordTimeText } from '../../ui/value-text.ts';
import { buildOnce } from '../build-once.ts';
import { deviationOf } from '../deviation.ts';
import { startBuildWorker } from '../start-build-worker.ts';
import { decodeSamples } from './recording.ts';

/** A reported time is a tick late at most. */
const SAME_TICKS = 2;
/** A replay that the list has no number for has this one. */
const UNLISTED = -1;

/** Whether the page saw this run of the twin. */
export function isSameRun({ twin }: KeptRun, { tick, toolpath_hash }: RobotRun): boolean {
  if (!twin || twin.hash !== toolpath_hash) return false;
  return Math.abs(twin.tick - tick) <= SAME_TICKS;
}

/** A run of the list: as this browser keeps it, else as the twin does. */
export type ListedRun = { readonly kept: KeptRun } | { readonly twin: RobotRun };

/**
 * Both lists as one, newest first. The twin has the order of what it keeps, and the times: those of
 * a browser may be of another clock. A run that only this browser keeps, which a reset or a lost
 * connection ended, stands above the last one before it that the twin keeps; a change of a run,
 * which starts with it, stands above that one.
 */
export function listRuns(kept: readonly KeptRun[], twin: readonly RobotRun[]): ListedRun[] {
  const places = kept.map((run) => twin.findIndex((each) => isSameRun(run, each)));
  const above = [...twin, null].map((): ListedRun[] => []);
  const rows = twin.map((each): ListedRun => ({ twin: each }));
  let seen = twin.length;
  for (const [i, run] of [...kept.entries()].reverse()) {
    const place = places[i]!;
    if (place >= 0) {
      const { started_at, outcome, duration_s, contacts, signals } = twin[place]!;
      // The page may have missed a part; while it runs, the list is old.
      const results = outcome === 'running' ? {} : { outcome, duration_s, contacts, signals };
      rows[place] = { kept: { ...run, started_at, ...results } };
      seen = Math.min(seen, place);
      continue;
    }
    const source = kept.findIndex((each, j) => {
      return places[j]! >= 0 && each.started_at === run.started_at;
    });
    above[source < 0 ? seen : places[source]!]!.unshift({ kept: run });
  }
  return [...rows.flatMap((row, i) => [...above[i]!, row]), ...above[twin.length]!];
}

/** A change of a run, and what it is in words. */
export interface RunChange {
  readonly text: string;
  readonly body: Pick<ReplayRunBody, 'fault' | 'toolpath'>;
}

export interface TwinRunsParts {
  readonly arm: ArmStore;
  readonly calls: Pick<ArmCalls, 'call' | 'identity'>;
  /** The text of a toolpath of the arm. */
  readonly read: (head: ToolpathHead) => Promise<string | null>;
}

/** Replays a run of the twin; a refusal becomes a notice and null. */
async function replayOf(
  { arm, calls }: TwinRunsParts,
  { id }: RobotRun,
  body: ReplayRunBody,
): Promise<ReplayRunReply | null> {
  const reply = await calls.call((client) => client.replayRobotRun({ robot_run_id: id }, body));
  arm.set({ notice: reply.ok ? null : failureNotice(reply.error) });
  return reply.ok ? reply.value : null;
}

/** A line of the log or a change of a signal as the page's own lists write it. */
function asSentence(remark: RecordedRemark): RecordedRemark {
  const { kind, words } = remark;
  if (kind === 'signal') return { ...remark, words: signalText(words) };
  if (kind !== 'log') return remark;
  return { ...remark, words: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Whether a finding is a contact and not an error. */
export const isContact = (finding: string): boolean => finding.includes(' touched ');

/** What a replay says of a run. */
async function resultsOf(reply: ReplayRunReply, planned: string | null) {
  const document = JSON.parse(reply.recording) as RecordingDocument;
  // The version is added with the file.
  const made_by = 'armtwin';
  const recording = { ...document, made_by, remarks: document.remarks.map(asSentence) };
  const toolpath = planned === null ? null : (JSON.parse(planned) as Toolpath);
  const plan = toolpath && (await buildOnce(startBuildWorker(), toolpath));
  const { outcome, duration_s, signals, findings } = reply;
  const deviation = plan && (await deviationOf(plan, decodeSamples(recording.motion)));
  const deviation_m = deviation?.most?.tool_m ?? null;
  const contacts = findings.filter(isContact).length;
  return { outcome, duration_s, deviation_m, contacts, signals, findings, planned, recording };
}

/**
 * A run of the twin as the page keeps its own; null with a notice if it cannot be replayed. `known`
 * is the toolpath that ran, where the page has it: the arm may have another by now.
 */
export async function readTwinRun(
  parts: TwinRunsParts,
  run: RobotRun,
  known: string | null = null,
): Promise<KeptRun | null> {
  const reply = await replayOf(parts, run, {});
  if (!reply) return null;
  const { toolpaths } = parts.arm.view();
  const head = toolpaths.find(({ hash }) => hash === run.toolpath_hash);
  const planned = known ?? (head ? await parts.read(head) : null);
  const facts = [
    ['Started', recordTimeText(run.started_at)],
    ['Start', `tick ${run.tick} of the twin`],
    ['Toolpath hash', run.toolpath_hash],
  ] as const;
  const twin = { tick: run.tick, hash: run.toolpath_hash };
  const own = { id: UNLISTED, name: run.name || 'Toolpath', started_at: run.started_at };
  return { ...own, facts, twin, isExact: true, ...(await resultsOf(reply, planned)) };
}

/**
 * A run with poses, times and results of the twin in place of those that the page received late,
 * guessed or did not hear; null with a notice if it cannot be replayed.
 */
export async function exactRun(
  parts: TwinRunsParts,
  run: KeptRun,
  source: RobotRun,
): Promise<KeptRun | null> {
  const exact = await readTwinRun(parts, source, run.planned);
  if (!exact) return null;
  const { duration_s, deviation_m, outcome, contacts, signals, planned } = exact;
  const recording = { ...exact.recording, made_by: run.recording.made_by };
  const results = { recording, planned, deviation_m, duration_s, outcome, contacts, signals };
  const ofPlan = run.findings.filter((finding) => !isContact(finding));
  return { ...run, ...results, findings: [...exact.findings, ...ofPlan], isExact: true };
}

/** The run as it would have been with a change at a time. */
export async function readBranch(
  parts: TwinRunsParts,
  { run, kept }: { readonly run: RobotRun; readonly kept: KeptRun },
  { at_s, change }: { readonly at_s: number; readonly change: RunChange },
): Promise<KeptRun | null> {
  const reply = await replayOf(parts, run, { at_s, ...change.body });
  if (!reply) return null;
  const { toolpath } = change.body;
  const results = await resultsOf(reply, toolpath ? JSON.stringify(toolpath) : kept.planned);
  const what = `${change.text} at ${decimal(at_s, 2)} s`;
  const facts = [['What if', what], ...kept.facts] as const;
  return {
    id: UNLISTED,
    name: `${kept.name}, what if: ${what}`,
    started_at: kept.started_at,
    facts,
    isExact: true,
    ...results,
    // Before the change the arm is on the other plan.
    deviation_m: toolpath ? null : results.deviation_m,
  };
}

/** Whether the arm is a twin, which keeps its runs. */
export function isTwin(calls: Pick<ArmCalls, 'identity'>): boolean {
  const { driver } = calls.identity();
  return driver !== null && driver !== 'upstream';
}

/** The runs of the twin, newest first; none of an arm that is no twin, and null without an answer. */
export async function listTwinRuns({
  calls,
}: Pick<TwinRunsParts, 'calls'>): Promise<readonly RobotRun[] | null> {
  if (!isTwin(calls)) return [];
  const reply = await calls.call((client) => client.listRobotRuns());
  return reply.ok ? reply.value.runs : null;
}

/** The outcomes in words. */
export const OUTCOMES: Readonly<Record<RunOutcome, string>> = {
  finished: 'Finished',
  cancelled: 'Cancelled',
  error: 'Error',
  collision: 'Collision',
  disabled: 'Emergency stop',
  lost: 'Connection lost',
  reset: 'Reset',
  running: 'Running',
};

/** How long nothing was heard of the arm in a recording (s). */
export function unheardFor_s({ motion }: RecordingDocument): number {
  return (motion.unheard_s ?? []).reduce((sum, [from, to]) => sum + to - from, 0);
}

/** What came of a run in a few words. */
export function runText(
  run: Pick<KeptRun, 'duration_s' | 'deviation_m' | 'contacts' | 'signals'> & Partial<KeptRun>,
): string {
  const { duration_s, deviation_m, contacts, signals, recording, twin } = run;
  const gaps_s = recording ? unheardFor_s(recording) : 0;
  // Of a run that the twin has, it is only the page that has not heard all.
  const unheard_s = twin ? 0 : gaps_s;
  // The largest may be where nothing was heard.
  const least = gaps_s > 0 ? 'at least ' : '';
  const deviation =
    deviation_m === null ? [] : [`${least}${decimal(deviation_m * 1000, 2)} mm off`];
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  const counts = [...counted(contacts, 'contact'), ...counted(signals, 'signal')];
  const unheard = unheard_s > 0 ? [`${decimal(unheard_s, 1)} s not heard`] : [];
  return [`${decimal(duration_s, 1)} s`, ...unheard, ...deviation, ...counts].join(' · ');
}
