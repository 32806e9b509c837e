/**
 * Bar over the scene, under the gizmo: the reason why the ghost cannot go to a pose, and buttons to
 * move the arm to the ghost or the ghost back to the arm.
 */

import { createChoiceBar } from '../../ui/choice-bar.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import type { TargetPose } from './target-pose.ts';
import type { TeachSettings } from './teach-settings.ts';

const FRAMES = [
  ['base', 'Base'],
  ['tool', 'Tool'],
] as const;

export interface TargetBarParts {
  readonly target: TargetPose;
  readonly settings: TeachSettings;
  /** Moves the arm to the ghost. */
  readonly moveHere: () => void;
  /** Moves the ghost back to the arm. */
  readonly attach: () => void;
}

export interface TargetBar {
  readonly element: HTMLElement;
  /** Sets the reason why the arm cannot move now; empty if it can. */
  setBlockedReason(why: string): void;
}

/** Creates the bar for a target pose. */
export function createTargetBar({ target, settings, moveHere, attach }: TargetBarParts): TargetBar {
  const frame = createChoiceBar('Frame', FRAMES, (value) => settings.set({ frame: value }));
  const move = button({ class: 'primary' }, moveHere, icon('play'), 'Move here');
  const back = button({ class: 'plain' }, attach, 'Back to the arm');
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
    const { detached, valid, problem: found } = target.view();
    frame.show(settings.view().frame);
    setText(where, detached ? 'Ghost detached from the arm' : 'Ghost at the arm');
    setAttribute(problem, 'hidden', found === null);
    setText(sentence, found?.message ?? '');
    setText(code, found?.code ?? '');
    setAttribute(move, 'disabled', !detached || !valid || why !== '');
    setAttribute(move, 'title', why || 'Moves the arm to the ghost (Shift M)');
    setAttribute(back, 'disabled', !detached);
  }
  target.subscribe(show);
  settings.subscribe(show);
  show();
  const actions = element('div', { class: 'target-actions' }, frame.element, where, back, move);
  const label = { 'aria-label': 'Ghost' };
  return {
    element: element('section', { class: 'glass target-bar', ...label }, problem, actions),
    setBlockedReason(reason) {
      why = reason;
      show();
    },
  };
}
