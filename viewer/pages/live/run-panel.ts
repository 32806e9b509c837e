/**
 * The run: loaded toolpath, loop and progress; while the arm is at rest, the next run's options.
 */

import type { SimActivity } from '../../../contract/types.generated.ts';
import { PAYLOAD_MAX_KG } from '../../../physics/arm/arm-model.ts';
import { type ArmView, isMotionActive } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { heading } from '../../shell/heading.ts';
import { moveText } from '../../shell/motion-actions.ts';
import type { Panel, Shown } from '../../shell/panel.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { loopText, runProgress } from '../../shell/run-progress.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { decimal, timeOfDayText } from '../../ui/value-text.ts';
import { cellCheckText } from './cell-check-text.ts';
import { type CreateToolpathPicker, createRunOptions } from './run-options.ts';

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
  const inCell = fact('In the cell');
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
    element('dl', {}, ...[step, path, inCell, mode, tool].map(({ element: row }) => row)),
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
      const found = cellCheckText(view.sim?.cellCheck ?? null);
      setText(inCell.value, found.text);
      setAttribute(inCell.value, 'title', found.more || undefined);
      setAttribute(inCell.element, 'hidden', found.text === '');
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
