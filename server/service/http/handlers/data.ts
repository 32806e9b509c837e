/** Handlers of the robot's data (§4.6). */
import type { Robot } from '../../../robot/robot.ts';
import type { Handlers } from '../handler.ts';
import { answer, EMPTY } from '../reply.ts';

/** Snapshot sections that an edit of globals can change: an input may be wired to an output. */
const EDITED_SECTIONS = ['global.inputs', 'global.outputs'];

/** The latest snapshot of a robot as text: many calls can come between two ticks. */
class SnapshotText {
  private readonly robot: Pick<Robot, 'version' | 'snapshot'>;
  private version = -1;
  private latest = '';

  constructor(robot: Pick<Robot, 'version' | 'snapshot'>) {
    this.robot = robot;
  }

  get text(): string {
    const { version } = this.robot;
    if (version === this.version) return this.latest;
    this.latest = JSON.stringify({ snapshot: this.robot.snapshot() });
    this.version = version;
    return this.latest;
  }
}

/** Creates the handlers of one robot's data. */
export function createDataHandlers(robot: Pick<Robot, 'version' | 'snapshot'>) {
  const snapshot = new SnapshotText(robot);
  return {
    getSnapshot: () => ({ ...EMPTY, text: snapshot.text }),

    changeGlobals({ caller, body }, { robot: edited, loop }) {
      const observer = edited.createDifference();
      const refusal = loop.apply({ kind: 'globals', caller, changes: body.changes });
      return refusal ?? answer({ changes: observer.take(edited.source, EDITED_SECTIONS) ?? {} });
    },
  } satisfies Handlers;
}
