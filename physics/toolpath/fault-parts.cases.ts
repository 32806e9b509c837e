/**
 * Test code: building blocks of the toolpath faults, shared by faults.cases.ts and
 * placement-faults.cases.ts.
 */
import type { Action, Timeline, Toolpath, WaitCondition } from '../../contract/types.generated.ts';
import type { ActionOf } from './action-walk.ts';

/** Changes a toolpath in place and returns the pointers of the resulting problems. */
export type Break = (toolpath: Toolpath) => string | readonly string[];

export const toolAnalog = { location: 'end_effector', type: 'analog', index: 0 } as const;
export const analog = { location: 'base', type: 'analog', index: 1 } as const;
export const digital = { location: 'base', type: 'digital', index: 0 } as const;
export const goHome: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 };
export const goAway: Action = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 };
export const restart: Action = { type: 'restart' };
export const homeAction: Action = { type: 'home', waypoint_id: 0 };

/** Appends actions to the root timeline; returns the pointer of the last. */
export function append(toolpath: Toolpath, ...actions: Action[]): string {
  toolpath.timeline.push(...actions);
  return `/timeline/${toolpath.timeline.length - 1}`;
}

/** Appends a branch with this timeline; returns its pointer. */
export function appendBranch(toolpath: Toolpath, timeline: Timeline): string {
  const condition = { type: 'input', io: digital, value: true } as const;
  const at = append(toolpath, { type: 'if', branches: [{ condition, timeline }] });
  return `${at}/branches/0/timeline`;
}

export const square: ActionOf<'grid'> = {
  type: 'grid',
  cols: 2,
  rows: 2,
  w0: 1,
  wx: 2,
  wy: 3,
  timeline: [],
};

export function appendGrid(toolpath: Toolpath, change: Partial<ActionOf<'grid'>>): string {
  return append(toolpath, { ...square, ...change });
}

export function appendWait(toolpath: Toolpath, condition: object): string {
  return `${append(toolpath, { type: 'wait', condition: condition as WaitCondition })}/condition`;
}

/** Appends a routine; returns its number. */
export function appendRoutine(toolpath: Toolpath, name: string, timeline: Timeline): number {
  toolpath.routines ??= [];
  return toolpath.routines.push({ name, timeline }) - 1;
}
