/** Handlers of the robot lock (§4.4). */
import type { ErrorName } from '../../../../contract/errors.ts';
import type { Refusal } from '../../../../contract/refusal.ts';
import type { Caller } from '../../../robot/caller.ts';
import { lockAsSeenBy } from '../../stream/lock-view.ts';
import type { Handlers } from '../handler.ts';
import { type Answer, answer } from '../reply.ts';
import type { Services } from '../services.ts';

function lockAnswer<Name extends ErrorName>(
  refusal: Refusal<Name> | null,
  caller: Caller,
  services: Services,
): Answer<Name> {
  return refusal ?? answer(lockAsSeenBy(caller, services.robot.lockHolder));
}

export const lockHandlers: Handlers = {
  getLock: ({ caller }, { robot }) => answer(lockAsSeenBy(caller, robot.lockHolder)),
  takeLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'lock', caller }), caller, services),
  renewLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'renew_lock', caller }), caller, services),
  releaseLock: ({ caller }, services) =>
    lockAnswer(services.loop.apply({ kind: 'release_lock', caller }), caller, services),
};
