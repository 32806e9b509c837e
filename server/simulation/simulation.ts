/**
 * The simulation control API's shared state: obstacles, forces, faults, snapshots, journal and
 * recording. It acts on the twin only through its ports (clock, simulated world, robot commands),
 * so that all effects are the product's own behaviour. Decisions D8, D34, D38.
 */
import type { ArmDriver } from '../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Cell, ResetScope } from '../../contract/types.ts';
import type { Clock } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { Services } from '../http/services.ts';
import type { Digest } from '../recording/digest.ts';
import type { Recording, RecordingParts } from '../recording/recording.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Hub } from '../stream/hub.ts';
import { FaultList, type InjectedFaults, type MessageFault } from './faults/fault-list.ts';
import { type AnsweredCall, createFaultProducers } from './faults/fault-producers.ts';
import { Journal } from './journal.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { Obstacles } from './obstacles.ts';
import type { RobotStatus } from './robot-status.ts';
import type { InitialState } from './twin-snapshot.ts';

/** External forces on the flange, with an optional duration. Units: N, robot frame. */
type ForceVector = readonly [number, number, number];

const NONE: ForceVector = [0, 0, 0];

class ExternalForces {
  private readonly loop: ControlLoop;
  private readonly timers: Timers;
  private cancel: Cancel = () => {};

  constructor(loop: ControlLoop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** Applies a force and replaces the previous one; a null duration has no end. */
  apply(force_n: ForceVector, duration_s: number | null): void {
    this.cancel();
    this.loop.applyWorldAction({ kind: 'push', force_n });
    if (duration_s === null) return;
    const due = tickOf(this.loop.now_s + duration_s);
    this.cancel = this.timers.at(
      due,
      () => void this.loop.applyWorldAction({ kind: 'push', force_n: NONE }),
    );
  }

  /** Cancels the end of the present force, because the world is restored from a snapshot. */
  cancelTimer(): void {
    this.cancel();
  }
}

export interface SimulationParts {
  readonly services: Services;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly driver: ArmDriver;
  /** Null for drivers without a simulated world: calls that need one return 501. */
  readonly world: ArmWorld | null;
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
}

export class Simulation {
  readonly parts: SimulationParts;
  readonly obstacles: Obstacles;
  readonly faults: FaultList;
  readonly replyFault: (call: AnsweredCall) => MessageFault | null;
  readonly forces: ExternalForces;
  readonly snapshots: NamedSnapshots;
  readonly journal = new Journal();
  /** The latest recording in memory; null before the first. */
  recording: Recording | null = null;
  /** Resets of services that hold state of their own. */
  readonly resetHooks: ((scopes: ReadonlySet<ResetScope>) => void | Promise<void>)[] = [];
  /** The state at start-up; null until start-up is complete. */
  initialState: InitialState | null = null;

  constructor(parts: SimulationParts) {
    this.parts = parts;
    const { loop } = parts.services;
    this.obstacles = new Obstacles(loop);
    const { services, driver, world, injectedFaults: injected } = parts;
    const { producers, replyFault } = createFaultProducers({
      driverName: driver.name,
      loop,
      world,
      stuckInputs: () => services.robot.memory.io.stuck,
      injected,
    });
    this.faults = new FaultList(producers);
    this.replyFault = replyFault;
    this.forces = new ExternalForces(loop, parts.timers);
    this.snapshots = new NamedSnapshots(parts.driver.name);
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
