/** The hand on the arm: emergency stop, buttons at the head, a push, power. */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { heading } from '../panels/panel.ts';
import type { BenchPanel, BenchParts } from './bench-panel.ts';
import { numberEntry } from './entries.ts';

function pushLine({ calls }: BenchParts): HTMLElement {
  const axes = ['x', 'y', 'z'].map((axis) => numberEntry(`${axis}, N`, { value: 0 }));
  const duration = numberEntry('For, s', { value: 0.5, low: 0 });
  const push = (n: readonly number[], duration_s: number | undefined) => {
    const [x = 0, y = 0, z = 0] = n;
    const lasting = duration_s === undefined ? {} : { duration_s };
    void calls.act((client) => client.pushArm({ force: { x, y, z }, ...lasting }));
  };
  return element(
    'div',
    { class: 'bench-line', role: 'group', 'aria-label': 'Push' },
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
    button({ class: 'plain' }, () => push([0, 0, 0], undefined), 'Let go'),
  );
}

/** The panel of what a hand does to the arm. */
export function createHandPanel(parts: BenchParts): BenchPanel {
  const { calls, view } = parts;
  const stopWords = element('span');
  const stop = button({ class: 'bench-stop' }, press, icon('fault'), stopWords);
  function press(): void {
    const engaged = !view().snapshot?.global.estop;
    void calls.act((client) => client.setEmergencyStop({ engaged }));
  }
  const limp = button({ class: 'plain', 'aria-pressed': 'false' }, hold, 'Hold backdriving');
  function hold(): void {
    const backdriving = view().snapshot?.control.state !== 'backdriving';
    void calls.act((client) => client.setButtons({ backdriving }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'By hand' },
    heading('By hand').element,
    element(
      'div',
      { class: 'bench-line' },
      stop,
      limp,
      button(
        { class: 'plain' },
        () => void calls.act((client) => client.pressWaypoint()),
        'Press waypoint',
      ),
      button(
        { class: 'plain' },
        () => void calls.act((client) => client.cyclePower()),
        'Cycle power',
      ),
    ),
    pushLine(parts),
  );
  return {
    element: panel,
    update({ snapshot }) {
      const engaged = snapshot?.global.estop ?? false;
      setText(stopWords, engaged ? 'Release emergency stop' : 'Emergency stop');
      setAttribute(stop, 'aria-pressed', String(engaged));
      const driven = snapshot?.control.state === 'backdriving';
      setText(limp, driven ? 'Let go of backdriving' : 'Hold backdriving');
      setAttribute(limp, 'aria-pressed', String(driven));
    },
  };
}
