/** The head of the Workflow page: what is open, its figures, which view, and the run's controls. */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { confirmButton } from '../panels/form.ts';
import { type IconName, icon } from '../panels/icons.ts';
import { deliveryWords, durationText, runFigures } from './run-figures.ts';
import type { WorkActs } from './workflow-acts.ts';
import {
  isChanged,
  type WorkMode,
  type WorkPanel,
  type WorkStore,
  type WorkView,
} from './workflow-store.ts';

const MODES: readonly (readonly [WorkMode, string])[] = [
  ['library', 'All'],
  ['json', 'JSON'],
  ['run', 'Plan and run'],
];

function figure(name: string) {
  const value = element('dd');
  const box = element('div', { class: 'figure' }, element('dt', {}, name), value);
  return {
    element: box,
    set(text: string | null): void {
      box.hidden = text === null;
      setText(value, text ?? '');
    },
    tone(tone: string | undefined): void {
      setAttribute(box, 'data-tone', tone);
    },
  };
}

function figures() {
  const [elapsed, left, behind, tasks, sent] = [
    ...['Elapsed', 'Left, planned', 'Behind plan', 'Tasks', 'Deliveries'].map(figure),
  ] as [Figure, Figure, Figure, Figure, Figure];
  const all = [elapsed, left, behind, tasks, sent];
  return {
    element: element('dl', { class: 'figures' }, ...all.map((one) => one.element)),
    update({ run, first, preview, deliveries }: WorkView): void {
      if (!run) {
        for (const one of all) one.set(null);
        if (!preview) return;
        left.set(durationText(preview.makespan));
        tasks.set(`${Object.keys(preview.tasks).length}`);
        return;
      }
      const told = runFigures(run, first);
      elapsed.set(durationText(told.elapsed_s));
      left.set(told.left_s === null ? null : durationText(told.left_s));
      behind.set(told.behind_s >= 1 ? durationText(told.behind_s) : null);
      behind.tone('warn');
      tasks.set(`${told.done} of ${told.tasks}`);
      sent.set(deliveryWords(deliveries));
    },
  };
}

type Figure = ReturnType<typeof figure>;

function act(name: IconName, words: string, does: () => void): HTMLButtonElement {
  return button({ class: 'plain' }, does, icon(name), element('span', {}, words));
}

/** The buttons that steer a run; each shows only where the run's state allows it. */
function controls(acts: WorkActs) {
  const withArm = element('input', { type: 'checkbox', checked: true });
  const armed = element('label', { class: 'with-arm' }, withArm, 'move the arm');
  const run = button(
    { class: 'primary' },
    () => void acts.start(withArm.checked),
    icon('play'),
    element('span', {}, 'Start run'),
  );
  const plan = act('workflow', 'Plan', () => void acts.plan());
  const pause = act('pause', 'Pause run', () => void acts.pause(false));
  const halt = act('stop', 'Pause at once', () => void acts.pause(true));
  const resume = button(
    { class: 'primary' },
    () => void acts.steer('resume'),
    icon('play'),
    element('span', {}, 'Resume run'),
  );
  const replan = act('retry', 'Plan anew', () => void acts.steer('replan'));
  const stop = confirmButton('Stop run', 'Stop for good', () => void acts.steer('stop'));
  const all = [plan, armed, run, replan, pause, halt, resume, stop];
  return {
    elements: all,
    update(view: WorkView): void {
      const { run: of, workflow_id, text, busy, mode } = view;
      const live = of !== null && of.state !== 'stopped';
      const open = mode !== 'library' && (workflow_id !== null || text !== '');
      for (const one of [plan, armed, run]) one.hidden = live || !open;
      for (const one of [replan, stop]) one.hidden = !live || !open;
      for (const one of [pause, halt]) one.hidden = !open || of?.state !== 'started';
      resume.hidden = !open || of?.state !== 'paused';
      for (const one of all)
        if (one instanceof HTMLButtonElement) setAttribute(one, 'disabled', busy);
    },
  };
}

const RUN_TONES = { started: 'run', paused: 'warn', stopped: 'quiet' } as const;
const RUN_WORDS = { started: 'Running', paused: 'Paused', stopped: 'Stopped' } as const;

function titleOf({ name, text }: WorkView): string {
  return name || (text ? 'Without a name' : 'Workflows');
}

function subtitleOf(view: WorkView): string {
  const { run, workflow_id, text } = view;
  if (text && isChanged(view)) return workflow_id === null ? 'not saved' : 'changed, not saved';
  if (run) return `run ${run.id}`;
  return workflow_id === null ? '' : `workflow ${workflow_id}`;
}

/** The page's head. */
export function createRunHeader(store: WorkStore, acts: WorkActs): WorkPanel {
  const title = element('bdi', { class: 'title work-name' });
  const sub = element('span', { class: 'sub' });
  const state = element('span', { class: 'pill', role: 'status' });
  const told = figures();
  const steer = controls(acts);
  const problem = element('p', { class: 'work-problem', role: 'alert' });
  const modes = MODES.map(([mode, words]) => ({
    mode,
    chip: button({ class: 'chip' }, () => store.set({ mode }), words),
  }));
  const chips = modes.map(({ chip }) => chip);
  const head = element(
    'div',
    { class: 'work-head', role: 'group', 'aria-label': 'Workflow and run' },
    element('div', { class: 'work-title' }, element('h2', {}, title), sub),
    state,
    told.element,
    element('span', { class: 'rail-space' }),
    element('div', { class: 'choice', role: 'group', 'aria-label': 'View' }, ...chips),
    element('div', { class: 'work-acts' }, ...steer.elements),
    problem,
  );
  return {
    element: head,
    update(view) {
      setText(title, titleOf(view));
      setText(sub, subtitleOf(view));
      state.hidden = view.run === null;
      if (view.run) {
        setText(state, RUN_WORDS[view.run.state]);
        setAttribute(state, 'data-tone', RUN_TONES[view.run.state]);
      }
      told.update(view);
      steer.update(view);
      setText(problem, view.problem ?? '');
      problem.hidden = view.problem === null;
      for (const { mode, chip } of modes) {
        setAttribute(chip, 'aria-pressed', String(mode === view.mode));
        const nothing = view.workflow_id === null && view.text === '' && view.run === null;
        setAttribute(chip, 'disabled', mode !== 'library' && nothing);
      }
    },
  };
}
