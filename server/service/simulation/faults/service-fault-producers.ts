/** Producers of the faults of planner, updates, stream and database. */

import { refuse } from '../../../../contract/refusal.ts';
import { createDraw } from './draw.ts';
import type { FaultProducer } from './fault-kinds.ts';
import type { FaultPorts } from './fault-ports.ts';
import { delayProblem, messageFault } from './message-fault.ts';

const always = () => true;

/** Faults of planner, updates, stream and database; refused where the plain parts are composed. */
export function serviceProducers({ driverName, injected }: FaultPorts) {
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
