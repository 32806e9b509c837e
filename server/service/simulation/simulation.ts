import type { ArmDriver } from '../../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { DriverFaults } from '../../../bridge/fault-injecting-driver.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Cell, ResetScope } from '../../../contract/types.generated.ts';
import type { LoadedCheck } from '../../cell/loaded-check.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Timers } from '../../clock/timers.ts';
import type { Recording, RecordingParts } from '../../recording/recording.ts';
import type { FairQueue } from '../../shares/fair-queue.ts';
import type { Guard, LateError } from '../../store/guard.ts';
import type { Services } from '../http/services.ts';
import type { Hub } from '../stream/hub.ts';
import { Journal } from './call-journal.ts';
import type { Digest } from './digest.ts';
import { ExternalForces } from './external-forces.ts';
import type { ConnectionFaults } from './faults/connection-faults.ts';
import { createFaultTable } from './faults/fault-kinds.ts';
import { FaultList } from './faults/fault-list.ts';
import { FaultRules } from './faults/fault-rules.ts';
import type { InjectedFaults } from './faults/injected-faults.ts';
import type { ReplyFaults } from './faults/reply-faults.ts';
import type { InitialState } from './initial-state.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { Obstacles } from './obstacles.ts';
import { RobotRuns } from './robot-runs.ts';
import type { RobotStatus } from './robot-status.ts';
import type { RunReplays } from './run-replay.ts';
import { createSituationTable } from './situations/situation-table.ts';
import { Situations } from './situations/situations.ts';
import type { SnapshotTrials } from './snapshot-trial.ts';

export interface SimulationParts {
  readonly services: Services;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly driver: ArmDriver;
  /** Null for drivers without a simulated world: calls that need one return 501. */
  readonly world: ArmWorld | null;
  /** What the loaded toolpath meets in the cell; null for drivers without a simulated world. */
  readonly loadedCheck: LoadedCheck | null;
  /** Telemetry of the servos; null without servos. */
  readonly instruments: ArmInstruments | null;
  /** Null for drivers without a simulated world. */
  readonly driverFaults: DriverFaults | null;
  /** Rules of the fault-injecting parts; null for drivers without a simulated world. */
  readonly injectedFaults: InjectedFaults | null;
  /** The stream of the simulation control API. */
  readonly hub: Hub;
  readonly status: RobotStatus;
  readonly digest: Digest;
  /** Product and version, for recordings. */
  readonly product: string;
  readonly replayRun: RunReplays;
  /** Who replays runs now, and who waits for it. */
  readonly replayQueue: FairQueue;
  readonly trySnapshot: SnapshotTrials;
  readonly logError: (text: string) => void;
}

/**
 * The simulation control API's shared state: obstacles, forces, faults, snapshots, journal and
 * recording. It acts on the twin only through its ports (clock, simulated world, robot commands),
 * so that all effects are the product's own behaviour. Decisions D8, D34, D38.
 */
export class Simulation {
  readonly parts: SimulationParts;
  readonly obstacles: Obstacles;
  readonly faults: FaultList;
  readonly situations: Situations;
  readonly replyFaults: ReplyFaults = new FaultRules();
  readonly connectionFaults: ConnectionFaults = new FaultRules();
  readonly forces: ExternalForces;
  readonly snapshots: NamedSnapshots;
  readonly journal = new Journal();
  /** The latest recording in memory; null before the first. */
  recording: Recording | null = null;
  /** The kept runs of toolpaths; null without a simulated world. */
  readonly runs: RobotRuns | null;
  /** Resets of services that hold state of their own. */
  readonly resetHooks: ((scopes: ReadonlySet<ResetScope>) => void | Promise<void>)[] = [];
  /** Ends with the last work that takes or replaces the state of the whole twin. */
  private lastTurn: Promise<unknown> = Promise.resolve();
  /** The state at start-up; null until start-up is complete. */
  initialState: InitialState | null = null;

  constructor(parts: SimulationParts) {
    this.parts = parts;
    const { services, driver, world, injectedFaults: injected } = parts;
    const { loop } = services;
    this.obstacles = new Obstacles(loop, world);
    const table = createFaultTable({
      driverName: driver.name,
      loop,
      world,
      robot: services.robot,
      injected,
      replies: this.replyFaults,
      connections: this.connectionFaults,
      users: { has: (user_id) => services.users.find(user_id) !== null },
    });
    this.faults = new FaultList(table);
    const { obstacles, faults } = this;
    const ports = { services, driverName: driver.name, world, faults, obstacles };
    this.situations = new Situations(createSituationTable(ports));
    this.forces = new ExternalForces(loop, parts.timers);
    this.snapshots = new NamedSnapshots(driver.name, services.documents);
    const recordingParts = this.recordingParts;
    this.runs = recordingParts && new RobotRuns(recordingParts, () => faults.list());
    if (this.runs) loop.subscribe(this.runs);
  }

  /**
   * Runs work that takes or replaces the state of the whole twin in steps, such as a reset, after
   * such work that waits, unless the guard refuses then: two of them act one after the other.
   */
  inTurn<Value>(guard: Guard, work: () => Promise<Value>): Promise<Value | Refusal<LateError>> {
    const turn = this.lastTurn.then(async () => guard() ?? work());
    this.lastTurn = turn.catch(() => {});
    return turn;
  }

  /** Replaces the cell, or removes it; faults of its parts end. */
  setCell(cell: Cell | null): void {
    this.faults.clearCell();
    this.parts.services.loop.applyWorldAction({ kind: 'cell', cell });
  }

  /** Dependencies of a recording; null without a simulated world. */
  get recordingParts(): RecordingParts | null {
    const { services, driver, world, driverFaults, product } = this.parts;
    const { robot, loop } = services;
    if (!world || !driverFaults) return null;
    return {
      robot,
      loop,
      world,
      driverFaults,
      driver: driver.name,
      recorded_by: product,
    };
  }

  /** The refusal of calls that need a simulated world, or null. */
  get worldRefusal(): Refusal<'not_supported'> | null {
    if (this.parts.world) return null;
    return refuse('not_supported', `The driver ${this.parts.driver.name} has no simulated world`);
  }
}
