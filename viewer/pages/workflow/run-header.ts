/**
 * The header of the Workflow page: the open definition, figures, view switch, and the controls of a
 * run.
 */

import type { RunPrompt } from '../../../contract/types.generated.ts';
import { confirmButton } from '../../ui/confirm-button.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { textInput, type ValueInput } from '../../ui/value-input.ts';
import { unstartedDelay_s } from './gantt-rows.ts';
import { resolutionsOf } from './resolutions.ts';
import {
  deliveryCountText,
  durationText,
  runFigures,
  runStateText,
  waitsSince_s,
} from './run-figures.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowPanel } from './workflow-panel.ts';
import type { WorkflowStore } from './workflow-store.ts';
import { chartView, isChanged, type WorkflowMode, type WorkflowView } from './workflow-view.ts';

const MODES: readonly (readonly [WorkflowMode, string])[] = [
  ['library', 'All'],
  ['json', 'Edit'],
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

function createFigures() {
  const elapsed = figure('Elapsed');
  const left = figure('Remaining, planned');
  const behind = figure('Behind plan');
  const tasks = figure('Tasks');
  const sent = figure('Deliveries');
  const all = [elapsed, left, behind, tasks, sent];
  return {
    element: element('dl', { class: 'figures' }, ...all.map((one) => one.element)),
    update(view: WorkflowView): void {
      const { run, firstPlan, deliveries, events } = view;
      if (!run) {
        for (const one of all) one.set(null);
        // Beside the editor, the figures are those of its text.
        const { preview } = chartView(view);
        if (!preview) return;
        left.set(durationText(preview.makespan));
        tasks.set(`${Object.keys(preview.tasks).length}`);
        return;
      }
      const since = { waitsSince_s: waitsSince_s(run, events) };
      const source = { run, plan: run.plan, firstPlan, instruments: [], ...since };
      const figures = runFigures(run, firstPlan, unstartedDelay_s(source));
      elapsed.set(durationText(figures.elapsed_s));
      left.set(figures.left_s === null ? null : durationText(figures.left_s));
      // While it runs always there: a figure that comes and goes moves the buttons behind it.
      // A run that stopped before its end is not on time.
      const isCut = figures.left_s === null && figures.done < figures.tasks;
      behind.set(isCut ? null : durationText(figures.behind_s));
      behind.tone(figures.behind_s >= 1 ? 'warn' : undefined);
      tasks.set(`${figures.done} of ${figures.tasks}`);
      sent.set(deliveryCountText(deliveries));
    },
  };
}

function actionButton(name: IconName, label: string, does: () => void): HTMLButtonElement {
  return button({ class: 'plain' }, does, icon(name), element('span', {}, label));
}

/** The failed task that a paused run waits for; null for none. */
export function askedTask(run: WorkflowView['run']): string | null {
  if (run?.state !== 'paused') return null;
  return run.tasks.find(({ state }) => state === 'failed')?.id ?? null;
}

/** What a running task asks a person to do first; null for nothing. */
export function promptOf(run: WorkflowView['run']): RunPrompt | null {
  return run?.prompts[0] ?? null;
}

/** A typed result: JSON where it is JSON, such as `true` and `4.5`, else the text itself. */
export function typedResult(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Results of a task by name; those without a value are left out, and the twin says which it needs. */
export function typedResults(
  fields: readonly (readonly [name: string, text: string | undefined])[],
): Record<string, unknown> | undefined {
  const given = fields.flatMap(([name, text]) =>
    text === undefined ? [] : [[name, typedResult(text)] as const],
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/**
 * What a running task asks a person to do, fields for what it has to return, and the button that
 * says it is done.
 */
function promptLine(store: WorkflowStore, actions: WorkflowActions) {
  const text = element('span');
  const results = element('span', { class: 'work-prompt-results' });
  /** The task that the fields are of: what is typed stays while the run goes on. */
  let asks = '';
  let fields: readonly (readonly [name: string, field: ValueInput<string>])[] = [];
  const showFields = (asked: RunPrompt | null) => {
    const now = asked && asked.outputs.length > 0 ? asked.task_id : '';
    if (now === asks) return;
    asks = now;
    fields = (asked?.outputs ?? []).map((name) => [name, textInput(name)] as const);
    results.replaceChildren(...fields.map(([, field]) => field.element));
  };
  const done = button(
    { class: 'primary' },
    () => {
      const asked = promptOf(store.view().run);
      const given = typedResults(fields.map(([name, field]) => [name, field.read()] as const));
      if (asked) void actions.resolveTask(asked.task_id, 'complete', given);
    },
    icon('done'),
    element('span', {}, 'Done'),
  );
  const line = element('p', { class: 'work-prompt', role: 'status' }, text, results, done);
  return {
    element: line,
    update({ run, busy }: WorkflowView): void {
      const asked = promptOf(run);
      line.hidden = asked === null;
      setText(text, asked ? `${asked.instrument_id}, ${asked.task_id}: ${asked.prompt}` : '');
      showFields(asked);
      setAttribute(done, 'disabled', busy);
    },
  };
}

/** What a failed task asks of the operator: the main button retries it. */
function failureControls(store: WorkflowStore, actions: WorkflowActions) {
  const resolve = (choice: 'retry' | 'complete') => {
    const id = askedTask(store.view().run);
    if (id !== null) void actions.resolveTask(id, choice);
  };
  const text = element('span');
  const retry = button({ class: 'primary' }, () => resolve('retry'), icon('retry'), text);
  const complete = actionButton('done', 'Completed by hand', () => resolve('complete'));
  return {
    elements: [retry, complete],
    update(asked: string | null, definition: unknown): void {
      const allowed = asked === null ? [] : resolutionsOf(definition, asked);
      retry.hidden = !allowed.includes('retry');
      complete.hidden = !allowed.includes('complete');
      setText(text, `Retry ${asked ?? ''}`);
    },
  };
}

/** Why the definition cannot be planned or run; empty if it can. */
export function definitionProblem({ checks }: Pick<WorkflowView, 'checks'>): string {
  const { length } = checks.errors;
  if (length === 0) return '';
  return `Fix the ${length === 1 ? 'error' : `${length} errors`} of the definition first`;
}

/** The button that resumes a paused run or withdraws a pause that waits, and its label. */
function resumeButton(actions: WorkflowActions): [HTMLButtonElement, HTMLElement] {
  const label = element('span');
  const press = () => void actions.controlRun('resume');
  return [button({ class: 'primary' }, press, icon('play'), label), label];
}

/** Buttons that control a run; each is shown only if the run's state allows it. */
function controls(store: WorkflowStore, actions: WorkflowActions) {
  const withArm = element('input', { type: 'checkbox', checked: true });
  const armed = element('label', { class: 'with-arm' }, withArm, 'move the arm');
  const run = button(
    { class: 'primary' },
    () => void actions.start(withArm.checked),
    icon('play'),
    element('span', {}, 'Start run'),
  );
  const asDefined = actionButton('play', 'Start: labware stands as defined', () => {
    void actions.start(withArm.checked, 'as_defined');
  });
  const asFound = actionButton('play', 'Start from the deck', () => {
    void actions.start(withArm.checked, 'as_found');
  });
  const plan = actionButton('workflow', 'Plan', () => void actions.plan());
  const pause = actionButton('pause', 'Pause run', () => void actions.pause(false));
  const pauseNow = actionButton('stop', 'Pause immediately', () => void actions.pause(true));
  const [resume, resumeLabel] = resumeButton(actions);
  const replan = actionButton('retry', 'Replan', () => void actions.controlRun('replan'));
  const stop = confirmButton('Stop run', 'Confirm stop', () => void actions.controlRun('stop'));
  const failure = failureControls(store, actions);
  const first = [plan, armed, run, asFound, asDefined, ...failure.elements, resume];
  const all = [...first, replan, pause, pauseNow, stop];
  return {
    elements: all,
    update(view: WorkflowView): void {
      const { run: of, workflow_id, text, busy, mode } = view;
      const live = of !== null && of.state !== 'stopped';
      // A run is controlled also where its definition is deleted.
      const open = mode !== 'library' && (live || workflow_id !== null || text !== '');
      for (const one of [plan, armed, run]) one.hidden = live || !open;
      const differs = view.problem?.includes('The deck differs') ?? false;
      for (const one of [asDefined, asFound]) one.hidden = live || !open || !differs;
      // What is asked of the operator is the main button.
      const asked = open ? askedTask(of) : null;
      failure.update(asked, view.definition);
      setAttribute(run, 'class', differs ? 'plain' : 'primary');
      setAttribute(asFound, 'class', differs ? 'primary' : 'plain');
      setAttribute(resume, 'class', asked === null ? 'primary' : 'plain');
      for (const one of [replan, stop]) one.hidden = !live || !open;
      for (const one of [pause, pauseNow]) one.hidden = !open || of?.state !== 'started';
      const pausing = of?.pausing === true;
      resume.hidden = !open || !(of?.state === 'paused' || pausing);
      pause.hidden ||= pausing;
      setText(resumeLabel, pausing ? 'Withdraw the pause' : 'Resume run');
      for (const one of all)
        if (one instanceof HTMLButtonElement) setAttribute(one, 'disabled', busy);
      const faulty = definitionProblem(view);
      for (const one of [plan, run, asFound, asDefined]) {
        setAttribute(one, 'disabled', busy || faulty !== '');
        setAttribute(one, 'title', faulty || undefined);
      }
    },
  };
}

/** The state of a run that was asked to pause while tasks run. */
const RUN_TONES = { started: 'run', paused: 'warn', stopped: 'quiet' } as const;
function titleOf({ name, text, run }: WorkflowView): string {
  return name || run?.name || (text ? 'Untitled' : 'Workflows');
}

function subtitleOf(view: WorkflowView): string {
  const { run, workflow_id, text } = view;
  if (text && isChanged(view)) return workflow_id === null ? 'not saved' : 'changed, not saved';
  if (run) return `run ${run.id}`;
  return workflow_id === null ? '' : `workflow ${workflow_id}`;
}

/** Creates the header. */
export function createRunHeader(store: WorkflowStore, actions: WorkflowActions): WorkflowPanel {
  const title = element('bdi', { class: 'title work-name' });
  const sub = element('span', { class: 'sub' });
  const state = element('span', { class: 'pill', role: 'status' });
  const figureList = createFigures();
  const runControls = controls(store, actions);
  const problem = element('p', { class: 'work-problem', role: 'alert' });
  const prompt = promptLine(store, actions);
  const modes = MODES.map(([mode, label]) => ({
    mode,
    chip: button({ class: 'chip' }, () => store.showMode(mode), label),
  }));
  const chips = modes.map(({ chip }) => chip);
  const head = element(
    'div',
    { class: 'work-head', role: 'group', 'aria-label': 'Workflow and run' },
    element('div', { class: 'work-title' }, element('h2', {}, title), sub),
    state,
    figureList.element,
    element('span', { class: 'rail-space' }),
    element('div', { class: 'choice', role: 'group', 'aria-label': 'View' }, ...chips),
    element('div', { class: 'work-actions' }, ...runControls.elements),
    prompt.element,
    problem,
  );
  return {
    element: head,
    update(view) {
      setText(title, titleOf(view));
      setText(sub, subtitleOf(view));
      state.hidden = view.run === null;
      if (view.run) {
        setText(state, runStateText(view.run));
        setAttribute(state, 'data-tone', view.run.pausing ? 'warn' : RUN_TONES[view.run.state]);
      }
      figureList.update(view);
      runControls.update(view);
      prompt.update(view);
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
