/** An action and its JSON pointer. */
import type { Action, Toolpath } from '../../contract/types.generated.ts';

export interface PlacedAction {
  readonly at: string;
  readonly action: Action;
}

/** All actions, each before those it contains. */
export function allActions(toolpath: Toolpath): readonly PlacedAction[] {
  const found: PlacedAction[] = [];
  const visit = (timeline: readonly Action[], place: string): void => {
    for (const [i, action] of timeline.entries()) {
      const at = `${place}/${i}`;
      found.push({ at, action });
      if (action.type === 'grid') visit(action.timeline, `${at}/timeline`);
      if (action.type !== 'if') continue;
      for (const [number, branch] of action.branches.entries()) {
        visit(branch.timeline, `${at}/branches/${number}/timeline`);
      }
    }
  };
  visit(toolpath.timeline, '/timeline');
  for (const [i, { timeline }] of (toolpath.routines ?? []).entries()) {
    visit(timeline, `/routines/${i}/timeline`);
  }
  return found;
}
