/** Where the tool tip is, in the base frame, and how fast it goes: the text twin of the scene. */
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import type { ArmView } from '../link/arm-store.ts';
import { element, setText } from './element.ts';
import type { Panel } from './panel.ts';
import { decimal, degrees, runTimeText } from './value-text.ts';

const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;

/** Fixed-axis angles (rad) of a row-major rotation: R = Rz Ry Rx. */
export function fixedAxisAngles(m: ArrayLike<number>, at = 0): [number, number, number] {
  const sy = -m[at + 6]!;
  if (Math.abs(sy) > 0.999999) {
    return [0, (Math.sign(sy) * Math.PI) / 2, Math.atan2(-m[at + 1]!, m[at + 4]!)];
  }
  return [Math.atan2(m[at + 7]!, m[at + 8]!), Math.asin(sy), Math.atan2(m[at + 3]!, m[at]!)];
}

const FLANGE = FLANGE_FRAME * FRAME_SIZE;

/** Tip position (m), the tool point `length_m` beyond the flange. */
function tip(frames: Float64Array, length_m: number): [number, number, number] {
  return [9, 10, 11].map(
    (k, i) => frames[FLANGE + k]! + frames[FLANGE + 3 * i + 2]! * length_m,
  ) as [number, number, number];
}

/** Speed of the tip (m/s) by going a moment along the joint velocities. */
function tipSpeed(view: ArmView, length_m: number, frames: Float64Array): number {
  const { snapshot } = view;
  if (!snapshot) return 0;
  const step_s = 1e-4;
  const positions = snapshot['servos.telemetry.position'];
  const velocities = snapshot['servos.telemetry.velocity'];
  const ends = [-0.5, 0.5].map((half) => {
    const q = positions.map((p, j) => p + half * step_s * ((velocities[j]! * Math.PI) / 180));
    forward(q, frames);
    return tip(frames, length_m);
  });
  return Math.hypot(...ends[0]!.map((value, i) => value - ends[1]![i]!)) / step_s;
}

export function createToolReadout(): Panel {
  const frames = createFrames();
  const values = NAMES.map(() => element('td'));
  const table = element(
    'table',
    {},
    element(
      'tr',
      {},
      element('th', { class: 'readout-name', scope: 'row' }, 'Tool at base'),
      ...NAMES.map((name) => element('th', { scope: 'col' }, name)),
    ),
    element('tr', {}, element('th', { class: 'readout-name', scope: 'row' }, 'mm, °'), ...values),
  );
  const speed = element('span', { class: 'number' });
  const time = element('span', { class: 'number' });
  const run = element('span', { class: 'readout-run' }, time, element('i', {}, 'run time'));
  const chip = element(
    'div',
    { class: 'glass speed' },
    element('span', {}, speed, element('i', {}, 'mm/s')),
    run,
  );
  const box = element(
    'div',
    { class: 'readouts' },
    element('div', { class: 'glass readout' }, table),
    chip,
  );
  return {
    element: box,
    update({ view, now_ms }) {
      const joints = view.snapshot?.['servos.telemetry.position'];
      if (!joints) return;
      const length_m = view.loaded?.toolpath.metadata.tcp_config?.offsets.z ?? 0;
      setText(speed, decimal(tipSpeed(view, length_m, frames) * 1000, 0));
      forward(joints, frames);
      const position = tip(frames, length_m).map((value) => decimal(value * 1000, 1));
      const angles = fixedAxisAngles(frames, FLANGE).map((angle) => decimal(degrees(angle), 1));
      for (const [i, text] of [...position, ...angles].entries()) setText(values[i]!, text);
      run.hidden = view.runSeen_ms === null;
      if (view.runSeen_ms !== null) setText(time, runTimeText((now_ms - view.runSeen_ms) / 1000));
    },
  };
}
