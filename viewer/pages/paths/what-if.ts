/**
 * What would have come of a run with a fault or another toolpath from a time on (s of the run).
 */
import type {
  AddFaultBody,
  Cell,
  RobotRun,
  ToolpathHead,
} from '../../../contract/types.generated.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import {
  OUTCOMES,
  type RunChange,
  readBranch,
  runText,
  type TwinRunsParts,
} from '../../toolpath/runs/twin-runs.ts';
import { createPicker } from '../../toolpath/toolpath-picker.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { filePicker } from '../../ui/user-file.ts';
import { decimal } from '../../ui/value-text.ts';

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
  const askToolpath = async (name: string, text: string): Promise<void> => {
    const { readToolpath } = await import('../../toolpath/read-toolpath.ts');
    const read = readToolpath(text);
    if (read.ok) void ask({ text: `toolpath “${name}”`, body: { toolpath: read.value.toolpath } });
    else refuse(`${name}: ${read.error[0]!.path} ${read.error[0]!.problem}`);
  };
  const file = filePicker({
    onText: (name, text) => void askToolpath(name, text),
    onProblem: refuse,
  });
  const picker = createPicker({
    arm,
    read: parts.read,
    choose: (head) => void choose(head),
    openFile: () => file.click(),
    text: 'With another toolpath',
  });
  async function choose(head: ToolpathHead): Promise<void> {
    const text = await parts.read(head);
    if (text) await askToolpath(head.name, text);
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
