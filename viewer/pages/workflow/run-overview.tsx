import type { WorkflowPlan } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Empty } from '../../ui/empty.tsx';
import { idsText } from './delivery-text.ts';
import { Facts, Section, Sentences } from './inspector-section.tsx';
import { durationText, runHeadText } from './run-figures.ts';
import { lateTexts, waitingGroups } from './waiting-text.ts';
import type { WorkflowProps } from './workflow-props.ts';

function PlanSection({ plan }: { readonly plan: WorkflowPlan }) {
  const { id, makespan, lower_bound, transports, cycle } = plan;
  return (
    <Section title="Plan" end={`no. ${id}`}>
      <Facts
        of={[
          ['Makespan', durationText(makespan)],
          ['Lower bound', durationText(lower_bound)],
          ['Moves', String(transports.length)],
          ...(cycle ? [['Period', durationText(cycle.period_s)] as const] : []),
        ]}
      />
    </Section>
  );
}

/** Executions with scattered durations: their ends, and how often each limit holds. */
function RobustnessSection({ state, actions }: WorkflowProps) {
  const robustness = state.robustness.value;
  if (robustness === null) {
    return (
      <Section title="Robustness">
        <Button onClick={() => actions.robustness()}>
          <Icon name="workflow" />
          Try 1,000 executions
        </Button>
      </Section>
    );
  }
  const percent = (share: number) => `holds in ${(100 * share).toFixed(1)} %`;
  return (
    <Section title="Robustness" end={`${robustness.executions.toLocaleString('en')} executions`}>
      <Facts
        of={[
          ['Planned end', durationText(robustness.planned_makespan_s)],
          ['Expected end', durationText(robustness.mean_makespan_s)],
          ['Nine of ten end by', durationText(robustness.p90_makespan_s)],
          ...robustness.limits.map(({ id, holds }) => [id, percent(holds)] as const),
        ]}
      />
    </Section>
  );
}

/** What is known of the plan or run as a whole. */
export function RunOverview({ state, actions }: WorkflowProps) {
  const run = state.run.value;
  const preview = state.preview.value;
  const plan = run ? run.plan : preview;
  const late = lateTexts(run);
  const waiting = run?.waiting ?? [];
  const isEmpty = !run?.message && !plan && late.length === 0 && waiting.length === 0;
  return (
    <>
      {run?.message && (
        <Section title="Run">
          <p>
            <bdi>{runHeadText(run)}</bdi>
          </p>
        </Section>
      )}
      {plan && <PlanSection plan={plan} />}
      {preview && !run && <RobustnessSection state={state} actions={actions} />}
      {late.length > 0 && (
        <Section title="Late" end={`${late.length}`}>
          <Sentences of={late} />
        </Section>
      )}
      {waiting.length > 0 && (
        <Section title="Waiting" end={`${waiting.length}`}>
          <ul>
            {waitingGroups(waiting).map(([reason, ids]) => (
              <li key={reason}>
                <b>
                  <bdi>{idsText(ids)}</bdi>
                </b>
                <span>: {reason}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {isEmpty && (
        <Section title="Details">
          <Empty>Select a bar or a delivery to see its details.</Empty>
        </Section>
      )}
    </>
  );
}
