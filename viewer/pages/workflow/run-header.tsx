import { useComputed } from '@preact/signals';
import { Chips } from '../../ui/chips.tsx';
import { unstartedDelay_s } from './gantt-rows.ts';
import { RunControls } from './run-controls.tsx';
import {
  deliveryCountText,
  durationText,
  runFigures,
  runStateText,
  waitsSince_s,
} from './run-figures.ts';
import { RunPromptLine } from './run-prompt-line.tsx';
import type { WorkflowProps } from './workflow-props.ts';
import { isChanged, type WorkflowMode, type WorkflowState } from './workflow-state.ts';

const MODES: readonly (readonly [WorkflowMode, string])[] = [
  ['library', 'All'],
  ['json', 'Edit'],
  ['run', 'Plan and run'],
];

const RUN_TONES = { started: 'run', paused: 'warn', stopped: 'quiet' } as const;

interface Figure {
  readonly name: string;
  readonly text: string;
  readonly isWarning?: boolean;
}

/** The figures of the run; without one, those of the plan. */
function figuresOf({ run, firstPlan, events, deliveries, plan }: WorkflowState): Figure[] {
  const now = run.value;
  if (!now) {
    if (!plan.value) return [];
    return [
      { name: 'Remaining, planned', text: durationText(plan.value.makespan) },
      { name: 'Tasks', text: `${Object.keys(plan.value.tasks).length}` },
    ];
  }
  const first = firstPlan.value;
  const since = { waitsSince_s: waitsSince_s(now, events.value) };
  const source = { run: now, plan: now.plan, firstPlan: first, instruments: [], ...since };
  const { elapsed_s, left_s, behind_s, done, tasks } = runFigures(
    now,
    first,
    unstartedDelay_s(source),
  );
  // While it runs always there: a figure that comes and goes moves the buttons behind it.
  // A run that stopped before its end is not on time.
  const isCut = left_s === null && done < tasks;
  const behind = { text: durationText(behind_s), isWarning: behind_s >= 1 };
  return [
    { name: 'Elapsed', text: durationText(elapsed_s) },
    ...(left_s === null ? [] : [{ name: 'Remaining, planned', text: durationText(left_s) }]),
    ...(isCut ? [] : [{ name: 'Behind plan', ...behind }]),
    { name: 'Tasks', text: `${done} of ${tasks}` },
    { name: 'Deliveries', text: deliveryCountText(deliveries.value) },
  ];
}

function Figures({ state }: Pick<WorkflowProps, 'state'>) {
  const figures = useComputed(() => figuresOf(state)).value;
  return (
    <dl class="figures">
      {figures.map(({ name, text, isWarning }) => (
        <div key={name} class="figure" data-tone={isWarning ? 'warn' : undefined}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function titleOf({ draft, run }: WorkflowState): string {
  const { name, text } = draft.value;
  return name || run.value?.name || (text ? 'Untitled' : 'Workflows');
}

function subtitleOf({ draft, run }: WorkflowState): string {
  const { workflow_id, text } = draft.value;
  if (text && isChanged(draft.value)) {
    return workflow_id === null ? 'not saved' : 'changed, not saved';
  }
  if (run.value) return `run ${run.value.id}`;
  return workflow_id === null ? '' : `workflow ${workflow_id}`;
}

/** What is open, and what the main area shows of it. */
function Modes({ state }: Pick<WorkflowProps, 'state'>) {
  const { workflow_id, text } = state.draft.value;
  const isNothing = workflow_id === null && text === '' && state.run.value === null;
  return (
    <Chips
      label="View"
      options={MODES}
      isOn={(mode) => mode === state.mode.value}
      isDisabled={(mode) => mode !== 'library' && isNothing}
      press={(mode) => state.showMode(mode)}
    />
  );
}

/**
 * The header of the Workflow page: the open definition, figures, view switch, and the controls of a
 * run.
 */
export function RunHeader({ state, actions }: WorkflowProps) {
  const run = state.run.value;
  const problem = state.problem.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class="work-head" role="group" aria-label="Workflow and run">
      <div class="work-title">
        <h2>
          <bdi class="title work-name">{titleOf(state)}</bdi>
        </h2>
        <span class="sub">{subtitleOf(state)}</span>
      </div>
      <span
        class="pill"
        role="status"
        data-tone={run && (run.pausing ? 'warn' : RUN_TONES[run.state])}
        hidden={run === null}
      >
        {run && runStateText(run)}
      </span>
      <Figures state={state} />
      <span class="rail-space" />
      <Modes state={state} />
      <div class="work-actions">
        <RunControls state={state} actions={actions} />
      </div>
      <RunPromptLine state={state} actions={actions} />
      <p class="work-problem" role="alert" hidden={problem === null}>
        {problem}
      </p>
    </div>
  );
}
