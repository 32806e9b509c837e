/** Lock calls (spec §4.4). */
import type { Caller } from '../../robot/commands.ts';
import type { Refusal } from '../../robot/refusal.ts';
import { lockAsSeenBy } from '../../stream/hub.ts';
import { type Answer, answer, type Handlers } from '../handler.ts';
import type { Rooms } from '../rooms.ts';

function status(refusal: Refusal | null, caller: Caller, rooms: Rooms): Answer {
  return refusal ?? answer(lockAsSeenBy(caller, rooms.robot.lockHolder));
}

export const lockHandlers: Handlers = {
  getLock: ({ caller }, rooms) => status(null, caller, rooms),
  takeLock: ({ caller }, rooms) =>
    status(rooms.loop.apply({ kind: 'lock', caller }), caller, rooms),
  renewLock: ({ caller }, rooms) =>
    status(rooms.loop.apply({ kind: 'renew_lock', caller }), caller, rooms),
  releaseLock: ({ caller }, rooms) =>
    status(rooms.loop.apply({ kind: 'release_lock', caller }), caller, rooms),
};
