/** What would remove an error or a warning: the remedies that were found, or why there is none. */

import type { Toolpath } from '../../contract/types.generated.ts';
import { button, element } from '../ui/element.ts';
import { decimal } from '../ui/value-text.ts';
import type { Finding } from './finding.ts';
import type { FindingReply } from './remedies.ts';
import type { TimedPath } from './timed-path.ts';
import type { ToolpathView } from './toolpath-view.ts';

/** Names of parts of the arm; others are names of users. */
const PART = /^(base|tool|link \d)$/;

/** Time and depth of a collision, once they are known. */
function depthText({ deepest }: FindingReply): string {
  if (!deepest) return '';
  const depth = `${decimal(deepest.depth_m * 1000, 1)} mm`;
  const { a, b, at_s } = deepest;
  const other = b === 'ground' ? 'the ground' : PART.test(b) ? b : `“${b}”`;
  return `Deepest at ${decimal(at_s, 2)} s: ${a} is ${depth} too near to ${other}.`;
}

/** How remedies are shown and carried out. */
export interface RemedyActions {
  /** Draws another path beside that of the toolpath; null removes it. */
  draw(path: TimedPath | null): void;
  /** Replaces the open toolpath by the edited one. */
  apply(toolpath: Toolpath): void;
  /** Shows a finding and looks for its remedies. */
  choose(finding: Finding): void;
}

/** Buttons that apply a remedy; while one has focus or the pointer, its path is drawn. */
function remedyRow(remedies: FindingReply['remedies'], { draw, apply }: RemedyActions) {
  const buttons = remedies.map(({ label, toolpath, path }) => {
    const made = button({ class: 'plain small' }, () => applyIt(), label);
    const applyIt = (): void => {
      draw(null);
      apply(toolpath);
    };
    for (const event of ['pointerenter', 'focus']) made.addEventListener(event, () => draw(path));
    for (const event of ['pointerleave', 'blur']) made.addEventListener(event, () => draw(null));
    return made;
  });
  return element('div', { class: 'card-remedies' }, ...buttons);
}

/** A finding's remedies, or why there is none: of the chosen one; another is chosen by a button. */
export function remedyParts(
  { remedy, finding }: Pick<ToolpathView, 'remedy' | 'finding'>,
  shown: Finding,
  actions: RemedyActions,
): HTMLElement[] {
  if (shown !== finding) {
    const choose = () => actions.choose(shown);
    const find = button({ class: 'plain small' }, choose, 'Find an edit that removes it');
    return [element('div', { class: 'card-remedies' }, find)];
  }
  if (!remedy) return [element('p', { class: 'sub wrap' }, 'Looking for an edit that removes it.')];
  const depth = depthText(remedy);
  return [
    ...(depth ? [element('p', {}, depth)] : []),
    remedy.remedies.length > 0
      ? remedyRow(remedy.remedies, actions)
      : element('p', { class: 'sub wrap' }, remedy.why),
  ];
}
