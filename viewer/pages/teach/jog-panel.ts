/**
 * The jog panel: joints and tool in steps by buttons, and by typed values. One switch selects
 * whether the ghost or the arm moves.
 */

import type { Joints } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ArmRange } from '../../../physics/arm/arm-range.ts';
import { createChoiceBar } from '../../ui/choice-bar.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { heldButton } from '../../ui/held-button.ts';
import { createHeldNumberInput } from '../../ui/held-number-input.ts';
import { RAD_PER_DEG } from '../../ui/units.ts';
import { degrees } from '../../ui/value-text.ts';
import { axisOf } from './gizmo-geometry.ts';
import { HANDLE_KINDS, type Handle } from './handle-kinds.ts';
import { poseFromValues, poseValues } from './pose-values.ts';
import type { TargetPose } from './target-pose.ts';
import type { TeachMotion } from './teach-motion.ts';
import type { TeachSettings } from './teach-settings.ts';

const MOVES = [
  ['ghost', 'Ghost'],
  ['arm', 'Arm'],
] as const;
/** The step of a button that moves for as long as it is held. */
const HELD = 0;
/** The farthest of these angles that a joint can turn by is what it turns to while it is held (°). */
const FAR_DEG = [180, 90, 45, 20, 10, 5, 2, 1] as const;
/** A held tool goes from one of these to the next, in mm or °: a straight way has no longer steps. */
const HELD_STEP = 20;
const HELD_GHOST_STEP = 1;
const STEPS = [
  [0.1, '0.1'],
  [1, '1'],
  [5, '5'],
  [20, '20'],
  [HELD, 'Held'],
] as const;
const SPEEDS = [
  [0.025, '25'],
  [0.1, '100'],
  [0.25, '250'],
] as const;
const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;

export interface JogParts {
  readonly target: TargetPose;
  readonly settings: TeachSettings;
  readonly motion: TeachMotion;
  /** Joint angles of the arm (rad); null while unknown. */
  readonly armJoints: () => Joints | null;
  /** Tool pose of the arm; null while unknown. */
  readonly toolPose: () => Float64Array | null;
}

export interface JogPanel {
  readonly element: HTMLElement;
  /**
   * Shows the arm's angles if the arm is jogged; `why` is the reason that it cannot move, or empty.
   */
  update(why: string): void;
}

/** Applies buttons and values to the ghost or to the arm, each from its own pose. */
function createJogger({ target, settings, motion }: JogParts) {
  const own = () => settings.view().jogTarget === 'ghost';
  const jog = (change: (from: Joints) => Joints) =>
    own() ? target.tryJoints(change(target.view().joints)) : motion.jog(change);
  const isHeld = () => settings.view().step === HELD;
  /** The step, in mm or degrees. */
  const step = () => settings.view().step || (own() ? HELD_GHOST_STEP : HELD_STEP);
  return {
    turn(joint: number, sign: number, held: AbortSignal): boolean | Promise<boolean> {
      if (isHeld() && !own()) {
        const angles = FAR_DEG.map((far) => sign * far * RAD_PER_DEG);
        return motion.turnWhileHeld(joint, angles, held);
      }
      const by_rad = sign * step() * RAD_PER_DEG;
      return jog((from) => from.with(joint, from[joint]! + by_rad) as Joints);
    },
    move(handle: Handle, sign: number, held: AbortSignal): boolean | Promise<boolean> {
      const amount = sign * step() * HANDLE_KINDS[handle.kind].step;
      if (!own()) return motion.step(handle, amount, isHeld() ? held : null);
      const along = axisOf(target.pose(), handle.axis, settings.view().frame);
      target.begin({ kind: handle.kind, along });
      target.dragTo(amount);
      const came = target.reached !== 0;
      target.end();
      return came;
    },
    reach(axis: number, value: number): boolean | Promise<boolean> {
      const change = (from: Float64Array) => poseFromValues(poseValues(from).with(axis, value));
      return own() ? target.tryPose(change(target.pose())) : motion.moveTool(change);
    },
    set: (joint: number, angle_deg: number): boolean | Promise<boolean> =>
      jog((from) => from.with(joint, angle_deg * RAD_PER_DEG) as Joints),
  };
}

type Jogger = ReturnType<typeof createJogger>;

type JogAction = (sign: number, held: AbortSignal) => boolean | Promise<boolean>;

function pair(label: string, action: JogAction) {
  const one = (sign: number, glyph: string, verb: string) => {
    const attributes = { class: 'jog', 'aria-label': `${label} ${verb}` };
    return heldButton(attributes, (held) => action(sign, held), glyph);
  };
  return [one(-1, '\u2212', 'less'), one(1, '+', 'more')] as const;
}

function jogRow(name: string, parts: readonly Node[]): HTMLElement {
  return element('div', { class: 'jog-row' }, element('b', {}, name), ...parts);
}

function limitsText({ min_rad, max_rad }: ArmRange, joint: number): string {
  const [low, high] = [min_rad[joint]!, max_rad[joint]!].map(
    (angle) => `${degrees(angle).toFixed(0)}°`,
  );
  return `Limits ${low} to ${high}`;
}

function jointRows(jogger: Jogger, parts: JogParts) {
  const { settings, target, armJoints } = parts;
  const shown = () => (settings.view().jogTarget === 'arm' ? armJoints() : target.view().joints);
  const rows = [0, 1, 2, 3, 4, 5].map((joint) => {
    const [less, more] = pair(`Joint ${joint + 1}`, (sign, held) => jogger.turn(joint, sign, held));
    const enter = (value: number) => jogger.set(joint, value);
    const value = createHeldNumberInput({
      label: `Joint ${joint + 1}`,
      unit: '°',
      digits: 2,
      step: 1,
      enter,
    });
    return { row: jogRow(jointName(joint), [less, value.element, more]), value };
  });
  return {
    elements: rows.map(({ row }) => row),
    show(): void {
      const joints = shown();
      for (const [j, { row, value }] of rows.entries()) {
        setAttribute(row, 'title', limitsText(target.range, j));
        if (joints) value.show(degrees(joints[j]!));
      }
    },
  };
}

function toolRows(jogger: Jogger, { target, settings, toolPose }: JogParts) {
  const shown = () => (settings.view().jogTarget === 'arm' ? toolPose() : target.pose());
  const rows = NAMES.map((name, i) => {
    const handle: Handle = { kind: i < 3 ? 'move' : 'turn', axis: i % 3 };
    const [less, more] = pair(`Tool ${name}`, (sign, held) => jogger.move(handle, sign, held));
    const enter = (value: number) => jogger.reach(i, value);
    const unit = i < 3 ? 'mm' : '°';
    const value = createHeldNumberInput({ label: `Tool ${name}`, unit, digits: 1, step: 1, enter });
    return { row: jogRow(name, [less, value.element, more]), value };
  });
  return {
    elements: rows.map(({ row }) => row),
    show(): void {
      const pose = shown();
      const values = pose ? poseValues(pose) : [];
      for (const [i, value] of values.entries()) rows[i]!.value.show(value);
    },
  };
}

/** Creates the panel; it moves only the ghost until the user selects Arm. */
export function createJogPanel(parts: JogParts): JogPanel {
  const { settings, target } = parts;
  const jogger = createJogger(parts);
  const joints = jointRows(jogger, parts);
  const tool = toolRows(jogger, parts);
  const moves = createChoiceBar('Buttons move', MOVES, (value) =>
    settings.set({ jogTarget: value }),
  );
  const step = createChoiceBar<number>('Step', STEPS, (value) => settings.set({ step: value }));
  const speed = createChoiceBar<number>('Speed', SPEEDS, (value) =>
    settings.set({ speed_m_s: value }),
  );
  const line = (label: string, ...rest: readonly (Node | string)[]) =>
    element('div', { class: 'jog-choice' }, element('span', {}, label), ...rest);
  const note = element('p', { class: 'jog-note', role: 'status' });
  const head = element('header', { class: 'section-head' }, element('h2', {}, 'Jog'), note);
  const body = element(
    'fieldset',
    { class: 'jog-body' },
    ...joints.elements,
    element('hr'),
    ...tool.elements,
  );
  const panel = element(
    'section',
    { class: 'panel jog-panel', 'aria-label': 'Jog' },
    head,
    line('Moves', moves.element),
    line('Step', step.element, element('span', { class: 'unit' }, 'mm, °')),
    line('Speed', speed.element, element('span', { class: 'unit' }, 'mm/s')),
    body,
  );
  let why = '';
  function show(): void {
    const view = settings.view();
    const arm = view.jogTarget === 'arm';
    moves.show(view.jogTarget);
    step.show(view.step);
    speed.show(view.speed_m_s);
    joints.show();
    tool.show();
    setAttribute(panel, 'data-moves', view.jogTarget);
    setAttribute(body, 'disabled', arm && why !== '');
    setText(note, arm ? why || 'Buttons move the arm' : '');
  }
  settings.subscribe(show);
  target.subscribe(show);
  show();
  return {
    element: panel,
    update(reason) {
      why = reason;
      show();
    },
  };
}
