/**
 * The runs that the twin keeps, also those that no page saw: their list, the recording of one, and
 * what would have been with a fault or another toolpath from a time on (s of the run).
 */
import type { RecordedRemark, RecordingDocument } from '../../contract/export-document.ts';
import type {
  AddFaultBody,
  Cell,
  ReplayRunBody,
  ReplayRunReply,
  RobotRun,
  Toolpath,
  ToolpathHead,
} from '../../contract/types.ts';
import { decodeJoints } from '../export/recording.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import { type ArmStore, signalText } from '../link/arm-store.ts';
import { failureNotice } from '../link/commands.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { filePicker } from '../panels/form.ts';
import { decimal, recordTimeText } from '../panels/value-text.ts';
import { startBuildWorker } from '../workers.ts';
import { buildOnce } from './build-queue.ts';
import { createPicker, problemNotice } from './compare-panel.ts';
import { largestDeviation } from './deviation.ts';
import type { KeptRun, RunOutcome } from './run-log.ts';
import type { ToolpathStore } from './toolpath-store.ts';

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
      const { started_at, outcome, contacts, signals } = twin[place]!;
      // The page may have missed a part; while it runs, the list is old.
      const results = outcome === 'running' ? {} : { outcome, contacts, signals };
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

const fault = (text: string, body: AddFaultBody): RunChange => ({ text, body: { fault: body } });

/** Faults that the arm, or a part of the cell, can have in a run. */
export function faultChanges(cell: Cell | null): RunChange[] {
  const { grippers = [], sensors = [], conveyors = [], objects = [] } = cell ?? {};
  return [
    ...grippers.map(({ name }) =>
      fault(`Gripper “${name}” jams`, { kind: 'gripper', gripper: name, fault: 'jammed' }),
    ),
    ...grippers.map(({ name }) =>
      fault(`Gripper “${name}” loses its part after 1 s`, {
        kind: 'gripper',
        gripper: name,
        fault: 'slips',
      }),
    ),
    ...conveyors.map(({ name }) =>
      fault(`Conveyor “${name}” stops`, { kind: 'conveyor', conveyor: name }),
    ),
    ...sensors.map(({ name }) =>
      fault(`Sensor “${name}” does not change`, { kind: 'sensor', sensor: name, fault: 'stuck' }),
    ),
    ...objects.map(({ name }) =>
      fault(`Object “${name}” is missing`, { kind: 'object', object: name, fault: 'missing' }),
    ),
    fault('J3 does not answer', { kind: 'driver', joint: 2, fault: 'lost' }),
    fault('J4 overheats', { kind: 'driver', joint: 3, fault: 'overheated' }),
    fault('Tool input 0 does not change', { kind: 'stuck_input', input: 'ee_d0' }),
  ];
}

export interface TwinRunsParts {
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  /** The text of a toolpath of the arm. */
  readonly read: (head: ToolpathHead) => Promise<string | null>;
}

/** The last replay that was asked for: the twin replays one at a time and refuses others. */
let lastReplay: Promise<unknown> = Promise.resolve();

/**
 * Replays a run of the twin, after the replays that this page asked for before; a refusal becomes
 * a notice and null.
 */
async function replayOf(
  { arm, calls }: TwinRunsParts,
  { id }: RobotRun,
  body: ReplayRunBody,
): Promise<ReplayRunReply | null> {
  const asked = lastReplay.then(() =>
    calls.call((client) => client.replayRobotRun({ robot_run_id: id }, body)),
  );
  lastReplay = asked;
  const reply = await asked;
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
  const deviation_m = plan && (await largestDeviation(plan, decodeJoints(recording.motion)));
  const contacts = findings.filter(isContact).length;
  return { outcome, duration_s, deviation_m, contacts, signals, findings, planned, recording };
}

/** A run of the twin as the page keeps its own; null with a notice if it cannot be replayed. */
export async function readTwinRun(parts: TwinRunsParts, run: RobotRun): Promise<KeptRun | null> {
  const reply = await replayOf(parts, run, {});
  if (!reply) return null;
  const { toolpaths } = parts.arm.view();
  const head = toolpaths.find(({ hash }) => hash === run.toolpath_hash);
  const planned = head ? await parts.read(head) : null;
  const facts = [
    ['Started', recordTimeText(run.started_at)],
    ['Start', `tick ${run.tick} of the twin`],
    ['Toolpath hash', run.toolpath_hash],
  ] as const;
  const twin = { tick: run.tick, hash: run.toolpath_hash };
  const own = { id: UNLISTED, name: run.name || 'Toolpath', started_at: run.started_at };
  return { ...own, facts, twin, isExact: true, ...(await resultsOf(reply, planned)) };
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

/**
 * The runs of the twin, newest first; none without access to the simulation control API, and null
 * without an answer.
 */
export async function listTwinRuns({
  arm,
  calls,
}: TwinRunsParts): Promise<readonly RobotRun[] | null> {
  if (!arm.view().sim) return [];
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

/** What came of a run in a few words. */
export function runText(
  run: Pick<KeptRun, 'duration_s' | 'deviation_m' | 'contacts' | 'signals'>,
): string {
  const { duration_s, deviation_m, contacts, signals } = run;
  const deviation = deviation_m === null ? [] : [`${decimal(deviation_m * 1000, 2)} mm off`];
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  const counts = [...counted(contacts, 'contact'), ...counted(signals, 'signal')];
  return [`${decimal(duration_s, 1)} s`, ...deviation, ...counts].join(' · ');
}

/** A replayed run, and the run of the twin behind it. */
interface ReplayedRun {
  readonly kept: KeptRun;
  readonly run: RobotRun;
}

/** Both runs in a line each, and the first finding of the changed one. */
function comparison(kept: KeptRun, branch: KeptRun): HTMLElement[] {
  const [first = ''] = branch.findings;
  const text = (run: KeptRun) => `${OUTCOMES[run.outcome]}, ${runText(run)}`;
  const lines = [`As it was: ${text(kept)}.`, `What if: ${text(branch)}.`, first];
  return lines.filter((line) => line !== '').map((line) => element('p', {}, line));
}

/** Asks what a change at the cursor would have done to the replayed run, and shows both. */
export function createWhatIf(
  parts: TwinRunsParts & { readonly store: ToolpathStore },
  showBranch: (branch: KeptRun, of: KeptRun) => void,
) {
  const { arm, store } = parts;
  let shown: ReplayedRun | null = null;
  let changes: readonly RunChange[] = [];
  const at = element('span', { class: 'end' });
  const select = element('select', { class: 'field', 'aria-label': 'What happens' });
  const run = button({ class: 'plain' }, () => void ask(changes[select.selectedIndex]), 'Show it');
  const status = element('div', { class: 'sub wrap', role: 'status' });
  const refuse = problemNotice(arm);
  const askToolpath = (name: string, text: string): void => {
    const toolpath = parseToolpath(text);
    if (toolpath) void ask({ text: `toolpath “${name}”`, body: { toolpath } });
    else refuse(`${name} is no toolpath.`);
  };
  const file = filePicker({ onText: askToolpath, onProblem: refuse });
  const picker = createPicker({
    arm,
    read: parts.read,
    choose: (head) => void choose(head),
    openFile: () => file.click(),
    text: 'With another toolpath',
  });
  async function choose(head: ToolpathHead): Promise<void> {
    const text = await parts.read(head);
    if (text) askToolpath(head.name, text);
  }
  async function ask(change: RunChange | undefined): Promise<void> {
    const of = shown;
    if (!of || !change) return;
    const at_s = store.view().cursor_s;
    setText(status, 'Simulating the rest of the run');
    setAttribute(run, 'disabled', true);
    const branch = await readBranch(parts, { run: of.run, kept: of.kept }, { at_s, change });
    setAttribute(run, 'disabled', false);
    // By now another run or a toolpath may be open, in whose place the branch would come.
    if (shown?.kept.id !== of.kept.id) return;
    status.replaceChildren(...(branch ? comparison(of.kept, branch) : []));
    if (branch) showBranch(branch, of.kept);
  }
  const box = element('section', { class: 'what-if', 'aria-label': 'What if', hidden: true });
  const head = element('header', { class: 'section-head' }, element('h3', {}, 'What if'), at);
  const line = element('div', { class: 'what-if-line' }, select, run);
  box.append(head, line, picker.toggle, picker.box, file, status);
  return {
    element: box,
    /** Offers changes of a run; null hides the section. */
    show(next: ReplayedRun | null): void {
      if (next?.kept !== shown?.kept) setText(status, '');
      shown = next;
      setAttribute(box, 'hidden', next === null);
      changes = next ? faultChanges(next.kept.recording.cell[0]?.cell ?? null) : [];
      select.replaceChildren(...changes.map(({ text }) => element('option', {}, text)));
    },
    showTime: (time_s: number) => setText(at, `from ${decimal(time_s, 2)} s on`),
  };
}

function parseToolpath(text: string): Toolpath | null {
  try {
    return JSON.parse(text) as Toolpath;
  } catch {
    return null;
  }
}
