/**
 * What would have come of a run with a fault or another toolpath from a time on (s of the run).
 */
import { useComputed, useSignal } from '@preact/signals';
import type { AddFaultBody, Cell, ToolpathHead } from '../../../contract/types.generated.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { OUTCOMES, type RunChange, runText } from '../../toolpath/runs/twin-runs.ts';
import { ToolpathPicker } from '../../toolpath/toolpath-picker.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Choice } from '../../ui/fields.tsx';
import { decimal } from '../../ui/value-text.ts';
import type { PathsPanelProps } from './paths-context.ts';
import type { RunReplays } from './run-replays.ts';

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

/** Both runs in a line each, and the first finding of the changed one. */
function comparison(kept: KeptRun, branch: KeptRun): string[] {
  const [first = ''] = branch.findings;
  const text = (run: KeptRun) => `${OUTCOMES[run.outcome]}, ${runText(run)}`;
  const lines = [`As it was: ${text(kept)}.`, `What if: ${text(branch)}.`, first];
  return lines.filter((line) => line !== '');
}

interface WhatIfProps extends PathsPanelProps {
  readonly replays: RunReplays;
}

/** Asks what a change at the cursor would have done to the replayed run, and shows both. */
export function WhatIf({ context, replays }: WhatIfProps) {
  const { arm, robot, library } = context;
  const kept = replays.changeable.value;
  const choice = useSignal(0);
  /** What has come of the change of a run; null while it is simulated. */
  const answer = useSignal<{ readonly of: KeptRun; readonly lines: string[] | null } | null>(null);
  const changes = kept ? faultChanges(kept.recording.cell[0]?.cell ?? null) : [];
  const shown = answer.value?.of.id === kept?.id ? answer.value : null;
  const from = useComputed(() => `from ${decimal(context.cursor_s.value, 2)} s on`);
  const isAsking = answer.value !== null && answer.value.lines === null;

  async function ask(change: RunChange | undefined): Promise<void> {
    if (!kept || !change) return;
    answer.value = { of: kept, lines: null };
    const branch = await replays.change(change);
    answer.value = { of: kept, lines: branch ? comparison(kept, branch) : [] };
  }
  const refuse = problemNotice(arm);
  async function askToolpath(name: string, text: string): Promise<void> {
    const { readToolpath } = await import('../../toolpath/read-toolpath.ts');
    const read = readToolpath(text);
    if (read.ok) void ask({ text: `toolpath “${name}”`, body: { toolpath: read.value.toolpath } });
    else refuse(`${name}: ${read.error[0]!.path} ${read.error[0]!.problem}`);
  }
  async function choose(head: ToolpathHead): Promise<void> {
    const text = await library.read(head);
    if (text) await askToolpath(head.name, text);
  }
  return (
    <section class="what-if" aria-label="What if" hidden={!kept}>
      <header class="section-head">
        <h3>What if</h3>
        <span class="end">{from}</span>
      </header>
      <div class="what-if-line">
        <Choice
          label="What happens"
          options={changes.map(({ text }, i) => [`${i}`, text])}
          value={`${choice.value}`}
          set={(index) => {
            choice.value = Number(index);
          }}
        />
        <Button disabled={isAsking} onClick={() => ask(changes[choice.value])}>
          Show it
        </Button>
      </div>
      <ToolpathPicker
        arm={robot}
        read={(head) => library.read(head)}
        choose={choose}
        file={{ onText: askToolpath, onProblem: refuse }}
        text="With another toolpath"
      />
      <div class="sub wrap" role="status">
        {shown?.lines?.map((line) => <p key={line}>{line}</p>) ??
          (shown && 'Simulating the rest of the run')}
      </div>
    </section>
  );
}
