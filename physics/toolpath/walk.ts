/**
 * Visits every action of a toolpath with its place, so that each rule of the check can be one
 * small function over one action. Also the pointers that name places. Spec §2.2.
 */
import type { Action, Timeline, Toolpath } from '../../contract/types.ts';

export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

/** Where an action stands. */
export interface Place {
  /** JSON pointer of the action. */
  readonly path: string;
  /** Position in its timeline. */
  readonly index: number;
  /** What holds the timeline. */
  readonly holder: 'root' | 'routine' | 'grid' | 'branch';
  /** True for the last action of its timeline. */
  readonly last: boolean;
  /** True inside a grid of the same root timeline or routine. */
  readonly inGrid: boolean;
  /** Number of the routine that the action belongs to, or -1 in the root timeline. */
  readonly routine: number;
}

export type Visit = (action: Action, place: Place) => void;

interface Surroundings {
  readonly path: string;
  readonly holder: Place['holder'];
  readonly inGrid: boolean;
  readonly routine: number;
}

function walkTimeline(timeline: Timeline, around: Surroundings, visit: Visit): void {
  timeline.forEach((action, index) => {
    const path = `${around.path}/${index}`;
    const last = index === timeline.length - 1;
    visit(action, { ...around, path, index, last });
    if (action.type === 'grid') {
      const inner = { ...around, path: `${path}/timeline`, inGrid: true };
      walkTimeline(action.timeline, { ...inner, holder: 'grid' }, visit);
    }
    if (action.type === 'if') {
      action.branches.forEach((branch, i) => {
        const inner = { ...around, path: `${path}/branches/${i}/timeline` };
        walkTimeline(branch.timeline, { ...inner, holder: 'branch' }, visit);
      });
    }
  });
}

/** Visits every action once, in writing order: the root timeline, then each routine. */
export function walkActions(toolpath: Toolpath, visit: Visit): void {
  const root = { path: '/timeline', holder: 'root', inGrid: false, routine: -1 } as const;
  walkTimeline(toolpath.timeline, root, visit);
  toolpath.routines?.forEach((routine, i) => {
    const path = `/routines/${i}/timeline`;
    walkTimeline(routine.timeline, { path, holder: 'routine', inGrid: false, routine: i }, visit);
  });
}

/** The timelines that an action holds itself. */
export function innerTimelines(action: Action): readonly Timeline[] {
  if (action.type === 'grid') return [action.timeline];
  return action.type === 'if' ? action.branches.map((branch) => branch.timeline) : [];
}

/** The name of the routine that an action calls; `routine` and `name` mean the same (D18). */
export function calledName(action: ActionOf<'call-routine'>): string {
  return action.routine ?? action.name ?? '';
}
