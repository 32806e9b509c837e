/** What a run is given: the workflow, the ways to move and to tell, and the twin's time. */
import type { Timers } from '../clock/timers.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Loop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { WorkflowModel } from './model.ts';
import type { Moves } from './moves.ts';
import type { RunFaults } from './run-faults.ts';
import type { RunLog } from './run-log.ts';
import type { Transport } from './transport.ts';

export interface RunParts {
  readonly model: WorkflowModel;
  readonly moves: Moves;
  readonly transport: Transport;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly seed: number;
  /** Whether an instrument has been taken down. */
  readonly isDown: (id: string) => boolean;
  /** The run has stopped for good. */
  readonly onEnd: (message: string) => void;
}
