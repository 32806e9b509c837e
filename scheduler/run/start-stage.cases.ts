/** The start of runs with hand-made runs, archive, workcells and arm around it. */

import type { RunEvent, StartRunBody } from '../../contract/types.generated.ts';
import { RobotArm } from '../../server/app/robot-arm.ts';
import type { Command } from '../../server/robot/commands.ts';
import type { RunRecord } from '../archive/run-record.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { locationKey } from '../plan/slot-location.ts';
import type { DeckPlace } from '../workcell/deck.ts';
import { freePlanning } from './free-planning.cases.ts';
import type { LiveRun } from './live-run.ts';
import { at, HOTEL, quickWall, READ_B, READER, WASH_B, WASHER } from './run-parts.cases.ts';
import { onePlate, StagedLoop } from './run-stage.cases.ts';
import { RunStarter } from './run-starter.ts';
import type { StartRequest } from './start-request.ts';

export const CALLER = { user_id: 3, token_id: 1, role: 'user' } as const;

const POSE = [0, 0, 0, 0, 0, 0];

/** The model of a definition with plate a and, without tasks, plate b. */
function plannedModel(rest: Partial<WorkflowModel> = {}): WorkflowModel {
  const done = { skip: true, candidates: [], uses: [] };
  const model = onePlate({ ...rest, changed: { [WASH_B!]: done, [READ_B!]: done } });
  const [first, second] = model.labware;
  return { ...model, labware: [first!, { ...second!, tasks: [] }] };
}

/** A model whose plates the arm carries. */
export function carriedModel(): WorkflowModel {
  const station = { approach: POSE, grip: POSE };
  const slots = [at(HOTEL!, 1), at(HOTEL!, 2), at(WASHER!, 1), at(READER!, 1), at(READER!, 2)];
  const gripper = { location: 'base', type: 'digital', index: 0, closed: true, settle_s: 1 };
  const config = { home: POSE, default_max_speed: 0.5, gripper, stations: {} };
  const stations = new Map(slots.map((slot) => [locationKey(slot), station]));
  return plannedModel({ arm: { config: config as never, stations } });
}

/** A control loop that accepts commands, unless the test refuses a kind. */
class CommandLoop extends StagedLoop {
  readonly commands: string[] = [];
  readonly refusals = new Map<string, object>();

  apply({ kind }: Command): object | null {
    this.commands.push(kind);
    return this.refusals.get(kind) ?? null;
  }

  /** How often the lock was taken and given back. */
  get locks() {
    const count = (kind: string) => this.commands.filter((one) => one === kind).length;
    return { taken: count('lock'), released: count('release_lock') };
  }
}

/** The definition of plate a in the hotel, on the workcell of the stage. */
function definitionOf(instruments: readonly object[]) {
  const plates = [
    { id: 'plate_a', starting_location: { instrument: 'hotel', slot: 1 } },
    { id: 'plate_b', starting_location: { instrument: 'hotel', slot: 2 } },
  ];
  const workcell = { workcell_id: 'one', instruments };
  return { name: 'day', workflow: { labware: plates, tasks: {} }, workcell };
}

/** Starts at 100 s of the twin; workcell 1 has the instruments of the definition. */
export class StartStage {
  readonly loop = new CommandLoop();
  readonly events: RunEvent[] = [];
  readonly records: RunRecord[] = [];
  readonly down = new Set<string>();
  /** Workflows that were checked, in order. */
  readonly checked: number[] = [];
  readonly settled: unknown[] = [];
  readonly live = new Map<number, LiveRun>();
  readonly robot = {
    memory: {
      estop: false,
      state: 'idle',
      io: { outputs: {} },
      ending: null,
      activity: null,
    },
    restPose: new Float64Array(6),
    holdsLock: () => this.loop.locks.taken > this.loop.locks.released,
  };
  readonly clock = { pace: { kind: 'stepped' } };
  readonly instruments = [
    { id: 'hotel', type: 'hotel', bench: 'a', capacity: 10 },
    { id: 'washer', type: 'washer', bench: 'a', capacity: 1 },
    { id: 'reader', type: 'reader', bench: 'a', capacity: 2 },
  ];
  readonly deck = new Map<string, DeckPlace>();
  /** The workcell whose arm holds a piece. */
  holding: object | null = null;
  generation = 0;
  model: WorkflowModel = plannedModel();
  errors: { path: string; message: string }[] | null = null;
  /** Called while a move by the arm is planned, and while a run is stored. */
  onPlan = () => {};
  onStore = () => {};
  recheck: StartRequest['recheck'] = () => null;
  readonly starter: RunStarter;

  constructor() {
    this.loop.advanceTo(100);
    const { loop, robot, clock } = this;
    const runs = this.runs();
    const { timers } = loop;
    const planner = {
      load: async () => {
        this.onPlan();
        const wait = { kind: 'wait', condition: { type: 'time', duration: 5 }, next: -1 };
        return { kind: 'built', loaded: { program: { steps: [wait], first: 0 } } };
      },
    };
    const arm = new RobotArm({ robot, loop, planner } as never);
    const parts = { arm, time: loop, timers, clock, wall: quickWall, cell: () => null };
    const planning = freePlanning();
    const rest = { archive: this.archive(), workcells: this.workcells(), planning };
    this.starter = new RunStarter(runs as never, { ...parts, ...rest } as never);
  }

  private runs() {
    const stage = this;
    return {
      live: this.live,
      get generation() {
        return stage.generation;
      },
      downSince: (id: string) => (this.down.has(id) ? 0 : null),
      onEvent: (record: RunRecord, event: RunEvent) => {
        if (this.records.includes(record)) this.events.push(event);
      },
      settled: async (record: RunRecord) => void this.settled.push(record, this.live.size),
      idsOn: () => [],
      updateDecks: () => {},
      find: () => null,
      sharedOn: (id: number) =>
        [...this.live.values()].find((one) => one.workcell_id === id)?.run.shared ?? null,
    };
  }

  private archive() {
    return {
      refusal: () => null,
      create: async (withId: (id: number) => RunRecord, onCreated: unknown) => {
        this.onStore();
        const record = withId(7 + this.records.length);
        this.records.push(record);
        if (typeof onCreated === 'function') onCreated('draft', record.head);
        return record;
      },
    };
  }

  private workcells() {
    const { instruments, deck } = this;
    const workcell = { id: 1, owner_id: 3, name: 'one', instruments, deck };
    return {
      named: () => workcell,
      get: () => workcell,
      stations: [],
      holding: (except: number) => (except === 1 ? this.holding : null),
    };
  }

  request(options: StartRunBody = {}, workflow_id = 2): StartRequest {
    return {
      caller: CALLER,
      workflow_id,
      definition: definitionOf(this.instruments) as never,
      check: async () => {
        this.checked.push(workflow_id);
        const { errors } = this;
        const model = errors === null ? this.model : null;
        return { model, errors: errors ?? [], warnings: [], definition: null } as never;
      },
      options,
      recheck: () => this.recheck(),
    };
  }

  start(options?: StartRunBody, workflow_id?: number) {
    return this.starter.start(this.request(options, workflow_id));
  }

  /** The last live run. */
  get run() {
    return [...this.live.values()].at(-1)!.run;
  }

  /** The messages and states of the events, with their times in the run (s). */
  get story(): string[] {
    return this.events.map(({ body }) => {
      const subject = 'task_id' in body ? body.task_id : 'labware_id' in body ? 'move' : 'run';
      const state = 'state' in body ? body.state : 'plan';
      return `${Date.parse(body.timestamp) / 1000 - 1_577_836_900} ${subject} ${state}`;
    });
  }
}
