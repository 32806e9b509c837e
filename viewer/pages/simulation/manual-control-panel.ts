/**
 * The manual controls of the Simulation page: emergency stop, the buttons on the head of the arm,
 * an external push, and power.
 */

import { outsideStopText } from '../../link/outside-stop.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { numberInput } from '../../ui/value-input.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

function pushControls({ calls }: SimulationContext): HTMLElement {
  const axes = ['x', 'y', 'z'].map((axis) => numberInput(`${axis}, N`, { value: 0 }));
  const duration = numberInput('Duration, s', { value: 0.5, min: 0 });
  const push = (force_n: readonly number[], duration_s: number | undefined) => {
    const [x = 0, y = 0, z = 0] = force_n;
    const body = { force: { x, y, z }, ...(duration_s !== undefined && { duration_s }) };
    void calls.run((client) => client.pushArm(body));
  };
  return element(
    'div',
    { class: 'simulation-line', role: 'group', 'aria-label': 'Push' },
    ...axes.map((axis) => axis.element),
    duration.element,
    button(
      { class: 'plain' },
      () =>
        push(
          axes.map((axis) => axis.read() ?? 0),
          duration.read(),
        ),
      'Push',
    ),
    button({ class: 'plain' }, () => push([0, 0, 0], undefined), 'Release'),
  );
}

/** The panel of manual controls. */
export function createManualControlPanel(context: SimulationContext): SimulationPanel {
  const { calls, view } = context;
  const stopLabel = element('span');
  const stop = button({ class: 'simulation-stop' }, toggleStop, icon('fault'), stopLabel);
  function toggleStop(): void {
    const engaged = view().sim?.status?.emergency_stop !== 'simulated';
    void calls.run((client) => client.setEmergencyStop({ engaged }));
  }
  const backdrive = button(
    { class: 'plain', 'aria-pressed': 'false' },
    toggleBackdriving,
    'Hold backdriving',
  );
  function toggleBackdriving(): void {
    const backdriving = view().snapshot?.control.state !== 'backdriving';
    void calls.run((client) => client.setButtons({ backdriving }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Manual control' },
    heading('Manual control').element,
    element(
      'div',
      { class: 'simulation-line' },
      stop,
      backdrive,
      button(
        { class: 'plain' },
        () => void calls.run((client) => client.pressWaypoint()),
        'Press waypoint',
      ),
      button(
        { class: 'plain' },
        () => void calls.run((client) => client.cyclePower()),
        'Cycle power',
      ),
    ),
    pushControls(context),
  );
  return {
    element: panel,
    update(view) {
      const { snapshot, sim } = view;
      const engaged = sim?.status?.emergency_stop === 'simulated';
      const outside = outsideStopText(view);
      setAttribute(stop, 'disabled', outside !== '');
      setAttribute(stop, 'title', outside || undefined);
      setText(stopLabel, engaged ? 'Release emergency stop' : 'Emergency stop');
      setAttribute(stop, 'aria-pressed', String(engaged));
      const backdriving = snapshot?.control.state === 'backdriving';
      setText(backdrive, backdriving ? 'Release backdriving' : 'Hold backdriving');
      setAttribute(backdrive, 'aria-pressed', String(backdriving));
    },
  };
}
