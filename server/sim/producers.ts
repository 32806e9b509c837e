/**
 * The table of faults: where each kind acts. All of them sit at a port (driver, robot's inputs,
 * updates, planner, socket, store); what follows is the product's own doing.
 */
import type { ReplyFaultBody, StreamFaultBody } from '../../contract/types.ts';
import type { DisturbedPlanner } from '../planning/disturbed-planner.ts';
import type { Loop } from '../robot/loop.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Database } from '../store/database.ts';
import type { Hub } from '../stream/hub.ts';
import type { Updates } from '../updates/updates.ts';
import { createChance } from './chance.ts';
import type { FaultKind, Producer, Producers } from './faults.ts';
import { Interference } from './interference.ts';
import { pathFits } from './journal.ts';

/** The ports at which faults act. */
export interface FaultPorts {
  readonly loop: Loop;
  readonly stuckInputs: () => Readonly<Record<string, boolean>>;
  readonly updates: Updates;
  readonly planner: DisturbedPlanner;
  readonly database: Database;
  /** The arm's own stream. */
  readonly hub: Hub;
}

/** A call as a fault of replies sees it. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
}

/** Late by so much (s), or never. */
export type Fate = { readonly delay_s: number } | 'drop';

function fateOf({ effect, delay_s }: ReplyFaultBody | StreamFaultBody): Fate {
  return effect === 'drop' ? 'drop' : { delay_s: delay_s ?? 0 };
}

function missingDelay({ effect, delay_s }: ReplyFaultBody | StreamFaultBody): Refusal | null {
  if (effect === 'drop' || delay_s !== undefined) return null;
  return refuse('invalid_arguments', [{ path: '/delay_s', problem: 'is required to delay' }]);
}

/** The kinds that act at the joints and signals. */
function armProducers({ loop, stuckInputs }: FaultPorts) {
  const driver: Producer<'driver'> = ({ joint, fault }, { act }) => {
    if (!loop.act({ kind: 'joint_fault', joint, fault })) {
      return refuse('not_supported', `This arm cannot be made to report ${fault}`);
    }
    act();
    return () => void loop.act({ kind: 'joint_fault', joint, fault: null });
  };
  const collision: Producer<'collision'> = ({ joint }, { act, spent }) => {
    if (!loop.act({ kind: 'contact', joint })) {
      return refuse('not_supported', 'This arm cannot be made to report a touch');
    }
    act();
    spent();
    return () => {};
  };
  const sensor_noise: Producer<'sensor_noise'> = (fault, { act }) => {
    const { position_rad = 0, velocity_rad_s = 0, temperature_c = 0, seed = 0 } = fault;
    const noise = { position_rad, velocity_rad_s, temperature_c, seed };
    if (!loop.act({ kind: 'noise', noise })) {
      return refuse('not_supported', 'The reports of this arm cannot be disturbed');
    }
    act();
    return () => void loop.act({ kind: 'noise', noise: null });
  };
  const stuck_input: Producer<'stuck_input'> = ({ input }, { act }) => {
    loop.apply({ kind: 'stick_inputs', stuck: { ...stuckInputs(), [input]: true } });
    act();
    return () => {
      const { [input]: _, ...stuck } = stuckInputs();
      loop.apply({ kind: 'stick_inputs', stuck });
    };
  };
  return { driver, collision, sensor_noise, stuck_input };
}

/** The kinds that act in the rooms around the robot. */
function roomProducers({ updates, planner, database }: FaultPorts) {
  const installations = new Interference<null, true>();
  const plans = new Interference<null, { readonly delay_s: number; readonly fails: boolean }>();
  updates.fails = () => installations.meet(null) ?? false;
  planner.disturbance = () => plans.meet(null) ?? { delay_s: 0, fails: false };
  const always = () => true;
  const update_failure: Producer<'update_failure'> = ({ times }, slot) =>
    installations.add({ fits: always, effect: true, times }, slot);
  const slow_planner: Producer<'slow_planner'> = ({ delay_s, times }, slot) =>
    plans.add({ fits: always, effect: { delay_s, fails: false }, times }, slot);
  const failing_planner: Producer<'failing_planner'> = ({ times }, slot) =>
    plans.add({ fits: always, effect: { delay_s: 0, fails: true }, times }, slot);
  const disk_full: Producer<'disk_full'> = (_fault, { act }) => {
    database.onFull = act;
    return () => {
      database.onFull = null;
    };
  };
  return { update_failure, slow_planner, failing_planner, disk_full };
}

/** One producer for each kind of fault, and what decides over replies. */
export function createProducers(ports: FaultPorts): {
  readonly producers: Producers;
  readonly fateOfReply: (call: AnsweredCall) => Fate | null;
} {
  const replies = new Interference<AnsweredCall, Fate>();
  const messages = new Interference<string, Fate>();
  ports.hub.fateOf = (type) => messages.meet(type);
  const reply: Producer<'reply'> = (fault, slot) => {
    const refusal = missingDelay(fault);
    if (refusal) return refusal;
    const { path, method, times } = fault;
    const chance = createChance(fault.chance ?? 1, fault.seed ?? 0);
    const fits = (call: AnsweredCall) =>
      pathFits(call.path, path) && (method ?? call.method) === call.method && chance();
    return replies.add({ fits, effect: fateOf(fault), times }, slot);
  };
  const stream: Producer<'stream'> = (fault, slot) => {
    const refusal = missingDelay(fault);
    if (refusal) return refusal;
    const { message, times } = fault;
    const chance = createChance(fault.chance ?? 1, fault.seed ?? 0);
    const fits = (type: string) => (message ?? type) === type && chance();
    return messages.add({ fits, effect: fateOf(fault), times }, slot);
  };
  const producers = { ...armProducers(ports), ...roomProducers(ports), reply, stream };
  return {
    producers: producers satisfies Record<FaultKind, unknown>,
    fateOfReply: (call) => replies.meet(call),
  };
}
