/**
 * Producers of all fault kinds. Each acts at one port of the twin: driver, inputs, planner,
 * updates, stream, database or replies.
 */
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { ReplyFaultBody, StreamFaultBody } from '../../../contract/types.ts';
import {
  type CellFault,
  drawMisplacement,
  type GripperFault,
  SOUND_GRIPPER,
} from '../../../physics/cell/cell-faults.ts';
import type { CellPlant } from '../../../physics/cell/cell-plant.ts';
import { SOUND_SENSOR } from '../../../physics/cell/sensors.ts';
import { createPrng } from '../../../physics/math/portable.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import { pathMatches } from '../watches.ts';
import {
  type FaultBody,
  type FaultKind,
  type FaultProducer,
  type FaultProducers,
  type FaultReporter,
  FaultRules,
  type InjectedFaults,
  type MessageFault,
} from './fault-list.ts';

/** The ports at which faults act. */
export interface FaultPorts {
  readonly driverName: string;
  readonly loop: ControlLoop;
  /** The simulated world with the cell; null without one. */
  readonly world: ArmWorld | null;
  readonly stuckInputs: () => Readonly<Record<string, boolean>>;
  /** Rules of the fault-injecting parts; null where the plain parts are composed. */
  readonly injected: InjectedFaults | null;
}

/** A call as the rules of reply faults see it. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
}

/** The rules of the active reply faults. */
export type ReplyFaults = FaultRules<AnsweredCall, MessageFault>;

/** Draws true with a probability, reproducibly by the seed. */
export function createDraw(probability: number, seed: number): () => boolean {
  const random = createPrng(seed);
  return () => probability >= 1 || random() < probability;
}

function messageFault({ effect, delay_s }: ReplyFaultBody | StreamFaultBody): MessageFault {
  return effect === 'drop' ? 'drop' : { delay_s: delay_s ?? 0 };
}

/** What is wrong with the delay of a fault, or null. */
function delayProblem(body: ReplyFaultBody | StreamFaultBody): Refusal<'invalid_arguments'> | null {
  const { effect, delay_s } = body;
  if (effect === 'drop') return unusedField(body, effect, ['delay_s']);
  return delay_s === undefined ? invalid('/delay_s', 'is required to delay') : null;
}

/** Faults of the joints and the input signals. */
function armProducers({ driverName, loop, stuckInputs }: FaultPorts) {
  const driver: FaultProducer<'driver'> = ({ joint, fault }, { applied }) => {
    if (!loop.applyWorldAction({ kind: 'joint_fault', joint, fault })) {
      return refuse(
        'not_supported',
        `The driver ${driverName} does not support the fault ${fault}`,
      );
    }
    applied();
    return () => void loop.applyWorldAction({ kind: 'joint_fault', joint, fault: null });
  };
  const collision: FaultProducer<'collision'> = ({ joint }, { applied, expired }) => {
    if (!loop.applyWorldAction({ kind: 'contact', joint })) {
      return refuse(
        'not_supported',
        `The driver ${driverName} does not support injected collisions`,
      );
    }
    applied();
    expired();
    return () => {};
  };
  const sensor_noise: FaultProducer<'sensor_noise'> = (fault, { applied }) => {
    const { position_rad = 0, velocity_rad_s = 0, temperature_c = 0, seed = 0 } = fault;
    const noise = { position_rad, velocity_rad_s, temperature_c, seed };
    if (!loop.applyWorldAction({ kind: 'noise', noise })) {
      return refuse('not_supported', `The driver ${driverName} does not support sensor noise`);
    }
    applied();
    return () => void loop.applyWorldAction({ kind: 'noise', noise: null });
  };
  const stuck_input: FaultProducer<'stuck_input'> = ({ input }, { applied }) => {
    loop.apply({ kind: 'stick_inputs', stuck: { ...stuckInputs(), [input]: true } });
    applied();
    return () => {
      const { [input]: _, ...stuck } = stuckInputs();
      loop.apply({ kind: 'stick_inputs', stuck });
    };
  };
  return { driver, collision, sensor_noise, stuck_input };
}

const DEFAULT_FAULT_S = 1;
const DEFAULT_SPREAD_MM = 10;
const M_PER_MM = 1e-3;

interface Named {
  readonly name: string;
}

/** The faults that a field of a body is for; of the others it would have no effect. */
const FIELD_USES = {
  after_s: ['slips', 'leaks'],
  late_s: ['late'],
  spread_mm: ['misplaced'],
  seed: ['misplaced'],
  delay_s: ['delay'],
} as const;

/** The refusal of a field that the chosen fault does not use, or null. */
function unusedField(
  body: object,
  chosen: string,
  fields: readonly (keyof typeof FIELD_USES)[],
): Refusal<'invalid_arguments'> | null {
  const given = new Set(Object.keys(body));
  const unused = fields.find((field) => {
    const uses: readonly string[] = FIELD_USES[field];
    return given.has(field) && !uses.includes(chosen);
  });
  if (unused === undefined) return null;
  const uses = FIELD_USES[unused].map((use) => `“${use}”`).join(' or ');
  return invalid(`/${unused}`, `is for ${uses} only; leave it out`);
}

function gripperFaultOf({ fault, after_s = DEFAULT_FAULT_S }: FaultBody<'gripper'>): GripperFault {
  return {
    ...SOUND_GRIPPER,
    isJammed: fault === 'jammed',
    ...(fault === 'slips' && { slipsAfter_s: after_s }),
    ...(fault === 'leaks' && { leaksIn_s: after_s }),
  };
}

/** Faults of the parts of the cell. */
function cellProducers({ driverName, loop, world }: FaultPorts) {
  /** The number of a part, or the refusal of a fault of it. */
  const find = (part: CellFault['part'], name: string) => {
    if (!world) return refuse('not_supported', `The driver ${driverName} has no simulated world`);
    const model = world.cell?.model;
    const lists: Record<CellFault['part'], readonly Named[]> = {
      gripper: model?.grippers.map(({ description }) => description) ?? [],
      object: model?.bodies ?? [],
      sensor: model?.sensors ?? [],
      conveyor: model?.belts ?? [],
    };
    const index = lists[part].findIndex((one) => one.name === name);
    return index < 0 ? invalid(`/${part}`, `the cell has no ${part} “${name}”`) : index;
  };
  const start = (fault: CellFault, { applied }: FaultReporter) => {
    loop.applyWorldAction({ kind: 'cell_fault', fault, active: true });
    applied();
    return () => void loop.applyWorldAction({ kind: 'cell_fault', fault, active: false });
  };
  const gripper: FaultProducer<'gripper'> = (body, reporter) => {
    const index = find('gripper', body.gripper);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, ['after_s']);
    if (unused) return unused;
    const isCup = world?.cell?.model.grippers[index]?.description.kind === 'suction';
    if (body.fault === 'leaks' && !isCup) return invalid('/fault', 'only a suction cup leaks');
    return start({ part: 'gripper', index, fault: gripperFaultOf(body) }, reporter);
  };
  const sensor: FaultProducer<'sensor'> = (body, reporter) => {
    const index = find('sensor', body.sensor);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, ['late_s']);
    if (unused) return unused;
    const { late_s = DEFAULT_FAULT_S } = body;
    const fault = body.fault === 'stuck' ? { isStuck: true } : { late_s };
    return start({ part: 'sensor', index, fault: { ...SOUND_SENSOR, ...fault } }, reporter);
  };
  const conveyor: FaultProducer<'conveyor'> = (body, reporter) => {
    const index = find('conveyor', body.conveyor);
    return typeof index === 'number' ? start({ part: 'conveyor', index }, reporter) : index;
  };
  const object: FaultProducer<'object'> = (body, reporter) => {
    const index = find('object', body.object);
    if (typeof index !== 'number') return index;
    const unused = unusedField(body, body.fault, ['spread_mm', 'seed']);
    if (unused) return unused;
    if (body.fault === 'missing') return start({ part: 'object', index }, reporter);
    const { spread_mm = DEFAULT_SPREAD_MM, seed = 0 } = body;
    const frame = drawMisplacement(world!.cell!, index, spread_mm * M_PER_MM, createPrng(seed));
    if (!frame) return noPlace(world!.cell!, index);
    const placed = { object: index, frame: Array.from(frame), misplaced: true };
    loop.applyWorldAction({ kind: 'cell_move', ...placed });
    reporter.applied();
    reporter.expired();
    return () => {};
  };
  return { gripper, sensor, conveyor, object };
}

/** Why an object cannot be misplaced. */
function noPlace({ grippers }: CellPlant, object: number): Refusal<'invalid_arguments'> {
  const holder = grippers.find(({ holds }) => holds === object);
  if (holder) return invalid('/object', `is held by ${holder.name}`);
  return invalid('/spread_mm', 'leaves no free place for a loose object');
}

function invalid(path: string, problem: string): Refusal<'invalid_arguments'> {
  return refuse('invalid_arguments', [{ path, problem }]);
}

const always = () => true;

/** Faults of planner, updates, stream and database; refused where the plain parts are composed. */
function serviceProducers({ driverName, injected }: FaultPorts) {
  const unsupported = () =>
    refuse('not_supported', `Only a simulated arm has this fault; this twin uses ${driverName}`);
  const update_failure: FaultProducer<'update_failure'> = ({ times }, reporter) =>
    injected?.installations.add({ matches: always, effect: 'fails', times }, reporter) ??
    unsupported();
  const slow_planner: FaultProducer<'slow_planner'> = ({ delay_s, times }, reporter) => {
    const effect = { delay_s, fails: false };
    return injected?.plans.add({ matches: always, effect, times }, reporter) ?? unsupported();
  };
  const failing_planner: FaultProducer<'failing_planner'> = ({ times }, reporter) => {
    const effect = { delay_s: 0, fails: true };
    return injected?.plans.add({ matches: always, effect, times }, reporter) ?? unsupported();
  };
  const disk_full: FaultProducer<'disk_full'> = (_fault, reporter) =>
    injected?.saves.add({ matches: always, effect: 'disk full' }, reporter) ?? unsupported();
  const stream: FaultProducer<'stream'> = (fault, reporter) => {
    const refusal = delayProblem(fault);
    if (refusal) return refusal;
    const { message, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (type: string) => (message ?? type) === type && draw();
    const rule = { matches, effect: messageFault(fault), times };
    return injected?.messages.add(rule, reporter) ?? unsupported();
  };
  return { update_failure, slow_planner, failing_planner, disk_full, stream };
}

/** Creates a producer for each fault kind, and the rules of reply faults. */
export function createFaultProducers(ports: FaultPorts): {
  readonly producers: FaultProducers;
  readonly replyFaults: ReplyFaults;
} {
  const replies: ReplyFaults = new FaultRules();
  const reply: FaultProducer<'reply'> = (fault, reporter) => {
    const refusal = delayProblem(fault);
    if (refusal) return refusal;
    const { path, method, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (call: AnsweredCall) =>
      pathMatches(call.path, path) && (method ?? call.method) === call.method && draw();
    return replies.add({ matches, effect: messageFault(fault), times }, reporter);
  };
  const arm = { ...armProducers(ports), ...cellProducers(ports) };
  const producers = { ...arm, ...serviceProducers(ports), reply };
  return {
    producers: producers satisfies Record<FaultKind, unknown>,
    replyFaults: replies,
  };
}
