/**
 * Why the ghost cannot go where it was asked to, and the two ways on: take the arm to it, or go
 * back to the arm. Lies over the scene, under the gizmo.
 */
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { createChoiceBar } from './choice-bar.ts';
import type { Target } from './target.ts';
import type { TeachSettings } from './teach-settings.ts';

const FRAMES = [
  ['base', 'Base'],
  ['tool', 'Tool'],
] as const;

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

/** The bar of a target. */
export function createTargetBar({ target, settings, moveHere, rejoin }: TargetBarParts): TargetBar {
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
    element: element('section', { class: 'glass target-bar', ...label }, problem, acts),
    allow(reason) {
      why = reason;
      show();
    },
  };
}
