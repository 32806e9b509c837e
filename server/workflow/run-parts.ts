/** The dependencies of a run. */
import type { Timers } from '../clock/timers.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { WorkflowModel } from './model.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunLog } from './run-log.ts';
import type { RunFaults } from './run-tasks.ts';
import type { LabwareTransporter } from './transporter.ts';

export interface RunParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly transporter: LabwareTransporter;
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly timers: Timers;
  readonly wall: WallClock;
  readonly log: RunLog;
  readonly faults: RunFaults;
  readonly seed: number;
  /** Whether an instrument is down. */
  readonly isDown: (id: string) => boolean;
  /** Called when the run has stopped. */
  readonly onEnd: (message: string) => void;
}
