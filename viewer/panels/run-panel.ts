/**
 * The run: loaded toolpath, loop and progress; while the arm is at rest, the next run's options.
 */
import type { SimActivity, ToolpathHead } from '../../contract/types.ts';
import { PAYLOAD_MAX_KG } from '../../physics/arm/arm-model.ts';
import { type ArmView, isMotionActive, isOpenEnded } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import {
  button,
  element,
  heading,
  type Panel,
  type Shown,
  setAttribute,
  setText,
} from './element.ts';
import { loadReason, moveText } from './motion-bar.ts';
import { numberElement, numberProblem, typedNumber } from './number-input.ts';
import { decimal, timeOfDayText } from './value-text.ts';

/** Options of the next run; the motion bar reads them. */
export interface RunChoice {
  mode: 'automatic' | 'teach';
  loops: number;
}

const LOOPS_MAX = 100_000;

/** The loop counter, as in "Loop 3 of 10", or what the arm does instead. */
export function loopText(view: ArmView): string {
  const { snapshot } = view;
  if (!snapshot || moveText(view)) return moveText(view);
  const { loop_count, loop_target, toolpath_hash } = snapshot.control;
  if (!toolpath_hash) return 'No toolpath loaded';
  if (!isMotionActive(snapshot)) return `${loop_count} ${loop_count === 1 ? 'loop' : 'loops'} done`;
  const now = loop_target > 0 ? Math.min(loop_count + 1, loop_target) : loop_count + 1;
  return loop_target > 0 ? `Loop ${now} of ${loop_target}` : `Loop ${now}, endless`;
}

/** Length, radius and load of the toolpath's tool, each with its unit. */
function toolFacts(view: ArmView): readonly (readonly [value: string, unit: string])[] {
  const metadata = view.loaded?.toolpath.metadata;
  if (!metadata) return [];
  const tool = metadata.tcp_config;
  const load = [decimal(metadata.payload, 2), `kg of ${PAYLOAD_MAX_KG}`] as const;
  if (!tool) return [['none', ''], load];
  const length = `z ${decimal(tool.offsets.z * 1000, 1)}`;
  return [[length, 'mm'], [`r ${decimal(tool.radius * 1000, 1)}`, 'mm'], load];
}

/** Returns a function that shows the tool's facts and updates them when the toolpath changes. */
function createToolFacts(target: HTMLElement): (view: ArmView) => void {
  let drawn: ArmView['loaded'] | undefined;
  return (view) => {
    if (view.loaded === drawn) return;
    drawn = view.loaded;
    const facts = toolFacts(view).map(([value, unit]) =>
      element('span', { class: 'tool-fact' }, value, element('span', { class: 'unit' }, unit)),
    );
    target.replaceChildren(...(facts.length > 0 ? facts : ['–']));
  };
}

/** The list from which a toolpath is chosen; its own file, loaded when it is opened first. */
export interface ToolpathPicker {
  readonly box: HTMLElement;
  open(): void;
}
export type CreateToolpathPicker = (
  toggle: HTMLButtonElement,
  choose: (head: ToolpathHead) => void,
) => Promise<ToolpathPicker | null>;

const READING = 'Reading the toolpaths…';

/** The toolpath to load: a button with its name, and under it the list once it is opened. */
function createToolpathChoice(createPicker: CreateToolpathPicker) {
  let chosen: ToolpathHead | null = null;
  let isOpening = false;
  const attributes = { class: 'plain chooser-name', 'aria-expanded': 'false' };
  const toggle = button(attributes, () => void open());
  const place = element('div', { class: 'chooser-list' });
  let none = READING;
  function choose(head: ToolpathHead | null): void {
    chosen = head;
    setText(toggle, head?.name ?? none);
    setAttribute(toggle, 'aria-label', `Toolpath to load: ${head?.name ?? none}`);
    setAttribute(toggle, 'disabled', head === null);
  }
  async function open(): Promise<void> {
    if (isOpening || place.firstChild) return;
    isOpening = true;
    const picker = await createPicker(toggle, choose);
    isOpening = false;
    if (!picker) return;
    place.append(picker.box);
    picker.open();
  }
  choose(null);
  return {
    elements: [toggle, place] as const,
    chosen: () => chosen,
    /** Keeps the choice while the arm has it; else what is loaded, else the first. */
    update({ toolpaths, isListed, snapshot, link }: ArmView): void {
      none = isListed ? 'No toolpaths yet' : link === 'signed-out' ? 'Signed out' : READING;
      const hash = snapshot?.control.toolpath_hash;
      const kept = toolpaths.find(({ id }) => id === chosen?.id);
      choose(kept ?? toolpaths.find((head) => head.hash === hash) ?? toolpaths[0] ?? null);
    },
  };
}

/** The number of loops; what cannot be is put back, so that a run does what the field says. */
function createLoopsField(choice: RunChoice): HTMLInputElement {
  const bounds = { min: 0, max: LOOPS_MAX, whole: true };
  const name = 'Loops, 0 = endless';
  const value = String(choice.loops);
  const loops = numberElement({ value, 'aria-label': name, class: 'field loops' }, bounds);
  loops.addEventListener('input', () => {
    const count = numberProblem(loops.value, bounds) ? null : typedNumber(loops.value);
    setAttribute(loops, 'aria-invalid', count === null ? 'true' : undefined);
    if (count !== null) choice.loops = count;
  });
  loops.addEventListener('change', () => {
    loops.value = String(choice.loops);
    setAttribute(loops, 'aria-invalid', undefined);
  });
  return loops;
}

/** Why there is nothing to load; empty if there is. */
function listReason({ toolpaths, isListed }: ArmView): string {
  if (toolpaths.length > 0) return '';
  return isListed ? 'There is no saved toolpath' : 'The list of toolpaths is being read';
}

function createRunOptions(
  choice: RunChoice,
  commands: Commands,
  createPicker: CreateToolpathPicker,
) {
  const path = createToolpathChoice(createPicker);
  const [toggle, list] = path.elements;
  function loadChosen(): void {
    const head = path.chosen();
    if (head) void commands.load(head.id);
  }
  const load = button({ class: 'plain' }, loadChosen, 'Load');
  const modes = element(
    'select',
    { 'aria-label': 'Mode', class: 'field' },
    element('option', { value: 'automatic' }, 'Automatic'),
    element('option', { value: 'teach' }, 'Teach, slow'),
  );
  modes.addEventListener('change', () => {
    choice.mode = modes.value === 'teach' ? 'teach' : 'automatic';
  });
  const box = element(
    'div',
    { class: 'chooser' },
    toggle,
    load,
    list,
    modes,
    element('label', { class: 'loops-label' }, createLoopsField(choice), 'loops'),
  );
  let listed: ArmView['toolpaths'] | null = null;
  return {
    element: box,
    update({ view }: Shown): void {
      const reason = loadReason(view) || listReason(view);
      setAttribute(load, 'disabled', reason !== '');
      setAttribute(load, 'title', reason || undefined);
      if (view.toolpaths === listed) return;
      listed = view.toolpaths;
      path.update(view);
    },
  };
}

/** "/timeline/3/timeline/0" in cell 2 as "4.1, cell 3"; '' where no step is known. */
function stepText({ step, to_start }: SimActivity): string {
  if (to_start) return 'on the way to the home waypoint';
  if (!step) return '';
  const { at, cell } = step;
  const numbers = [...at.matchAll(/\/(\d+)/g)].map(([, index]) => Number(index) + 1).join('.');
  const place = at.startsWith('/routines') ? `routine ${numbers}` : numbers;
  return cell.length > 0 ? `${place}, cell ${cell.map((each) => each + 1).join(', ')}` : place;
}

function fact(name: string): { element: HTMLElement; value: HTMLElement } {
  const value = element('dd');
  return { element: element('div', { class: 'fact' }, element('dt', {}, name), value), value };
}

const OPEN_HINT = 'Branches follow the present signals, and waits for signals count as zero';

/** What the progress shows. */
interface Progress {
  readonly text: string;
  /** Share of the planned loop that is done. */
  readonly share: number;
  /** Whether signals may change it. */
  readonly isOpen: boolean;
}

/** Longest time for which a report is carried on (ms): then the next one is late. */
const CARRY_MS = 1000;

/**
 * The activity now: the last report carried on by the rate of the twin's clock. Unchanged while the
 * arm waits or is paused, while the clock stands, and beyond the planned end of the loop.
 */
export function activityNow(view: ArmView, since_ms: number): SimActivity | null {
  const { status, clock } = view.sim ?? {};
  const activity = status?.activity ?? null;
  const stands = !clock || clock.paused || clock.pace === 'stepped' || view.link !== 'live';
  if (!activity || stands || status?.state !== 'running' || activity.waiting) return activity;
  const passed_s = (Math.min(Math.max(since_ms, 0), CARRY_MS) / 1000) * clock.real_time_factor;
  const carried_s = Math.min(passed_s, activity.loop_remaining_s);
  return {
    ...activity,
    loop_time_s: activity.loop_time_s + carried_s,
    loop_remaining_s: activity.loop_remaining_s - carried_s,
  };
}

/** Remembers when the present report arrived; returns how long ago that was (ms). */
function createReportAge(): (shown: Shown) => number {
  let status: object | null | undefined;
  let at_ms = 0;
  return ({ view, now_ms }) => {
    const latest = view.sim?.status;
    if (latest !== status) at_ms = now_ms;
    status = latest;
    return now_ms - at_ms;
  };
}

/** Whether the time left of the motion may change: its program is unknown, or signals decide. */
export function isLeftOpen({ loaded }: ArmView, { kind }: SimActivity): boolean {
  return kind === 'run' && (!loaded || isOpenEnded(loaded.toolpath));
}

/**
 * Progress in twin time, from what the twin publishes: branches follow the present signals, and
 * waits for signals count as zero.
 */
function publishedProgress(activity: SimActivity, isOpen: boolean): Progress {
  const { loop_time_s, loop_waited_s, loop_remaining_s } = activity;
  const moved_s = loop_time_s - loop_waited_s;
  const total_s = moved_s + loop_remaining_s;
  const left = `${decimal(loop_remaining_s, 1)} s left${isOpen ? ' if nothing changes' : ''}`;
  return {
    text: `${decimal(loop_time_s, 1)} s, ${left}`,
    share: total_s > 0 ? moved_s / total_s : 0,
    isOpen,
  };
}

/** Progress by the clock of this page, for an arm that publishes none. */
function estimatedProgress(shown: Shown): Progress | null {
  const seconds = loopSeconds(shown);
  if (seconds === null) return null;
  const total_s = shown.view.loaded?.duration_s ?? null;
  const elapsed_s = total_s === null ? seconds : Math.min(seconds, total_s);
  const of = total_s === null ? '' : ` of ${decimal(total_s, 1)}`;
  return {
    text: `estimated ${decimal(elapsed_s, 1)}${of} s`,
    share: total_s ? elapsed_s / total_s : 0,
    isOpen: false,
  };
}

/** The progress of the present loop, `since_ms` after the report; null at rest and if unknown. */
export function runProgress(shown: Shown, since_ms = 0): Progress | null {
  const { snapshot, sim } = shown.view;
  if (!isMotionActive(snapshot)) return null;
  if (!sim?.status) return estimatedProgress(shown);
  const activity = activityNow(shown.view, since_ms);
  return activity && publishedProgress(activity, isLeftOpen(shown.view, activity));
}

/**
 * Seconds of the arm's time in the current loop; null if this page did not see it start, and for a
 * clock whose pace it does not know.
 */
function loopSeconds({ view, now_ms, age_ms }: Shown): number | null {
  const seen_ms = view.link === 'stale' ? now_ms - age_ms : now_ms;
  const known_ms = Math.min(seen_ms, view.pausedSince_ms ?? Number.POSITIVE_INFINITY);
  const pace = Number(view.clock ?? 1);
  if (view.loopStarted_ms === null || Number.isNaN(pace)) return null;
  return (pace * (known_ms - view.loopStarted_ms)) / 1000;
}

function startedText({ runStartedAt }: ArmView): string {
  return runStartedAt ? `Started ${timeOfDayText(runStartedAt).slice(0, 8)}` : '';
}

/** Creates the panel; it writes the options of the next run into `choice`. */
export function createRunPanel(
  choice: RunChoice,
  commands: Commands,
  createPicker: CreateToolpathPicker,
): Panel {
  const started = element('span', { class: 'end' });
  const head = heading('Run', started);
  const loop = element('span');
  const time = element('span', { class: 'value' });
  const done = element('span', { class: 'progress-done' });
  const progress = element('div', { class: 'progress', role: 'presentation' }, done);
  const step = fact('Step');
  const path = fact('Toolpath');
  const mode = fact('Mode');
  const tool = fact('Tool');
  const drawTool = createToolFacts(tool.value);
  const reportAge = createReportAge();
  const options = createRunOptions(choice, commands, createPicker);
  const panel = element(
    'section',
    { class: 'panel run', 'data-tab': 'tool', 'aria-label': 'Run' },
    head.element,
    element('div', { class: 'run-loop' }, loop, time),
    progress,
    element('dl', {}, step.element, path.element, mode.element, tool.element),
    options.element,
  );
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      options.update(shown);
      const { view } = shown;
      if (!view.snapshot) return;
      const active = isMotionActive(view.snapshot);
      const now = runProgress(shown, reportAge(shown));
      setText(started, startedText(view));
      setText(loop, loopText(view));
      setText(time, now?.text ?? '');
      setAttribute(time, 'title', now?.isOpen ? OPEN_HINT : undefined);
      setAttribute(progress, 'data-open', now?.isOpen ?? false);
      const { activity } = view.sim?.status ?? {};
      const place = activity ? stepText(activity) : '';
      setText(step.value, place);
      setAttribute(step.element, 'hidden', place === '');
      setText(path.value, view.snapshot.control.toolpath_name || '–');
      const run_mode = moveText(view) ? 'not_running' : view.snapshot.control.run_mode;
      setText(mode.value, { automatic: 'Automatic', teach: 'Teach', not_running: '–' }[run_mode]);
      drawTool(view);
      setAttribute(options.element, 'hidden', active);
    },
    move(shown) {
      const share = runProgress(shown, reportAge(shown))?.share ?? 0;
      done.style.transform = `scaleX(${share.toFixed(3)})`;
    },
  };
}
