/** Versions, name and updates (spec §4.8). */
import { answer, done, type Handlers } from '../handler.ts';

export const informationHandlers: Handlers = {
  getVersions: (_call, { database }) =>
    answer({ APIs: ['v1'], robot: database.records.software_version }),
  getName: (_call, { database }) => answer({ name: database.records.name }),
  checkUpdates: (_call, { updates }) => answer({ updates: updates.list() }),
  applyUpdate: ({ body }, { updates }) => done(updates.apply(body.version)),
  uploadUpdate: ({ body }, { updates }) =>
    updates.upload(body as Buffer) ?? answer({ updating: true }),
};
