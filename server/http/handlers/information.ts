/** Versions and name (spec §4.8): the calls that need no session. */
import { answer, type Handlers } from '../handler.ts';

export const informationHandlers: Handlers = {
  getVersions: (_call, { database }) =>
    answer({ APIs: ['v1'], robot: database.records.software_version }),
  getName: (_call, { database }) => answer({ name: database.records.name }),
};
