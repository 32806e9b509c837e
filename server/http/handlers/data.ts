/** Reading and editing the robot's data (spec §4.6). */
import type { Robot } from '../../robot/robot.ts';
import { answer, EMPTY, type Handlers } from '../handler.ts';

/** Sections that an edit of globals can change: an input may be wired to an output. */
const EDITED_SECTIONS = ['global.inputs', 'global.outputs'];

/** The latest snapshot of each robot as text: many ask between two ticks. */
const texts = new WeakMap<Robot, { readonly version: number; readonly text: string }>();

function snapshotText(robot: Robot): string {
  const { version } = robot;
  const known = texts.get(robot);
  if (known?.version === version) return known.text;
  const text = JSON.stringify({ snapshot: robot.snapshot() });
  texts.set(robot, { version, text });
  return text;
}

export const dataHandlers: Handlers = {
  getSnapshot: (_call, { robot }) => ({ ...EMPTY, text: snapshotText(robot) }),

  changeGlobals({ caller, body }, { robot, loop }) {
    const observer = robot.observe();
    const refusal = loop.apply({ kind: 'globals', caller, changes: body.changes });
    return refusal ?? answer({ changes: observer.take(robot.source, EDITED_SECTIONS) ?? {} });
  },
};
