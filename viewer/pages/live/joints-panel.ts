/** The six joints: position on a gauge with a common scale, position and velocity. */

import { type ArmRange, MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import { heading } from '../../shell/heading.ts';
import type { Panel } from '../../shell/panel.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { angleText, decimal, degrees } from '../../ui/value-text.ts';

/** Range of all gauges: half a turn in each direction. */
const SPAN_RAD = Math.PI;
/** Distance to a limit below which the value is marked as a warning. */
const NEAR_LIMIT_RAD = (3 * Math.PI) / 180;

interface JointRow {
  readonly element: HTMLElement;
  /** Shows the limits of the joint (rad). */
  limit(low_rad: number, high_rad: number): void;
  show(position_rad: number, velocity_deg_s: number): void;
  move(position_rad: number): void;
}

/** The place on a gauge, in percent of its width. */
function percent(angle_rad: number): number {
  return ((angle_rad + SPAN_RAD) / (2 * SPAN_RAD)) * 100;
}

function jointRow(joint: number): JointRow {
  const range = element('span', { class: 'gauge-range' });
  const mark = element('span', { class: 'gauge-mark' });
  const zero = element('span', { class: 'gauge-zero' });
  const bar = element('span', { class: 'gauge' }, range, zero, mark);
  let [low, high] = [0, 0];
  const position = element('span', { class: 'number' });
  const velocity = element('span', { class: 'number quiet' });
  const row = element(
    'div',
    { class: 'joint' },
    element('b', {}, `J${joint + 1}`),
    bar,
    element('span', { class: 'value' }, position, element('span', { class: 'unit' }, '°')),
    element('span', { class: 'value' }, velocity, element('span', { class: 'unit' }, '°/s')),
  );
  return {
    element: row,
    limit(low_rad, high_rad) {
      [low, high] = [low_rad, high_rad];
      range.style.left = `${percent(low)}%`;
      range.style.right = `${100 - percent(high)}%`;
      const [from, to] = [low, high].map((angle) => `${decimal(degrees(angle), 0)}°`);
      row.title = `Joint ${joint + 1}: limits ${from} to ${to}`;
    },
    move(position_rad) {
      mark.style.transform = `translateX(${percent(position_rad).toFixed(2)}cqw)`;
    },
    show(position_rad, velocity_deg_s) {
      setText(position, angleText(position_rad));
      setText(velocity, decimal(velocity_deg_s, 1));
      const spare_rad = Math.min(position_rad - low, high - position_rad);
      setAttribute(row, 'data-near-limit', spare_rad < NEAR_LIMIT_RAD);
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
  let shownRange: ArmRange | null = null;
  const showRange = (range: ArmRange): void => {
    if (range === shownRange) return;
    shownRange = range;
    for (const [j, row] of rows.entries()) row.limit(range.min_rad[j]!, range.max_rad[j]!);
  };
  showRange(MODEL_RANGE);
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
      showRange(shown.view.sim?.jointRange ?? MODEL_RANGE);
      const positions = shown.view.snapshot?.['servos.telemetry.position'] ?? [];
      const velocities = shown.view.snapshot?.['servos.telemetry.velocity'] ?? [];
      for (const [j, position] of positions.entries()) rows[j]!.show(position, velocities[j]!);
    },
    move({ view }) {
      const positions = view.snapshot?.['servos.telemetry.position'] ?? [];
      for (const [j, position] of positions.entries()) rows[j]!.move(position);
    },
  };
}
