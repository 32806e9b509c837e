/** What a collision would take to be removed: its depth, and the remedies that were found. */

import type { Toolpath } from '../../contract/types.generated.ts';
import { button, element } from '../ui/element.ts';
import { decimal } from '../ui/value-text.ts';
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

/** Depth of the shown collision and its remedies; empty until they are known. */
export function remedyParts(
  { remedy, finding }: ToolpathView,
  actions: RemedyActions,
): HTMLElement[] {
  if (!finding || !remedy) return [];
  return [
    element('p', {}, depthText(remedy)),
    ...(remedy.remedies.length > 0 ? [remedyRow(remedy.remedies, actions)] : []),
  ];
}
