/** The twin's clock: pause, pace, and the passing of time on demand. */

import { resolved, schemaOf } from '../../contract/schemas.ts';
import type { RobotStateName, SimClock } from '../../contract/types.ts';
import { clockWords } from '../panels/clock-words.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { heading } from '../panels/panel.ts';
import { decimal } from '../panels/value-text.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { choiceEntry, numberEntry } from './entries.ts';
import { plainWords } from './schema-form.ts';

const PACES = ['0.1', '0.5', '1', '2', '5', '10', '50', 'max', 'stepped'] as const;

/** A pace as the wire has it. */
function paceOf(text: string): SimClock['pace'] {
  return text === 'max' || text === 'stepped' ? text : Number(text);
}

function paceWords(pace: string): string {
  return Number.isNaN(Number(pace)) ? plainWords(pace) : `${pace}×`;
}

function paceChooser({ calls }: BenchParts) {
  const field = element('select', { class: 'field', 'aria-label': 'Pace' });
  const offered: string[] = [...PACES];
  field.append(...offered.map((pace) => element('option', { value: pace }, paceWords(pace))));
  field.addEventListener('change', async () => {
    const done = await calls.act((client) => client.setClock({ pace: paceOf(field.value) }));
    if (done) calls.setClock(done.reply);
  });
  return {
    element: field,
    show(pace: string): void {
      if (document.activeElement === field) return;
      if (!offered.includes(pace)) {
        offered.push(pace);
        field.append(element('option', { value: pace }, paceWords(pace)));
      }
      field.value = pace;
    },
  };
}

function line(...parts: readonly (Node | string)[]): HTMLElement {
  return element('div', { class: 'bench-line' }, ...parts);
}

/** Rows that let twin time pass: ticks, seconds, until a state. */
function passing({ calls }: BenchParts): readonly HTMLElement[] {
  const ticks = numberEntry('Ticks of 4 ms', { value: 1, low: 1, step: 1 });
  const seconds = numberEntry('Seconds', { value: 1, low: 0 });
  const limit = numberEntry('Within, s', { value: 60, low: 0 });
  const names = resolved(schemaOf('RobotStateName')).enum as readonly RobotStateName[];
  const states = names.map((name) => [name, plainWords(name)] as const);
  const state = choiceEntry('State', states);
  const said = element('p', { class: 'bench-said', role: 'status' });
  async function pass(call: Parameters<typeof calls.act<SimClock>>[0]): Promise<void> {
    const done = await calls.act(call);
    if (done) calls.setClock(done.reply);
  }
  async function until(): Promise<void> {
    const wanted = state.read() as RobotStateName;
    const body = { state: wanted, limit_s: limit.read() ?? 0 };
    const done = await calls.act((client) => client.runUntil(body));
    if (!done) return;
    calls.setClock(done.reply.clock);
    const words = done.reply.reached ? 'was reached' : 'was not reached within the limit';
    setText(said, `${plainWords(wanted)} ${words}.`);
  }
  const act = (words: string, press: () => void) => button({ class: 'plain' }, press, words);
  return [
    line(
      ticks.element,
      act('Step', () => void pass((client) => client.stepClock({ ticks: ticks.read() ?? 1 }))),
      seconds.element,
      act('Advance', () => {
        void pass((client) => client.advanceClock({ seconds: seconds.read() ?? 0 }));
      }),
    ),
    line(
      state.element,
      limit.element,
      act('Run until', () => void until()),
    ),
    said,
  ];
}

/** The panel of the clock. */
export function createClockPanel(parts: BenchParts): BenchPanel {
  const factor = element('span', { class: 'end' });
  const now = element('span', { class: 'bench-time' });
  const date = element('span', { class: 'sub' });
  const words = element('span');
  const hold = button({ class: 'primary' }, () => void flip(), icon('pause'), words);
  const paces = paceChooser(parts);
  let paused = false;
  async function flip(): Promise<void> {
    const done = await parts.calls.act((client) => client.setClock({ paused: !paused }));
    if (done) parts.calls.setClock(done.reply);
  }
  const panel = element(
    'section',
    { class: 'panel bench-clock', 'aria-label': 'Clock' },
    heading('Clock', factor).element,
    element('div', { class: 'bench-now' }, now, date),
    line(hold, paces.element),
    ...passing(parts),
  );
  return {
    element: panel,
    update({ sim }) {
      if (!sim) return;
      const { clock } = sim;
      paused = clock.paused;
      setText(factor, clockWords(clock));
      setText(now, `${decimal(clock.now_s, 3)} s`);
      setText(date, `tick ${clock.tick}, ${clock.date.replace('T', ' ').slice(0, 23)}`);
      setText(words, paused ? 'Run time' : 'Pause time');
      setAttribute(hold, 'aria-pressed', String(paused));
      hold.firstElementChild?.replaceWith(icon(paused ? 'play' : 'pause'));
      paces.show(String(clock.pace));
    },
  };
}
