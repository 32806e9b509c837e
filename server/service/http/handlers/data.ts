/** Handlers of the robot's data (§4.6). */
import type { Robot } from '../../../robot/robot.ts';
import type { Handlers } from '../handler.ts';
import { answer, EMPTY } from '../reply.ts';

/** Snapshot sections that an edit of globals can change: an input may be wired to an output. */
const EDITED_SECTIONS = ['global.inputs', 'global.outputs'];

/** The latest snapshot of each robot as text: many calls can come between two ticks. */
const snapshotTexts = new WeakMap<Robot, { readonly version: number; readonly text: string }>();

function snapshotText(robot: Robot): string {
  const { version } = robot;
  const cached = snapshotTexts.get(robot);
  if (cached?.version === version) return cached.text;
  const text = JSON.stringify({ snapshot: robot.snapshot() });
  snapshotTexts.set(robot, { version, text });
  return text;
}

export const dataHandlers: Handlers = {
  getSnapshot: (_call, { robot }) => ({ ...EMPTY, text: snapshotText(robot) }),

  changeGlobals({ caller, body }, { robot, loop }) {
    const observer = robot.createDifference();
    const refusal = loop.apply({ kind: 'globals', caller, changes: body.changes });
    return refusal ?? answer({ changes: observer.take(robot.source, EDITED_SECTIONS) ?? {} });
  },
};
