/**
 * The hand on the twin as one object: what its handlers share, put together once. It reaches the
 * twin at the ports alone (clock, driver's world, robot's commands), so that whatever it causes is
 * the product's own behaviour. Decisions D8, D34, D38.
 */
import type { ArmDriver } from '../../bridge/arm-driver.ts';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { ArmDisturbance } from '../../bridge/disturbed-arm.ts';
import type { ResetScope } from '../../contract/types.ts';
import type { Clock } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import type { Rooms } from '../http/rooms.ts';
import type { DisturbedPlanner } from '../planning/disturbed-planner.ts';
import type { Digest } from '../recording/digest.ts';
import type { Recording, RecordingParts } from '../recording/recording.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Hub } from '../stream/hub.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { NamedStates } from './named-states.ts';
import { Obstacles } from './obstacles.ts';
import { type AnsweredCall, createProducers, type Fate } from './producers.ts';
import { Pushes } from './pushes.ts';
import type { Origin } from './twin-image.ts';

export interface SimulationParts {
  readonly rooms: Rooms;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly driver: ArmDriver;
  /** Null where nobody can reach into the world around the joints: those calls answer 501. */
  readonly world: ArmWorld | null;
  /** What an arm of servos tells of itself; null where there are none. */
  readonly instruments: ArmInstruments | null;
  readonly disturbance: ArmDisturbance;
  /** The twin's own stream. */
  readonly hub: Hub;
  readonly digest: Digest;
  /** Product and version, for what is written down. */
  readonly product: string;
  /** The rooms' planner, as the hand sees it. */
  readonly planner: DisturbedPlanner;
}

export class Simulation {
  readonly parts: SimulationParts;
  readonly obstacles: Obstacles;
  readonly faults: Faults;
  readonly fateOfReply: (call: AnsweredCall) => Fate | null;
  readonly pushes: Pushes;
  readonly states: NamedStates;
  readonly journal = new Journal();
  /** The latest recording in memory; null before the first. */
  recording: Recording | null = null;
  /** Rooms that remember things of their own and forget them at a reset of these scopes. */
  readonly onReset: ((scopes: ReadonlySet<ResetScope>) => void | Promise<void>)[] = [];
  /** The twin at its first moment; null until it has come up. */
  origin: Origin | null = null;

  constructor(parts: SimulationParts) {
    this.parts = parts;
    const { loop } = parts.rooms;
    this.obstacles = new Obstacles(loop);
    const { rooms, planner } = parts;
    const { producers, fateOfReply } = createProducers({
      loop,
      planner,
      stuckInputs: () => rooms.robot.memory.io.stuck,
      updates: rooms.updates,
      database: rooms.database,
      hub: rooms.hub,
    });
    this.faults = new Faults(producers);
    this.fateOfReply = fateOfReply;
    this.pushes = new Pushes(loop, parts.timers);
    this.states = new NamedStates(parts.driver.name);
  }

  /** What a recording of this twin needs; null where nobody sees its world. */
  get tapeParts(): RecordingParts | null {
    const { rooms, driver, world, disturbance, product } = this.parts;
    const { robot, loop } = rooms;
    if (!world) return null;
    return { robot, loop, world, disturbance, driver: driver.name, recorded_by: product };
  }

  /** Why the world around the joints cannot be reached, or null. */
  get worldRefusal(): Refusal | null {
    if (this.parts.world) return null;
    return refuse('not_supported', `The driver ${this.parts.driver.name} has no simulated world`);
  }
}
