/** The twin's clock: pause and resume, pace, and stepping by ticks, by seconds or to a state. */
import { useComputed, useSignal } from '@preact/signals';
import type { ArmClient } from '../../../contract/client.ts';
import { resolved, schemaOf } from '../../../contract/schemas.ts';
import type { RobotStateName, SimClock } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { bind, Choice, ChoiceField, NumberField } from '../../ui/fields.tsx';
import { clockRateText, decimal } from '../../ui/value-text.ts';
import type { PanelProps } from './panel-context.ts';
import { readableName } from './readable-name.ts';
import { Section } from './section.tsx';

const PACES = ['0.1', '0.5', '1', '2', '5', '10', '50', 'max', 'stepped'];
const STATE_NAMES = resolved(schemaOf('RobotStateName')).enum as readonly RobotStateName[];
const STATES = STATE_NAMES.map((name) => [name, readableName(name)] as const);

/** Converts an option's value to a pace of the API. */
function parsePace(text: string): SimClock['pace'] {
  return text === 'max' || text === 'stepped' ? text : Number(text);
}

function paceLabel(pace: string): string {
  return Number.isNaN(Number(pace)) ? readableName(pace) : `${pace}×`;
}

/** Controls that advance twin time by ticks, by seconds, or until a state is reached. */
function StepControls({ context: { calls } }: PanelProps) {
  const ticks = useSignal<number | undefined>(1);
  const seconds = useSignal<number | undefined>(1);
  const limit_s = useSignal<number | undefined>(60);
  const state = useSignal<string>(STATE_NAMES[0]!);
  const message = useSignal('');
  /** Sends a number; what is none is named and sends nothing. */
  async function send<Reply extends { readonly clock: SimClock } | SimClock>(
    value: number | undefined,
    name: string,
    call: (client: ArmClient, value: number) => Promise<Reply>,
  ): Promise<Reply | null> {
    message.value = value === undefined ? `${name} must be a number.` : '';
    if (value === undefined) return null;
    const outcome = await calls.run((client) => call(client, value));
    if (!outcome) return null;
    const { reply } = outcome;
    calls.patchView({ clock: 'clock' in reply ? reply.clock : reply });
    return reply;
  }
  async function runUntil(): Promise<void> {
    const wanted = state.value as RobotStateName;
    const reply = await send(limit_s.value, 'The time limit', (client, value) =>
      client.runUntil({ state: wanted, limit_s: value }),
    );
    if (!reply) return;
    const result = reply.reached ? 'was reached' : 'was not reached within the time limit';
    message.value = `${readableName(wanted)} ${result}.`;
  }
  const step = () =>
    send(ticks.value, 'The number of ticks', (client, value) => client.stepClock({ ticks: value }));
  const advance = () =>
    send(seconds.value, 'The number of seconds', (client, value) =>
      client.advanceClock({ seconds: value }),
    );
  return (
    <>
      <div class="form-line">
        <NumberField label="Ticks of 4 ms" min={1} whole {...bind(ticks)} />
        <Button onClick={step}>Step</Button>
        <NumberField label="Seconds" min={0} {...bind(seconds)} />
        <Button onClick={advance}>Advance</Button>
      </div>
      <div class="form-line">
        <ChoiceField label="State" options={STATES} {...bind(state)} />
        <NumberField label="Time limit, s" min={0} {...bind(limit_s)} />
        <Button onClick={runUntil}>Run until</Button>
      </div>
      <p class="simulation-result" role="status">
        {message}
      </p>
    </>
  );
}

/** The panel of the clock. */
export function ClockPanel({ context }: PanelProps) {
  const { calls, arm } = context;
  const clock = useComputed(() => arm.value.sim?.clock).value;
  if (!clock) return null;
  const pace = String(clock.pace);
  const paces = PACES.includes(pace) ? PACES : [...PACES, pace];
  async function setClock(body: Parameters<ArmClient['setClock']>[0]): Promise<boolean> {
    const outcome = await calls.run((client) => client.setClock(body));
    if (outcome) calls.patchView({ clock: outcome.reply });
    return outcome !== null;
  }
  // The second click of a double click, often behind the reply, takes nothing back.
  const toggle = ({ detail }: MouseEvent) => detail < 2 && setClock({ paused: !clock.paused });
  return (
    <Section name="Clock" end={<span class="end">{clockRateText(clock)}</span>}>
      <div class="simulation-now">
        <span class="simulation-time">{decimal(clock.now_s, 3)} s</span>
        <span class="sub">
          tick {clock.tick}, {clock.date.replace('T', ' ').slice(0, 23)}
        </span>
      </div>
      <div class="form-line">
        <Button class="primary" onClick={toggle}>
          <Icon name="pause" />
          <span>{clock.paused ? 'Resume clock' : 'Pause clock'}</span>
        </Button>
        <Choice
          label="Pace"
          options={paces.map((each) => [each, paceLabel(each)])}
          value={pace}
          set={(wanted) => setClock({ pace: parsePace(wanted) })}
        />
      </div>
      <StepControls context={context} />
    </Section>
  );
}
