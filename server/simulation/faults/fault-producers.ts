/**
 * Producers of all fault kinds. Each acts at one port of the twin: driver, inputs, planner,
 * updates, stream, database or replies.
 */
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { ReplyFaultBody, StreamFaultBody } from '../../../contract/types.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import { pathMatches } from '../journal.ts';
import {
  type FaultKind,
  type FaultProducer,
  type FaultProducers,
  FaultRules,
  type InjectedFaults,
  type MessageFault,
} from './fault-list.ts';

/** The ports at which faults act. */
export interface FaultPorts {
  readonly driverName: string;
  readonly loop: ControlLoop;
  readonly stuckInputs: () => Readonly<Record<string, boolean>>;
  /** Rules of the fault-injecting parts; null where the plain parts are composed. */
  readonly injected: InjectedFaults | null;
}

/** A call as the rules of reply faults see it. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
}

/** Draws true with a probability, reproducibly by the seed. */
export function createDraw(probability: number, seed: number): () => boolean {
  const random = createPrng(seed);
  return () => probability >= 1 || random() < probability;
}

function messageFault({ effect, delay_s }: ReplyFaultBody | StreamFaultBody): MessageFault {
  return effect === 'drop' ? 'drop' : { delay_s: delay_s ?? 0 };
}

function missingDelay({
  effect,
  delay_s,
}: ReplyFaultBody | StreamFaultBody): Refusal<'invalid_arguments'> | null {
  if (effect === 'drop' || delay_s !== undefined) return null;
  return refuse('invalid_arguments', [{ path: '/delay_s', problem: 'is required to delay' }]);
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

const always = () => true;

/** Faults of planner, updates, stream and database; refused where the plain parts are composed. */
function serviceProducers({ driverName, injected }: FaultPorts) {
  const unsupported = () =>
    refuse('not_supported', `The driver ${driverName} does not support this fault`);
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
    const refusal = missingDelay(fault);
    if (refusal) return refusal;
    const { message, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (type: string) => (message ?? type) === type && draw();
    const rule = { matches, effect: messageFault(fault), times };
    return injected?.messages.add(rule, reporter) ?? unsupported();
  };
  return { update_failure, slow_planner, failing_planner, disk_full, stream };
}

/** Creates a producer for each fault kind, and the lookup of reply faults. */
export function createFaultProducers(ports: FaultPorts): {
  readonly producers: FaultProducers;
  readonly replyFault: (call: AnsweredCall) => MessageFault | null;
} {
  const replies = new FaultRules<AnsweredCall, MessageFault>();
  const reply: FaultProducer<'reply'> = (fault, reporter) => {
    const refusal = missingDelay(fault);
    if (refusal) return refusal;
    const { path, method, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (call: AnsweredCall) =>
      pathMatches(call.path, path) && (method ?? call.method) === call.method && draw();
    return replies.add({ matches, effect: messageFault(fault), times }, reporter);
  };
  const producers = { ...armProducers(ports), ...serviceProducers(ports), reply };
  return {
    producers: producers satisfies Record<FaultKind, unknown>,
    replyFault: (call) => replies.match(call),
  };
}
