/** Calls for the runs that a twin keeps: their list, the recording of one, and of a change of one. */

import type { RecordedRemark, RecordingDocument } from '../../../contract/export-document.ts';
import type {
  ReplayRunBody,
  ReplayRunReply,
  RobotRun,
  Toolpath,
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

/** A change of a run, and what it is in words. */
export interface RunChange {
  readonly text: string;
  readonly body: Pick<ReplayRunBody, 'fault' | 'toolpath'>;
}

export interface TwinRunsParts {
  readonly arm: ArmStore;
  readonly calls: Pick<ArmCalls, 'call' | 'identity'>;
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

/** Who ran it, and with what: the same facts give the same run again. */
function factsOf({ arm }: TwinRunsParts, run: RobotRun): KeptRun['facts'] {
  const { name, version, driver } = arm.view();
  const faults = run.faults.map((fault) =>
    'seed' in fault && fault.seed !== undefined ? `${fault.kind}, seed ${fault.seed}` : fault.kind,
  );
  return [
    ['Robot', `${name}, software ${version}`],
    ['Started', recordTimeText(run.started_at)],
    ['User', run.user_id === null ? 'none' : `user ${run.user_id}`],
    ['Driver', driver ?? 'unknown'],
    ['Start', `tick ${run.tick} of the twin`],
    ['Toolpath hash', run.toolpath_hash],
    ['Injected faults', faults.join('; ') || 'none'],
  ];
}

/** A run of the twin with its recording; null with a notice if it cannot be replayed. */
export async function readTwinRun(parts: TwinRunsParts, run: RobotRun): Promise<KeptRun | null> {
  const reply = await replayOf(parts, run, {});
  if (!reply) return null;
  const own = { id: run.id, name: run.name || 'Toolpath', started_at: run.started_at };
  const facts = factsOf(parts, run);
  return { ...own, facts, isExact: true, ...(await resultsOf(reply, reply.toolpath)) };
}

/** Number of the next change of a run, which no link names. */
let nextBranch = -1;

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
    id: nextBranch--,
    name: `${kept.name}, what if: ${what}`,
    started_at: kept.started_at,
    facts,
    isExact: true,
    ...results,
    // Before the change the arm is on the other plan.
    deviation_m: toolpath ? null : results.deviation_m,
  };
}

/** The runs that the arm keeps, newest first; null of one that keeps none, undefined: no answer. */
export async function listTwinRuns({
  calls,
}: Pick<TwinRunsParts, 'calls'>): Promise<readonly RobotRun[] | null | undefined> {
  if (!isTwin(calls)) return null;
  const reply = await calls.call((client) => client.listRobotRuns());
  if (!reply.ok) return undefined;
  return reply.value.kept ? reply.value.runs : null;
}

/** Whether the arm is a twin. */
export function isTwin(calls: Pick<ArmCalls, 'identity'>): boolean {
  const { driver } = calls.identity();
  return driver !== null && driver !== 'upstream';
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
  run: Pick<KeptRun, 'duration_s' | 'contacts' | 'signals'> & Partial<KeptRun>,
): string {
  const { duration_s, deviation_m = null, contacts, signals, recording } = run;
  const unheard_s = recording ? unheardFor_s(recording) : 0;
  // The largest may be where nothing was heard.
  const least = unheard_s > 0 ? 'at least ' : '';
  const deviation =
    deviation_m === null ? [] : [`${least}${decimal(deviation_m * 1000, 2)} mm off`];
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  const counts = [...counted(contacts, 'contact'), ...counted(signals, 'signal')];
  const unheard = unheard_s > 0 ? [`${decimal(unheard_s, 1)} s not heard`] : [];
  return [`${decimal(duration_s, 1)} s`, ...unheard, ...deviation, ...counts].join(' · ');
}
