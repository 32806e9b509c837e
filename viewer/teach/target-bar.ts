/**
 * The tool pose of the ghost as numbers that can be typed, why it cannot go where it was asked to,
 * and the two ways on: take the arm there, or go back to the arm. Lies under the scene's gizmo.
 */
import { fixedAxisRotation } from '../../physics/math/rotation.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { fixedAxisAngles } from '../panels/tool-readout.ts';
import { degrees } from '../panels/value-text.ts';
import { createChoiceBar } from './choice-bar.ts';
import { createNumberInput } from './number-input.ts';
import type { Target } from './target.ts';
import type { TeachSettings } from './teach-settings.ts';

const NAMES = ['X', 'Y', 'Z', 'RX', 'RY', 'RZ'] as const;
const FRAMES = [
  ['base', 'Base'],
  ['tool', 'Tool'],
] as const;

/** Position (mm) and fixed-axis angles (deg) of a tool pose. */
export function valuesOf(pose: Float64Array): readonly number[] {
  const position = Array.from(pose.subarray(9, 12), (value) => value * 1000);
  return [...position, ...fixedAxisAngles(pose).map(degrees)];
}

/** The tool pose with those values. */
export function poseOf(values: readonly number[]): Float64Array {
  const pose = new Float64Array(12);
  const [rx, ry, rz] = values.slice(3).map((angle) => (angle * Math.PI) / 180);
  fixedAxisRotation(rx!, ry!, rz!, pose);
  for (let i = 0; i < 3; i++) pose[9 + i] = values[i]! / 1000;
  return pose;
}

export interface TargetBarParts {
  readonly target: Target;
  readonly settings: TeachSettings;
  /** Takes the arm to the ghost. */
  readonly moveHere: () => void;
  /** Takes the ghost back to the arm. */
  readonly rejoin: () => void;
}

export interface TargetBar {
  readonly element: HTMLElement;
  /** Says whether the arm can be moved now, and if not, why. */
  allow(why: string): void;
}

/** The six typed values. */
function createPoseFields(target: Target) {
  const fields = NAMES.map((name, i) =>
    createNumberInput({
      label: `Ghost ${name}`,
      unit: i < 3 ? 'mm' : '°',
      digits: 1,
      step: 1,
      enter: (value) => target.tryPose(poseOf(valuesOf(target.pose()).with(i, value))),
    }),
  );
  const cells = fields.map((field, i) =>
    element('span', { class: 'target-cell' }, element('b', {}, NAMES[i]!), field.element),
  );
  return {
    element: element('div', { class: 'target-fields' }, ...cells),
    show(): void {
      for (const [i, value] of valuesOf(target.pose()).entries()) fields[i]!.show(value);
    },
  };
}

/** The bar of a target. */
export function createTargetBar({ target, settings, moveHere, rejoin }: TargetBarParts): TargetBar {
  const fields = createPoseFields(target);
  const frame = createChoiceBar('Frame', FRAMES, (value) => settings.set({ frame: value }));
  const move = button({ class: 'primary' }, moveHere, icon('play'), 'Move here');
  const back = button({ class: 'plain' }, rejoin, 'Back to the arm');
  const sentence = element('p');
  const code = element('code');
  const problem = element(
    'div',
    { class: 'target-problem', role: 'alert', hidden: true },
    icon('warn'),
    sentence,
    code,
  );
  const where = element('span', { class: 'sub', role: 'status' });
  let why = '';
  function show(): void {
    const { apart, sound, problem: found } = target.view();
    fields.show();
    frame.show(settings.view().frame);
    setText(where, apart ? 'Ghost apart from the arm' : 'Ghost at the arm');
    setAttribute(problem, 'hidden', found === null);
    setText(sentence, found?.message ?? '');
    setText(code, found?.code ?? '');
    setAttribute(move, 'disabled', !apart || !sound || why !== '');
    setAttribute(move, 'title', why || 'Takes the arm to the ghost (Shift M)');
    setAttribute(back, 'disabled', !apart);
  }
  target.subscribe(show);
  settings.subscribe(show);
  show();
  const acts = element('div', { class: 'target-acts' }, frame.element, where, back, move);
  const label = { 'aria-label': 'Ghost' };
  return {
    element: element(
      'section',
      { class: 'glass target-bar', ...label },
      problem,
      fields.element,
      acts,
    ),
    allow(reason) {
      why = reason;
      show();
    },
  };
}
