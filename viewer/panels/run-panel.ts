/** The run: what is loaded, which loop, how far; while the arm rests, what to run next. */

import type { Snapshot } from '../../contract/types.ts';
import { PAYLOAD_MAX_KG } from '../../physics/arm/arm-model.ts';
import { type ArmView, isUnderWay } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { heading, type Panel, type Shown } from './panel.ts';
import { clockText, decimal } from './value-text.ts';

/** What the next run shall be; the motion bar reads it. */
export interface RunChoice {
  mode: 'automatic' | 'teach';
  loops: number;
}

const LOOPS_MAX = 100_000;

/** "Loop 3 of 10", or what stands in its place. */
export function loopText(snapshot: Snapshot): string {
  const { loop_count, loop_target, toolpath_hash } = snapshot.control;
  if (!toolpath_hash) return 'No toolpath loaded';
  if (!isUnderWay(snapshot)) return `${loop_count} ${loop_count === 1 ? 'loop' : 'loops'} done`;
  const now = loop_target > 0 ? Math.min(loop_count + 1, loop_target) : loop_count + 1;
  return loop_target > 0 ? `Loop ${now} of ${loop_target}` : `Loop ${now}, endless`;
}

/** Length, radius and load of the tool as the toolpath says; each number with its unit. */
export function toolFacts(view: ArmView): readonly (readonly [value: string, unit: string])[] {
  const metadata = view.loaded?.toolpath.metadata;
  if (!metadata) return [];
  const tool = metadata.tcp_config;
  const load = [decimal(metadata.payload, 2), `kg of ${PAYLOAD_MAX_KG}`] as const;
  if (!tool) return [['none', ''], load];
  const length = `z ${decimal(tool.offsets.z * 1000, 1)}`;
  return [[length, 'mm'], [`r ${decimal(tool.radius * 1000, 1)}`, 'mm'], load];
}

/** Draws the tool's facts anew when the loaded toolpath has changed. */
function toolDrawer(target: HTMLElement): (view: ArmView) => void {
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

function chooser(choice: RunChoice, commands: Commands) {
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
    'aria-label': 'Loops, 0 without end',
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
      const none = element('option', { value: '' }, 'No toolpaths yet');
      const options = listed.map((head) => element('option', { value: `${head.id}` }, head.name));
      const chosen = paths.value;
      paths.replaceChildren(...(options.length > 0 ? options : [none]));
      const loaded = listed.find((head) => head.hash === view.snapshot?.control.toolpath_hash);
      paths.value = chosen || String(loaded?.id ?? listed[0]?.id ?? '');
    },
  };
}

function fact(name: string): { element: HTMLElement; value: HTMLElement } {
  const value = element('dd');
  return { element: element('div', { class: 'fact' }, element('dt', {}, name), value), value };
}

/** Seconds into the present loop, as far as this page has seen it begin; stands while stale. */
function loopSeconds({ view, now_ms, age_ms }: Shown): number | null {
  const known_ms = view.link === 'stale' ? now_ms - age_ms : now_ms;
  return view.loopSeen_ms === null ? null : (known_ms - view.loopSeen_ms) / 1000;
}

/** The panel; what is chosen for the next run is written into `choice`. */
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
  const drawTool = toolDrawer(tool.value);
  const pick = chooser(choice, commands);
  const panel = element(
    'section',
    { class: 'panel run', 'data-tab': 'tool', 'aria-label': 'Run' },
    head.element,
    element('div', { class: 'run-loop' }, loop, time),
    progress,
    element('dl', {}, path.element, mode.element, tool.element),
    pick.element,
  );
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      pick.update(shown);
      const { view } = shown;
      if (!view.snapshot) return;
      const under = isUnderWay(view.snapshot);
      const seconds = loopSeconds(shown);
      const whole = view.loaded?.duration_s ?? null;
      const held = whole === null || seconds === null ? seconds : Math.min(seconds, whole);
      setText(started, view.runStarted ? `Started ${clockText(view.runStarted).slice(0, 8)}` : '');
      setText(loop, loopText(view.snapshot));
      const of = whole === null ? '' : ` of ${decimal(whole, 1)}`;
      setText(time, under && held !== null ? `${decimal(held, 1)}${of} s` : '');
      const share = under && held !== null && whole ? held / whole : 0;
      done.style.width = `${(share * 100).toFixed(1)}%`;
      setText(path.value, view.snapshot.control.toolpath_name || '–');
      const run_mode = view.snapshot.control.run_mode;
      setText(mode.value, { automatic: 'Automatic', teach: 'Teach', not_running: '–' }[run_mode]);
      drawTool(view);
      setAttribute(pick.element, 'hidden', under);
    },
  };
}
