/** The six joints: position on a gauge with a common scale, position and velocity. */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { element, setAttribute, setText } from './element.ts';
import { heading, type Panel } from './panel.ts';
import { angleText, decimal, degrees } from './value-text.ts';

/** Range of all gauges: half a turn in each direction. */
const SPAN_RAD = Math.PI;
/** Distance to a limit below which the value is marked as a warning. */
const NEAR_LIMIT_RAD = (3 * Math.PI) / 180;

interface JointRow {
  readonly element: HTMLElement;
  show(position_rad: number, velocity_deg_s: number): void;
}

function percent(angle_rad: number): string {
  return `${((angle_rad + SPAN_RAD) / (2 * SPAN_RAD)) * 100}%`;
}

function gauge(joint: number): { element: HTMLElement; mark: HTMLElement } {
  const range = element('span', { class: 'gauge-range' });
  range.style.left = percent(JOINT_MIN_RAD[joint]!);
  range.style.right = `calc(100% - ${percent(JOINT_MAX_RAD[joint]!)})`;
  const zero = element('span', { class: 'gauge-zero' });
  const mark = element('span', { class: 'gauge-mark' });
  return { element: element('span', { class: 'gauge' }, range, zero, mark), mark };
}

function jointRow(joint: number): JointRow {
  const { element: bar, mark } = gauge(joint);
  const position = element('span', { class: 'number' });
  const velocity = element('span', { class: 'number quiet' });
  const low = decimal(degrees(JOINT_MIN_RAD[joint]!), 0);
  const high = decimal(degrees(JOINT_MAX_RAD[joint]!), 0);
  const row = element(
    'div',
    { class: 'joint', title: `Joint ${joint + 1}: limits ${low}° to ${high}°` },
    element('b', {}, `J${joint + 1}`),
    bar,
    element('span', { class: 'value' }, position, element('span', { class: 'unit' }, '°')),
    element('span', { class: 'value' }, velocity, element('span', { class: 'unit' }, '°/s')),
  );
  return {
    element: row,
    show(position_rad, velocity_deg_s) {
      mark.style.left = percent(position_rad);
      setText(position, angleText(position_rad));
      setText(velocity, decimal(velocity_deg_s, 1));
      const margin_rad = Math.min(
        position_rad - JOINT_MIN_RAD[joint]!,
        JOINT_MAX_RAD[joint]! - position_rad,
      );
      setAttribute(row, 'data-near-limit', margin_rad < NEAR_LIMIT_RAD);
    },
  };
}

/** The panel with one row per joint. */
export function createJointsPanel(): Panel {
  const head = heading(
    'Joints',
    element('span', { class: 'column' }, 'position'),
    element('span', { class: 'column narrow' }, 'velocity'),
  );
  const rows = [0, 1, 2, 3, 4, 5].map(jointRow);
  const panel = element(
    'section',
    { class: 'panel joints', 'data-tab': 'joints', 'aria-label': 'Joints' },
    head.element,
    ...rows.map((row) => row.element),
  );
  return {
    element: panel,
    update(shown) {
      head.update(shown);
      const { snapshot } = shown.view;
      if (!snapshot) return;
      const positions = snapshot['servos.telemetry.position'];
      const velocities = snapshot['servos.telemetry.velocity'];
      for (const [j, row] of rows.entries()) row.show(positions[j]!, velocities[j]!);
    },
  };
}
