/** The ids of verified webhook messages. */

import type { RunEvent } from './types.generated.ts';

/** The signed ids of the messages that brought events, for inboxes. */
export const idsOfEvents = new WeakMap<RunEvent, string>();
