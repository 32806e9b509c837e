/**
 * The run: loaded toolpath, loop and progress; while the arm is at rest, the next run's options.
 */
import type { Snapshot } from '../../contract/types.ts';
import { PAYLOAD_MAX_KG } from '../../physics/arm/arm-model.ts';
import { type ArmView, isMotionActive } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { heading, type Panel, type Shown } from './panel.ts';
import { decimal, timeOfDayText } from './value-text.ts';

/** Options of the next run; the motion bar reads them. */
export interface RunChoice {
  mode: 'automatic' | 'teach';
  loops: number;
}

const LOOPS_MAX = 100_000;

/** The loop counter, as in "Loop 3 of 10", or the state instead of it. */
export function loopText(snapshot: Snapshot): string {
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

function createRunOptions(choice: RunChoice, commands: Commands) {
  const paths = element('select', { 'aria-label': 'Toolpath', class: 'field' });
  const load = button({ class: 'plain' }, () => void commands.load(Number(paths.value)), 'Load');
  const modes = element(
    'select',
    { 'aria-label': 'Mode', class: 'field' },
    element('option', { value: 'automatic' }, 'Automatic'),
    element('option', { value: 'teach' }, 'Teach, slow'),
  );
  const loops = element('input', {
    type: 'number',
    min: '0',
    max: String(LOOPS_MAX),
    value: String(choice.loops),
    'aria-label': 'Loops, 0 = endless',
    class: 'field loops',
  });
  modes.addEventListener('change', () => {
    choice.mode = modes.value === 'teach' ? 'teach' : 'automatic';
  });
  loops.addEventListener('input', () => {
    choice.loops = Math.min(Math.max(Math.round(loops.valueAsNumber) || 0, 0), LOOPS_MAX);
  });
  const box = element(
    'div',
    { class: 'chooser' },
    paths,
    load,
    modes,
    element('label', { class: 'loops-label' }, loops, 'loops'),
  );
  let listed: ArmView['toolpaths'] | null = null;
  return {
    element: box,
    update({ view }: Shown): void {
      const loadable = view.link === 'live' && view.snapshot?.control.state === 'ready';
      setAttribute(load, 'disabled', !loadable || view.toolpaths.length === 0);
      if (view.toolpaths === listed) return;
      listed = view.toolpaths;
      const empty = element('option', { value: '' }, 'No toolpaths yet');
      const entries = listed.map((head) => element('option', { value: `${head.id}` }, head.name));
      const selected = paths.value;
      paths.replaceChildren(...(entries.length > 0 ? entries : [empty]));
      const loaded = listed.find((head) => head.hash === view.snapshot?.control.toolpath_hash);
      paths.value = selected || String(loaded?.id ?? listed[0]?.id ?? '');
    },
  };
}

function fact(name: string): { element: HTMLElement; value: HTMLElement } {
  const value = element('dd');
  return { element: element('div', { class: 'fact' }, element('dt', {}, name), value), value };
}

/** Seconds since the current loop started; null if this page did not see it start. */
function loopSeconds({ view, now_ms, age_ms }: Shown): number | null {
  const known_ms = view.link === 'stale' ? now_ms - age_ms : now_ms;
  return view.loopStarted_ms === null ? null : (known_ms - view.loopStarted_ms) / 1000;
}

/** Creates the panel; it writes the options of the next run into `choice`. */
export function createRunPanel(choice: RunChoice, commands: Commands): Panel {
  const started = element('span', { class: 'end' });
  const head = heading('Run', started);
  const loop = element('span');
  const time = element('span', { class: 'value' });
  const done = element('span', { class: 'progress-done' });
  const progress = element('div', { class: 'progress', role: 'presentation' }, done);
  const path = fact('Toolpath');
  const mode = fact('Mode');
  const tool = fact('Tool');
  const drawTool = createToolFacts(tool.value);
  const options = createRunOptions(choice, commands);
  const panel = element(
    'section',
    { class: 'panel run', 'data-tab': 'tool', 'aria-label': 'Run' },
    head.element,
    element('div', { class: 'run-loop' }, loop, time),
    progress,
    element('dl', {}, path.element, mode.element, tool.element),
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
      const seconds = loopSeconds(shown);
      const total = view.loaded?.duration_s ?? null;
      const elapsed = total === null || seconds === null ? seconds : Math.min(seconds, total);
      setText(
        started,
        view.runStartedAt ? `Started ${timeOfDayText(view.runStartedAt).slice(0, 8)}` : '',
      );
      setText(loop, loopText(view.snapshot));
      const of = total === null ? '' : ` of ${decimal(total, 1)}`;
      setText(time, active && elapsed !== null ? `${decimal(elapsed, 1)}${of} s` : '');
      const share = active && elapsed !== null && total ? elapsed / total : 0;
      done.style.width = `${(share * 100).toFixed(1)}%`;
      setText(path.value, view.snapshot.control.toolpath_name || '–');
      const run_mode = view.snapshot.control.run_mode;
      setText(mode.value, { automatic: 'Automatic', teach: 'Teach', not_running: '–' }[run_mode]);
      drawTool(view);
      setAttribute(options.element, 'hidden', active);
    },
  };
}
