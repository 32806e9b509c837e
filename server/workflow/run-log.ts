/**
 * Publishes the events of a run: every event that can fire a hook, numbered, with the twin's time
 * (webhooks §2.3, §4).
 */
import type {
  LabwareMovement,
  NewPlan,
  RunEvent,
  RunStateChange,
  SafetyStateChange,
  TaskStateChange,
} from '../../contract/types.ts';
import type { WallClock } from '../clock/clock.ts';
import { type Timers, type TwinTime, timestamp } from '../clock/twin-time.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import type { SchedulingTerms } from './joint-problem.ts';
import type { WorkflowModel } from './model.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { RunFaults } from './run-tasks.ts';
import type { SharedWorkcell } from './shared-workcell.ts';
import type { LabwareTransporter } from './transporter.ts';

type Content<Body> = Omit<Body, 'run_id' | 'timestamp'>;

export type RunListener = (event: RunEvent) => void;

export class RunLog {
  private sequence = 0;
  private readonly run_id: string;
  private readonly time: TwinTime;
  /** Called with every event, in order. */
  private readonly listener: RunListener;

  constructor(run_id: number, time: TwinTime, listener: RunListener) {
    this.run_id = String(run_id);
    this.time = time;
    this.listener = listener;
  }

  private get head() {
    return { run_id: this.run_id, timestamp: timestamp(this.time) };
  }

  private next(): number {
    return ++this.sequence;
  }

  run(state: RunStateChange['state'], message = ''): void {
    const body = { ...this.head, state, message };
    this.listener({ sequence: this.next(), hook_type: 'RunStateChangeHook', body });
  }

  task(content: Content<TaskStateChange>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'TaskStateChangeHook', body });
  }

  safety(content: Content<SafetyStateChange>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'SafetyStateChangeHook', body });
  }

  labware(content: Content<LabwareMovement>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'LabwareMovementHook', body });
  }

  plan(content: Content<NewPlan>): void {
    const body = { ...this.head, ...content };
    this.listener({ sequence: this.next(), hook_type: 'NewPlanHook', body });
  }
}

/** The dependencies of a run. */
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
  readonly progress: RunProgress;
  readonly schedule: SchedulingTerms;
  readonly shared: SharedWorkcell;
  /** Whether an instrument is down. */
  readonly isDown: (id: string) => boolean;
  /** The begun move of the piece that is in the gripper at the start; null for none. */
  readonly held: MoveProgress | null;
}
