/** Reading and editing the robot's data (spec §4.6). */
import { answer, type Handlers } from '../handler.ts';

/** Sections that an edit of globals can change: an input may be wired to an output. */
const EDITED_SECTIONS = ['global.inputs', 'global.outputs'];

export const dataHandlers: Handlers = {
  getSnapshot: (_call, { robot }) => answer({ snapshot: robot.snapshot() }),

  changeGlobals({ caller, body }, { robot, loop }) {
    const observer = robot.observe();
    const refusal = loop.apply({ kind: 'globals', caller, changes: body.changes });
    return refusal ?? answer({ changes: observer.take(robot.source, EDITED_SECTIONS) ?? {} });
  },
};
