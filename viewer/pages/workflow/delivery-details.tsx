/** The details of a delivery: attempts, body, and the command that sends it again. */
import { useSignal } from '@preact/signals';
import type { Delivery } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Table } from '../../ui/table.tsx';
import { timeOfDayText } from '../../ui/value-text.ts';
import { bodyLines, curlText, deliveryStatus, hookText } from './delivery-text.ts';
import { Facts, Section } from './inspector-section.tsx';
import type { WorkflowProps } from './workflow-props.ts';

/** The attempts of a delivery as a table. */
function AttemptsTable({ attempts }: Pick<Delivery, 'attempts'>) {
  const isGood = (status: number | null) => status !== null && status >= 200 && status < 300;
  return (
    <Table
      class="work-table"
      caption="Attempts"
      of={attempts}
      id={({ at }) => at}
      columns={{
        When: ({ at }) => timeOfDayText(new Date(at)),
        Answer: ({ status, error }) => (
          <span class={isGood(status) ? undefined : 'bad'}>{status ?? error}</span>
        ),
        Took: ({ duration_ms }) => `${Math.round(duration_ms)} ms`,
      }}
    />
  );
}

/** A button that copies a text, and says whether it could. */
function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const said = useSignal(label);
  async function copy(): Promise<void> {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    said.value = done ? 'Copied' : 'The browser blocks copying';
  }
  return <Button onClick={copy}>{said}</Button>;
}

/** The details. */
export function DeliveryDetails({
  delivery,
  state,
  actions,
}: WorkflowProps & { readonly delivery: Delivery }) {
  const { text, icon, tone } = deliveryStatus(delivery, state.deliveries.value);
  const { id, url, message_id, hook_type, body, attempts } = delivery;
  return (
    <>
      <Section title="Delivery" end={`no. ${id}`}>
        <p class="inspect-title">
          <b>{hookText(hook_type)}</b>
          <span class="pill" data-tone={tone}>
            <Icon name={icon} />
            {text}
          </span>
        </p>
        <Facts
          of={[
            ['To', url],
            ['Message id', message_id],
            ['Event', `${delivery.sequence} of this run`],
          ]}
        />
      </Section>
      <Section title="Attempts" end={`${attempts.length}`}>
        <AttemptsTable attempts={attempts} />
      </Section>
      <Section title="Body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend */}
        <pre class="body-text" role="group" tabIndex={0} aria-label="Body">
          {bodyLines(body)}
        </pre>
      </Section>
      <div class="inspect-actions">
        <Button
          class="primary"
          disabled={delivery.state === 'pending'}
          onClick={() => actions.redeliver(id)}
        >
          <Icon name="retry" />
          Send again
        </Button>
        <CopyButton key={`body ${id}`} label="Copy body" text={body} />
        <CopyButton key={`curl ${id}`} label="Copy as curl" text={curlText(delivery)} />
      </div>
    </>
  );
}
