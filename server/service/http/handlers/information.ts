/** Handlers of versions, name and updates (§4.8). */
import type { SessionCall } from '../call.ts';
import type { Handlers } from '../handler.ts';
import { answer, done } from '../reply.ts';
import type { Services } from '../services.ts';

/** Records in the audit log who has begun the update that is under way. */
function recordUpdate(
  { caller, origin }: Pick<SessionCall, 'caller' | 'origin'>,
  { updates, audit }: Pick<Services, 'updates' | 'audit'>,
): void {
  const version = updates.save()?.version ?? updates.version;
  audit.record('update_started', { by: caller.user_id, version, ...origin });
}

export const informationHandlers: Handlers = {
  getVersions: (_call, { updates }) => answer({ APIs: ['v1'], robot: updates.version }),
  getName: (_call, { database }) => answer({ name: database.name }),
  checkUpdates: (_call, { updates }) => answer({ updates: updates.list() }),
  applyUpdate({ body, ...by }, { updates, audit }) {
    const refusal = updates.apply(body.version);
    if (!refusal) recordUpdate(by, { updates, audit });
    return done(refusal);
  },
  uploadUpdate({ body, ...by }, { updates, audit }) {
    const refusal = updates.upload(body as Buffer);
    if (refusal) return refusal;
    recordUpdate(by, { updates, audit });
    return answer({ updating: true });
  },
};
