import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import type { StrokeName } from '../../ui/icon.ts';
import { ChoicesTable } from './choices-table.tsx';
import { type GanttBar, LATE_THRESHOLD_S, lateness_s, type TimeSpan } from './gantt-rows.ts';
import { Facts, Section, Sentences } from './inspector-section.tsx';
import { type Resolution, resolutionsOf } from './resolutions.ts';
import { durationText } from './run-figures.ts';
import { reasonsOf } from './waiting-text.ts';
import type { WorkflowProps } from './workflow-props.ts';

const STATE_TEXT: Record<GanttBar['state'], string> = {
  planned: 'Planned',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

const RESOLUTIONS: readonly (readonly [Resolution, StrokeName, string])[] = [
  ['retry', 'retry', 'Retry'],
  ['complete', 'done', 'Completed by hand'],
  ['skip', 'skip', 'Skip'],
];

/** What the definition of a failed task allows, as buttons; the first is the main one. */
function Failure({ state, actions, id }: WorkflowProps & { readonly id: string }) {
  const allowed = resolutionsOf(state.definition.value, id);
  const choices = state.choices.value;
  return (
    <>
      <div class="inspect-actions">
        {RESOLUTIONS.filter(([choice]) => allowed.includes(choice)).map(
          ([choice, icon, text], i) => (
            <Button
              key={choice}
              class={i === 0 ? 'primary' : 'plain'}
              onClick={() => actions.resolveTask(id, choice)}
            >
              <Icon name={icon} />
              {text}
            </Button>
          ),
        )}
        <Button onClick={() => actions.compareChoices(id)}>Compare the choices</Button>
      </div>
      {choices?.task_id === id && (
        <Section title="Choices">
          <ChoicesTable choices={choices.list} />
        </Section>
      )}
    </>
  );
}

/** What is known of a bar, by name. */
function factsOf(bar: GanttBar, where: string): (readonly [name: string, value: string])[] {
  const { kind, planned, shown, state, error } = bar;
  const span = ({ from_s, to_s }: TimeSpan) => `${durationText(from_s)} to ${durationText(to_s)}`;
  const isMoved = planned !== null && planned.from_s !== shown.from_s;
  const late_s = lateness_s(bar);
  const facts: (readonly [name: string, value: string | false])[] = [
    ['State', STATE_TEXT[state]],
    [kind === 'task' ? 'Instrument' : 'By', where],
    ['Planned', planned !== null && span(planned)],
    ['Actual', state !== 'planned' && span(shown)],
    ['Now', state === 'planned' && isMoved && span(shown)],
    ['Late by', late_s > LATE_THRESHOLD_S && durationText(late_s)],
    ['Error', error],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

interface BarDetailsProps extends WorkflowProps {
  readonly bar: GanttBar;
  /** Name of its row. */
  readonly where: string;
}

/** The details of a task or a move. */
export function BarDetails({ bar, where, state, actions }: BarDetailsProps) {
  const isTask = bar.kind === 'task';
  const id = bar.key.slice('task/'.length);
  const run = state.run.value;
  const reasons = reasonsOf(run, id);
  return (
    <>
      <Section title={isTask ? 'Task' : 'Move'}>
        <p class="inspect-title">
          <b>
            <bdi>{bar.label}</bdi>
          </b>
        </p>
        <Facts of={factsOf(bar, where)} />
      </Section>
      {reasons.length > 0 && (
        <Section title="Waiting for">
          <Sentences of={reasons} />
        </Section>
      )}
      {isTask && bar.state === 'failed' && run?.state === 'paused' && (
        <Failure state={state} actions={actions} id={id} />
      )}
    </>
  );
}
