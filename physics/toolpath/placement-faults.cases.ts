/**
 * Test code: faults of the placement of actions and of calls, as changes to a valid toolpath (see
 * faults.cases.ts).
 */
import type { Action } from '../../contract/types.generated.ts';
import {
  append,
  appendBranch,
  appendGrid,
  appendRoutine,
  type Break,
  digital,
  goAway,
  goHome,
  homeAction,
  restart,
  square,
} from './fault-parts.cases.ts';

export const placementFaults: Record<string, Break> = {
  'no home': (toolpath) => {
    toolpath.timeline = toolpath.timeline.filter((action) => action.type !== 'home');
    return '/timeline';
  },
  'a second home': (toolpath) => append(toolpath, homeAction),
  'a home in a branch': (toolpath) => `${appendBranch(toolpath, [homeAction])}/0`,
  'a home in a grid': (toolpath) =>
    `${appendGrid(toolpath, { timeline: [homeAction] })}/timeline/0`,
  'a home in a routine': (toolpath) =>
    `/routines/${appendRoutine(toolpath, 'another', [homeAction])}/timeline/0`,
  'a home after a trajectory': (toolpath) => {
    toolpath.timeline.unshift(goHome);
    return '/timeline/1';
  },
  'a home after a routine that moves': (toolpath) => {
    appendRoutine(toolpath, 'another', [goHome]);
    toolpath.timeline.unshift({ type: 'call-routine', routine: 'another' });
    return '/timeline/1';
  },
  'a restart in the root': (toolpath) => append(toolpath, goHome, restart),
  'a restart in a grid': (toolpath) =>
    `${appendGrid(toolpath, { timeline: [goHome, restart] })}/timeline/1`,
  'a restart before the end of a branch': (toolpath) =>
    `${appendBranch(toolpath, [goHome, restart, goAway])}/1`,
  'a restart away from home': (toolpath) => `${appendBranch(toolpath, [goAway, restart])}/1`,
  'a restart after a trajectory outside its branch': (toolpath) => {
    append(toolpath, goHome, goAway);
    return `${appendBranch(toolpath, [restart])}/0`;
  },
  'a restart after a branch that may have moved': (toolpath) => {
    append(toolpath, goHome);
    appendBranch(toolpath, [goAway]);
    return `${appendBranch(toolpath, [restart])}/0`;
  },
  'a restart in a routine called away from home': (toolpath) => {
    const condition = { type: 'input', io: digital, value: true } as const;
    const leave: Action = { type: 'if', branches: [{ condition, timeline: [restart] }] };
    const number = appendRoutine(toolpath, 'another', [leave]);
    append(toolpath, goAway, { type: 'call-routine', routine: 'another' });
    return `/routines/${number}/timeline/0/branches/0/timeline/0`;
  },
  'a restart in the second cell of a grid that moves': (toolpath) => {
    const condition = { type: 'input', io: digital, value: true } as const;
    const leave: Action = { type: 'if', branches: [{ condition, timeline: [restart] }] };
    append(toolpath, goHome);
    const at = appendGrid(toolpath, { timeline: [leave, goAway] });
    return `${at}/timeline/0/branches/0/timeline/0`;
  },
  'a grid-waypoint in the root': (toolpath) =>
    append(toolpath, { type: 'grid-waypoint', z_offset: 0 }),
  'a grid-waypoint in a routine': (toolpath) => {
    const stray: Action = { type: 'grid-waypoint', z_offset: 0 };
    return `/routines/${appendRoutine(toolpath, 'another', [stray])}/timeline/0`;
  },
};

export const routineFaults: Record<string, Break> = {
  'an unknown routine': (toolpath) =>
    `${append(toolpath, { type: 'call-routine', routine: 'none' })}/routine`,
  'an unknown routine by name': (toolpath) =>
    `${append(toolpath, { type: 'call-routine', name: 'none' })}/name`,
  'routine and name that differ': (toolpath) =>
    `${append(toolpath, { type: 'call-routine', routine: 'routine 0', name: 'routine 1' })}/name`,
  'a routine name twice': (toolpath) =>
    `/routines/${appendRoutine(toolpath, 'routine 0', [])}/name`,
  'a routine that calls itself': (toolpath) => {
    const call: Action = { type: 'call-routine', routine: 'loop' };
    return `/routines/${appendRoutine(toolpath, 'loop', [call])}/timeline/0/routine`;
  },
  'routines that call each other from inside a grid': (toolpath) => {
    const there: Action = { type: 'call-routine', routine: 'there' };
    const back: Action = { type: 'call-routine', name: 'here' };
    const here = appendRoutine(toolpath, 'here', [{ ...square, timeline: [there] }]);
    const other = appendRoutine(toolpath, 'there', [back]);
    return [
      `/routines/${here}/timeline/0/timeline/0/routine`,
      `/routines/${other}/timeline/0/name`,
    ];
  },
  'too many actions': (toolpath) => {
    const many = Array.from({ length: 5_001 }, () => goHome);
    appendRoutine(toolpath, 'long', many);
    return '/timeline';
  },
  'too many actions when unrolled': (toolpath) => {
    appendRoutine(
      toolpath,
      'forty',
      Array.from({ length: 40 }, () => goHome),
    );
    const call: Action = { type: 'call-routine', routine: 'forty' };
    appendGrid(toolpath, { cols: 100, rows: 50, timeline: [call] });
    return '/timeline';
  },
};
