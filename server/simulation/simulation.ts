/**
 * The simulation control API's shared state: obstacles, forces, faults, snapshots, journal and
 * recording. It acts on the twin only through its ports (clock, simulated world, robot commands),
 * so that all effects are the product's own behaviour. Decisions D8, D34, D38. Also: its obstacles,
 * forces on the flange and named snapshots.
 */
import type { ArmDriver } from '../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type {
  AddObstacleBody,
  Cell,
  NamedState,
  ResetScope,
  SimObstacle,
} from '../../contract/types.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import { normaliseQuaternion } from '../../physics/math/rotation.ts';
import type { Cancel, Clock } from '../clock/clock.ts';
import { type Timers, tickOf } from '../clock/twin-time.ts';
import type { DocumentReader, OpenedStateFile } from '../documents/document-tasks.ts';
import type { Services } from '../http/reply.ts';
import type { Recording, RecordingParts } from '../recording/recording.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Guard, LateError } from '../store/database.ts';
import type { Hub } from '../stream/hub.ts';
import { FaultList, type InjectedFaults } from './faults/fault-list.ts';
import { createFaultProducers, type ReplyFaults } from './faults/fault-producers.ts';
import { RobotRuns } from './robot-runs.ts';
import type { RobotStatus } from './robot-status.ts';
import type { RunReplays } from './run-replay.ts';
import type { SnapshotTrials } from './snapshot-trial.ts';
import type { InitialState, KeptSnapshot } from './twin-snapshot.ts';
import { type Digest, Journal } from './watches.ts';

/**
 * Obstacles in the simulated world, which the arm's own software does not know. Each has an id. The
 * simulated world receives the whole list at every change.
 */

/** Default stiffness (N/m): a stiff foam. */
const STIFFNESS_N_PER_M = 25_000;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

/** An obstacle with its id and with defaults filled in. */
function withDefaults(body: AddObstacleBody, id: number): SimObstacle {
  return {
    id,
    stiffness_n_per_m: STIFFNESS_N_PER_M,
    ...body,
    // The schema refuses zero, which alone has no direction.
    orientation: normaliseQuaternion(body.orientation ?? UPRIGHT) ?? UPRIGHT,
  };
}

class Obstacles {
  private readonly loop: ControlLoop;
  private entries: readonly SimObstacle[] = [];
  private lastId = 0;

  constructor(loop: ControlLoop) {
    this.loop = loop;
  }

  list(): readonly SimObstacle[] {
    return this.entries;
  }

  add(body: AddObstacleBody): SimObstacle | Refusal<'invalid_arguments'> {
    if (this.entries.length >= limits.obstacles) {
      return refuseLimitReached('obstacles', limits.obstacles);
    }
    const obstacle = withDefaults(body, this.lastId + 1);
    this.replaceAll([...this.entries, obstacle]);
    return obstacle;
  }

  /** Removes an obstacle; false for an unknown id. */
  remove(id: number): boolean {
    const left = this.entries.filter((entry) => entry.id !== id);
    if (left.length === this.entries.length) return false;
    this.replaceAll(left);
    return true;
  }

  /** Takes over the list of a restored world. */
  adopt(entries: readonly SimObstacle[]): void {
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), 0);
  }

  /** Replaces all obstacles. */
  replaceAll(entries: readonly SimObstacle[]): void {
    this.loop.applyWorldAction({
      kind: 'obstacles',
      obstacles: entries.map(({ id: _, ...obstacle }) => obstacle),
    });
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), this.lastId);
  }

  /** Replaces all obstacles and numbers them from 1. */
  replaceNumbered(bodies: readonly AddObstacleBody[]): void {
    this.replaceAll(bodies.map((body, i) => withDefaults(body, i + 1)));
  }
}

/** A snapshot in a file, with the physics that it belongs to. */
type SnapshotContent = KeptSnapshot & { readonly physics?: string };

/** A snapshot of a file, which was not restored yet: its content stays encoded. */
type EncodedSnapshot = Exclude<OpenedStateFile['content'], Refusal>;

function namedState(name: string, kept: KeptSnapshot | EncodedSnapshot): NamedState {
  if ('data' in kept) return { name, tick: kept.tick, state: kept.state };
  return { name, tick: kept.tick, state: kept.robot.memory.state };
}

/**
 * Named snapshots of the twin, in memory and as files. A file carries its SHA-256, which the
 * document reader compares; a damaged file is refused before anything is restored.
 */
class NamedSnapshots {
  private readonly driver: string;
  private readonly documents: DocumentReader;
  private readonly kept = new Map<string, KeptSnapshot | EncodedSnapshot>();

  constructor(driver: string, documents: DocumentReader) {
    this.driver = driver;
    this.documents = documents;
  }

  list(): readonly NamedState[] {
    return [...this.kept].map(([name, one]) => namedState(name, one));
  }

  /** Saves a snapshot under a name; replaces one of the same name. */
  save(
    name: string,
    snapshot: KeptSnapshot | EncodedSnapshot,
  ): NamedState | Refusal<'invalid_arguments'> {
    if (!this.kept.has(name) && this.kept.size >= limits.snapshots) {
      return refuseLimitReached('named snapshots', limits.snapshots);
    }
    this.kept.set(name, snapshot);
    return namedState(name, snapshot);
  }

  /** Whether the snapshot is of a file, which may be made by hand, and was not restored yet. */
  isUnproven(name: string): boolean {
    return 'data' in (this.kept.get(name) ?? {});
  }

  async find(name: string): Promise<KeptSnapshot | Refusal<'not_found'>> {
    const kept = this.kept.get(name);
    if (!kept) return refuse('not_found', `There is no snapshot “${name}”`);
    if (!('data' in kept)) return kept;
    const { physics: _, ...snapshot } = (await this.documents.plainData(
      kept.data,
    )) as SnapshotContent;
    return snapshot;
  }

  /** The content of a file of a snapshot. */
  async contentOf(name: string): Promise<SnapshotContent | Refusal<'not_found'>> {
    const snapshot = await this.find(name);
    return 'refused' in snapshot ? snapshot : { ...snapshot, physics: PHYSICS_FINGERPRINT };
  }

  /** Imports a snapshot from a file. */
  import({ name, content }: OpenedStateFile): NamedState | Refusal<'invalid_arguments'> {
    if ('refused' in content) return content;
    const { driver, physics } = content;
    if (driver !== this.driver) {
      const problem = `is from the driver ${driver}; this twin uses ${this.driver}`;
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    if (physics !== PHYSICS_FINGERPRINT) {
      const problem = 'is of a version with other physics; import it there';
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    return this.save(name, content);
  }

  clear(): void {
    this.kept.clear();
  }
}

/** External forces on the flange, with an optional duration. Units: N, robot frame. */
type ForceVector = readonly [number, number, number];

const NONE: ForceVector = [0, 0, 0];

export class ExternalForces {
  private readonly loop: ControlLoop;
  private readonly timers: Timers;
  private cancel: Cancel = () => {};
  private end_tick: number | null = null;

  constructor(loop: ControlLoop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** Tick at which the present force ends; null: none or without end. */
  get endTick(): number | null {
    return this.end_tick;
  }

  /** Applies a force and replaces the previous one; a null duration has no end. */
  apply(force_n: ForceVector, duration_s: number | null): void {
    this.loop.applyWorldAction({ kind: 'push', force_n });
    this.endAt(duration_s === null ? null : tickOf(this.loop.now_s + duration_s));
  }

  /** Sets the end of the present force: of a new one, or of the one in a restored world. */
  endAt(tick: number | null): void {
    this.cancel();
    this.cancel = () => {};
    this.end_tick = tick;
    if (tick === null) return;
    this.cancel = this.timers.at(tick, () => {
      this.end_tick = null;
      this.loop.applyWorldAction({ kind: 'push', force_n: NONE });
    });
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
  readonly replayRun: RunReplays;
  readonly trySnapshot: SnapshotTrials;
  readonly logError: (text: string) => void;
}

export class Simulation {
  readonly parts: SimulationParts;
  readonly obstacles: Obstacles;
  readonly faults: FaultList;
  readonly replyFaults: ReplyFaults;
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
    const { loop } = parts.services;
    this.obstacles = new Obstacles(loop);
    const { services, driver, world, injectedFaults: injected } = parts;
    const { producers, replyFaults } = createFaultProducers({
      driverName: driver.name,
      loop,
      world,
      stuckInputs: () => services.robot.memory.io.stuck,
      injected,
    });
    this.faults = new FaultList(producers);
    this.replyFaults = replyFaults;
    this.forces = new ExternalForces(loop, parts.timers);
    this.snapshots = new NamedSnapshots(driver.name, services.documents);
    this.runs = this.recordingParts && new RobotRuns(this.recordingParts);
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
