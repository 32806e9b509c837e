import { useSignal } from '@preact/signals';
import type { StartRunBody } from '../../../contract/types.generated.ts';
import { Button, ConfirmButton } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { bind, FlagField } from '../../ui/fields.tsx';
import type { StrokeName } from '../../ui/icon.ts';
import { resolutionsOf } from './resolutions.ts';
import { askedTask, definitionProblem } from './run-questions.ts';
import type { WorkflowProps } from './workflow-props.ts';

interface Offer {
  readonly icon: StrokeName;
  readonly text: string;
  readonly act: () => unknown;
  readonly isShown?: boolean;
  /** Whether it is the main button. */
  readonly isMain?: boolean;
}

interface OffersProps {
  readonly of: readonly Offer[];
  readonly disabled: boolean;
  readonly title?: string | undefined;
}

/** Buttons for what can be done now. */
function Offers({ of, ...attributes }: OffersProps) {
  return of
    .filter(({ isShown = true }) => isShown)
    .map(({ icon, text, act, isMain = false }) => (
      <Button key={text} class={isMain ? 'primary' : 'plain'} onClick={act} {...attributes}>
        <Icon name={icon} />
        <span>{text}</span>
      </Button>
    ));
}

/** What can be done with a run that is on. What it asks of the operator is the main button. */
function LiveControls({ state, actions }: WorkflowProps) {
  const run = state.run.value!;
  const disabled = state.busy.value;
  const asked = askedTask(run);
  const allowed = asked === null ? [] : resolutionsOf(state.definition.value, asked);
  const isStarted = run.state === 'started';
  const resolve = (choice: 'retry' | 'complete') => () => actions.resolveTask(asked!, choice);
  const control = (command: 'resume' | 'stop' | 'replan') => () => actions.controlRun(command);
  return (
    <>
      <Offers
        disabled={disabled}
        of={[
          {
            icon: 'retry',
            text: `Retry ${asked}`,
            act: resolve('retry'),
            isShown: allowed.includes('retry'),
            isMain: true,
          },
          {
            icon: 'done',
            text: 'Completed by hand',
            act: resolve('complete'),
            isShown: allowed.includes('complete'),
          },
          {
            icon: 'play',
            text: run.pausing ? 'Withdraw the pause' : 'Resume run',
            act: control('resume'),
            isShown: run.state === 'paused' || run.pausing,
            isMain: asked === null,
          },
          { icon: 'retry', text: 'Replan', act: control('replan') },
          {
            icon: 'pause',
            text: 'Pause run',
            act: () => actions.pause(false),
            isShown: isStarted && !run.pausing,
          },
          {
            icon: 'stop',
            text: 'Pause immediately',
            act: () => actions.pause(true),
            isShown: isStarted,
          },
        ]}
      />
      <ConfirmButton
        label="Stop run"
        confirm="Confirm stop"
        disabled={disabled}
        act={control('stop')}
      />
    </>
  );
}

/** The buttons of the open definition or run: those that its state allows. */
export function RunControls({ state, actions }: WorkflowProps) {
  const withArm = useSignal(true);
  const { workflow_id, text } = state.draft.value;
  const run = state.run.value;
  const isLive = run !== null && run.state !== 'stopped';
  // A run is controlled also where its definition is deleted.
  const isOpen = isLive || workflow_id !== null || text !== '';
  if (state.mode.value === 'library' || !isOpen) return null;
  if (isLive) return <LiveControls state={state} actions={actions} />;
  const problem = definitionProblem(state.checks.value);
  const common = { disabled: state.busy.value || problem !== '', title: problem || undefined };
  const isShown = state.problem.value?.includes('The deck differs') ?? false;
  const start = (deck?: StartRunBody['deck']) => () => actions.start(withArm.value, deck);
  return (
    <>
      <Offers {...common} of={[{ icon: 'workflow', text: 'Plan', act: () => actions.plan() }]} />
      <FlagField label="move the arm" {...bind(withArm)} />
      <Offers
        {...common}
        of={[
          { icon: 'play', text: 'Start run', act: start(), isMain: !isShown },
          {
            icon: 'play',
            text: 'Start from the deck',
            act: start('as_found'),
            isShown,
            isMain: true,
          },
          {
            icon: 'play',
            text: 'Start: labware stands as defined',
            act: start('as_defined'),
            isShown,
          },
        ]}
      />
    </>
  );
}
