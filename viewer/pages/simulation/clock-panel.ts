/** The twin's clock: pause and resume, pace, and stepping by ticks, by seconds or to a state. */

import type { ArmClient } from '../../../contract/client.ts';
import { resolved, schemaOf } from '../../../contract/schemas.ts';
import type { RobotStateName, SimClock } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { inputLine, numberInput, selectInput, type ValueInput } from '../../ui/value-input.ts';
import { clockRateText, decimal } from '../../ui/value-text.ts';
import { readableName } from './schema-form.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

const PACES = ['0.1', '0.5', '1', '2', '5', '10', '50', 'max', 'stepped'] as const;

/** Converts an option's value to a pace of the API. */
function parsePace(text: string): SimClock['pace'] {
  return text === 'max' || text === 'stepped' ? text : Number(text);
}

function paceLabel(pace: string): string {
  return Number.isNaN(Number(pace)) ? readableName(pace) : `${pace}×`;
}

function paceSelect({ calls }: SimulationContext) {
  const field = element('select', { class: 'field', 'aria-label': 'Pace' });
  const offered: string[] = [...PACES];
  field.append(...offered.map((pace) => element('option', { value: pace }, paceLabel(pace))));
  field.addEventListener('change', async () => {
    const outcome = await calls.run((client) => client.setClock({ pace: parsePace(field.value) }));
    if (outcome) calls.setClock(outcome.reply);
  });
  return {
    element: field,
    show(pace: string): void {
      if (document.activeElement === field) return;
      if (!offered.includes(pace)) {
        offered.push(pace);
        field.append(element('option', { value: pace }, paceLabel(pace)));
      }
      field.value = pace;
    },
  };
}

/** Controls that advance twin time by ticks, by seconds, or until a state is reached. */
function stepControls({ calls }: SimulationContext): readonly HTMLElement[] {
  const ticks = numberInput('Ticks of 4 ms', { value: 1, min: 1, whole: true });
  const seconds = numberInput('Seconds', { value: 1, min: 0 });
  const limit = numberInput('Time limit, s', { value: 60, min: 0 });
  const names = resolved(schemaOf('RobotStateName')).enum as readonly RobotStateName[];
  const states = names.map((name) => [name, readableName(name)] as const);
  const state = selectInput('State', states);
  const message = element('p', { class: 'simulation-result', role: 'status' });
  /** Sends the number of an input; what is no number is named and sends nothing. */
  async function advance(
    { read }: ValueInput<number>,
    name: string,
    call: (client: ArmClient, value: number) => Promise<SimClock>,
  ): Promise<void> {
    const value = read();
    setText(message, value === undefined ? `${name} must be a number.` : '');
    const outcome = value !== undefined && (await calls.run((client) => call(client, value)));
    if (outcome) calls.setClock(outcome.reply);
  }
  async function runUntil(): Promise<void> {
    const wanted = state.read() as RobotStateName;
    const limit_s = limit.read();
    setText(message, limit_s === undefined ? 'The time limit must be a number.' : '');
    if (limit_s === undefined) return;
    const body = { state: wanted, limit_s };
    const outcome = await calls.run((client) => client.runUntil(body));
    if (!outcome) return;
    calls.setClock(outcome.reply.clock);
    const result = outcome.reply.reached ? 'was reached' : 'was not reached within the time limit';
    setText(message, `${readableName(wanted)} ${result}.`);
  }
  const plainButton = (label: string, onClick: () => void) =>
    button({ class: 'plain' }, onClick, label);
  return [
    inputLine(
      ticks.element,
      plainButton(
        'Step',
        () =>
          void advance(ticks, 'The number of ticks', (client, value) =>
            client.stepClock({ ticks: value }),
          ),
      ),
      seconds.element,
      plainButton('Advance', () => {
        void advance(seconds, 'The number of seconds', (client, value) =>
          client.advanceClock({ seconds: value }),
        );
      }),
    ),
    inputLine(
      state.element,
      limit.element,
      plainButton('Run until', () => void runUntil()),
    ),
    message,
  ];
}

/** The panel of the clock. */
export function createClockPanel(context: SimulationContext): SimulationPanel {
  const rate = element('span', { class: 'end' });
  const now = element('span', { class: 'simulation-time' });
  const date = element('span', { class: 'sub' });
  const pauseLabel = element('span');
  // The second click of a double click, often behind the reply, takes nothing back.
  const pause = button(
    { class: 'primary' },
    (event) => event.detail < 2 && void togglePause(),
    icon('pause'),
    pauseLabel,
  );
  const paces = paceSelect(context);
  let paused = false;
  async function togglePause(): Promise<void> {
    const outcome = await context.calls.run((client) => client.setClock({ paused: !paused }));
    if (outcome) context.calls.setClock(outcome.reply);
  }
  const panel = element(
    'section',
    { class: 'panel simulation-clock', 'aria-label': 'Clock' },
    heading('Clock', rate).element,
    element('div', { class: 'simulation-now' }, now, date),
    inputLine(pause, paces.element),
    ...stepControls(context),
  );
  return {
    element: panel,
    update({ sim }) {
      if (!sim) return;
      const { clock } = sim;
      paused = clock.paused;
      setText(rate, clockRateText(clock));
      setText(now, `${decimal(clock.now_s, 3)} s`);
      setText(date, `tick ${clock.tick}, ${clock.date.replace('T', ' ').slice(0, 23)}`);
      setText(pauseLabel, paused ? 'Resume clock' : 'Pause clock');
      setAttribute(pause, 'aria-pressed', String(paused));
      pause.firstElementChild?.replaceWith(icon(paused ? 'play' : 'pause'));
      paces.show(String(clock.pace));
    },
  };
}
