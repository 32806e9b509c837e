/**
 * Visits every action of a toolpath with its position (a JSON pointer), so that each rule of the
 * check is a small function over one action. §2.2.
 */
import type { Action, Timeline, Toolpath } from '../../contract/types.generated.ts';

export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

/** Position of an action. */
export interface ActionPlace {
  /** JSON pointer of the action. */
  readonly path: string;
  /** Index in its timeline. */
  readonly index: number;
  /** Container of the timeline. */
  readonly holder: 'root' | 'routine' | 'grid' | 'branch';
  /** True for the last action of its timeline. */
  readonly last: boolean;
  /** True inside a grid of the same root timeline or routine. */
  readonly inGrid: boolean;
  /** Number of the containing routine, or -1 in the root timeline. */
  readonly routine: number;
}

export type ActionVisitor = (action: Action, position: ActionPlace) => void;

interface TimelinePlace {
  readonly path: string;
  readonly holder: ActionPlace['holder'];
  readonly inGrid: boolean;
  readonly routine: number;
}

function walkTimeline(timeline: Timeline, parent: TimelinePlace, visit: ActionVisitor): void {
  timeline.forEach((action, index) => {
    const path = `${parent.path}/${index}`;
    const last = index === timeline.length - 1;
    visit(action, { ...parent, path, index, last });
    if (action.type === 'grid') {
      const inner = { ...parent, path: `${path}/timeline`, inGrid: true };
      walkTimeline(action.timeline, { ...inner, holder: 'grid' }, visit);
    }
    if (action.type === 'if') {
      action.branches.forEach((branch, i) => {
        const inner = { ...parent, path: `${path}/branches/${i}/timeline` };
        walkTimeline(branch.timeline, { ...inner, holder: 'branch' }, visit);
      });
    }
  });
}

/** Visits every action once, in document order: the root timeline, then each routine. */
export function walkActions(toolpath: Toolpath, visit: ActionVisitor): void {
  const root = { path: '/timeline', holder: 'root', inGrid: false, routine: -1 } as const;
  walkTimeline(toolpath.timeline, root, visit);
  toolpath.routines?.forEach((routine, i) => {
    const path = `/routines/${i}/timeline`;
    walkTimeline(routine.timeline, { path, holder: 'routine', inGrid: false, routine: i }, visit);
  });
}

/** The timelines directly inside an action. */
export function innerTimelines(action: Action): readonly Timeline[] {
  if (action.type === 'grid') return [action.timeline];
  return action.type === 'if' ? action.branches.map((branch) => branch.timeline) : [];
}

/** Name of the called routine; `routine` and `name` mean the same (D18). */
export function calledName(action: ActionOf<'call-routine'>): string {
  return action.routine ?? action.name ?? '';
}
