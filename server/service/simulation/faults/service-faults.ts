/** Faults of planner, updates, stream, database and replies. */

import { refuse, refuseAt } from '../../../../contract/refusal.ts';
import { isServed, pathMatches } from '../path-pattern.ts';
import { createDraw } from './draw.ts';
import type { FaultProducer } from './fault-kind.ts';
import type { FaultPorts } from './fault-ports.ts';
import { messageFaultOf } from './message-fault.ts';
import type { AnsweredCall } from './reply-faults.ts';

const always = () => true;

/** The kinds; all but that of replies are refused where the plain parts are composed. */
export function serviceFaults({ driverName, injected, replies }: FaultPorts) {
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
    const effect = messageFaultOf(fault);
    if (typeof effect === 'object' && 'refused' in effect) return effect;
    const { message, times } = fault;
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (type: string) => (message ?? type) === type && draw();
    return injected?.messages.add({ matches, effect, times }, reporter) ?? unsupported();
  };
  const reply: FaultProducer<'reply'> = (fault, reporter) => {
    const effect = messageFaultOf(fault);
    if (typeof effect === 'object' && 'refused' in effect) return effect;
    const { path, method, times } = fault;
    if (!isServed(path, method)) {
      const what = method === undefined ? 'no call has' : `no ${method} call has`;
      return refuseAt('/path', `matches nothing: ${what} this path; see GET /openapi.json`);
    }
    const draw = createDraw(fault.chance ?? 1, fault.seed ?? 0);
    const matches = (call: AnsweredCall) =>
      pathMatches(call.path, path) && (method ?? call.method) === call.method && draw();
    return replies.add({ matches, effect, times }, reporter);
  };
  return {
    update_failure: { produce: update_failure },
    slow_planner: { produce: slow_planner },
    failing_planner: { produce: failing_planner },
    disk_full: { produce: disk_full },
    stream: { produce: stream },
    reply: { produce: reply },
  };
}
