/**
 * Snapshots of the twin (save, restore, download, import), its recording, and reset by scope. Also:
 * the twin's clock.
 */
import type { ArmClient } from '../../contract/client.ts';
import { resolved, schemaOf } from '../../contract/schemas.ts';
import type {
  NamedState,
  RecordingReply,
  ResetScope,
  RobotStateName,
  SimClock,
  StateFile,
} from '../../contract/types.ts';
import { button, element, heading, icon, setAttribute, setText } from '../panels/element.ts';
import { filePicker, saveFile } from '../panels/form.ts';
import { clockRateText, decimal } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel, ValueInput } from './form-inputs.ts';
import { createRowList, numberInput, readableName, selectInput, textInput } from './form-inputs.ts';

/** The twin's clock: pause and resume, pace, and stepping by ticks, by seconds or to a state. */

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

function line(...children: readonly (Node | string)[]): HTMLElement {
  return element('div', { class: 'simulation-line' }, ...children);
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
    line(
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
    line(
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
    line(pause, paces.element),
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

const BYTES_PER_KB = 1000;
const JSON_TYPE = { type: 'application/json' };

/** The state of the recording in words. */
export function recordingText({ recording, bytes, truncated }: RecordingReply): string {
  if (!recording && bytes === 0) return 'Nothing is recorded.';
  const size = `${decimal(bytes / BYTES_PER_KB, 1)} kB`;
  if (truncated) return `The size limit was reached at ${size}; the recording ends there.`;
  return recording ? `Recording, ${size}.` : `Stopped, ${size}.`;
}

/** The panel that records the twin for `armtwin replay`. */
export function createRecordingPanel({ calls }: SimulationContext): SimulationPanel {
  const status = element('p', { role: 'status' });
  const start = button({ class: 'primary' }, () => void run('startRecording'), 'Start recording');
  const stop = button({ class: 'plain' }, () => void run('stopRecording'), 'Stop');
  const save = button({ class: 'plain' }, () => void download(), 'Download recording');
  function show(state: RecordingReply): void {
    setText(status, recordingText(state));
    setAttribute(stop, 'disabled', !state.recording);
    setAttribute(save, 'disabled', state.bytes === 0);
  }
  async function run(call: 'startRecording' | 'stopRecording'): Promise<void> {
    const outcome = await calls.run((client) => client[call]());
    if (outcome) show(outcome.reply);
  }
  async function download(): Promise<void> {
    const outcome = await calls.run((client) => client.getTape());
    if (outcome) saveFile('recording.jsonl', new Blob([outcome.reply.tape], JSON_TYPE));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Recording' },
    heading('Recording').element,
    element('div', { class: 'simulation-line' }, start, stop, save),
    status,
  );
  return {
    element: panel,
    update: () => undefined,
    async refresh() {
      const state = await calls.query((client) => client.getRecording());
      if (state) show(state);
    },
  };
}

/** Parses a snapshot file; the server validates the result. */
function parseSnapshotFile(text: string): StateFile {
  try {
    return JSON.parse(text) as StateFile;
  } catch {
    return {} as StateFile;
  }
}

/** The panel of snapshots. */
export function createSnapshotsPanel({ calls }: SimulationContext): SimulationPanel {
  const name = textInput('Name', 'before');
  const removeAll = () => refreshAfter(calls.run((client) => client.forgetStates()));
  const all = button({ class: 'plain' }, removeAll, 'Delete all');
  const rows = createRowList('No snapshots yet.', all);
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listStates());
    if (reply) rows.set(JSON.stringify(reply.states), () => reply.states.map(row));
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  async function download(snapshot: string): Promise<void> {
    const outcome = await calls.run((client) => client.exportState({ name: snapshot }));
    if (outcome)
      saveFile(`${snapshot}.state.json`, new Blob([JSON.stringify(outcome.reply)], JSON_TYPE));
  }
  const rowButton = (text: string, snapshot: string, onClick: () => void) =>
    button({ class: 'plain', 'aria-label': `${text} ${snapshot}` }, onClick, text);
  const row = ({ name: snapshot, tick, state }: NamedState): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'grow' }, snapshot),
      element('span', { class: 'sub' }, `tick ${tick}, ${state.replaceAll('_', ' ')}`),
      rowButton('Restore', snapshot, () => {
        refreshAfter(calls.run((client) => client.restoreState({ name: snapshot })));
      }),
      rowButton('Download', snapshot, () => void download(snapshot)),
    );
  const picker = filePicker({
    onText: (_name, text) =>
      refreshAfter(calls.run((client) => client.importState(parseSnapshotFile(text)))),
    onProblem: calls.showProblem,
  });
  const save = () =>
    refreshAfter(calls.run((client) => client.keepState({ name: name.read() ?? 'state' })));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Snapshots' },
    heading('Snapshots').element,
    element(
      'div',
      { class: 'simulation-line' },
      name.element,
      button({ class: 'primary' }, save, 'Save'),
      button({ class: 'plain' }, () => picker.click(), 'Open file'),
      picker,
      all,
    ),
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}

/** The panel that resets parts of the twin to their initial state. */
export function createResetPanel({ calls }: SimulationContext): SimulationPanel {
  const scopes = resolved(schemaOf('ResetScope')).enum as readonly ResetScope[];
  const boxes = scopes.map((scope) => {
    const box = element('input', { type: 'checkbox', checked: scope === 'state' });
    return {
      scope,
      box,
      element: element('label', { class: 'simulation-check' }, box, readableName(scope)),
    };
  });
  function reset(): void {
    const selected = boxes.filter(({ box }) => box.checked).map(({ scope }) => scope);
    if (selected.length > 0) void calls.run((client) => client.resetTwin({ scopes: selected }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Reset' },
    heading('Reset').element,
    element('div', { class: 'simulation-checks' }, ...boxes.map((box) => box.element)),
    button({ class: 'plain' }, reset, 'Reset selected'),
  );
  return { element: panel, update: () => undefined };
}
