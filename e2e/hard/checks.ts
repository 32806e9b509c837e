/** All checks of robustness, in the order in which they run and are told. */
import type { Check } from './check.ts';
import { doors } from './doors.ts';
import { hooks } from './hooks.ts';
import { largeReplyChecks } from './large-replies.ts';
import { life } from './life.ts';
import { load } from './load.ts';
import { nonsense } from './nonsense.ts';
import { secrets } from './secrets.ts';
import { slowClients } from './slow-clients.ts';
import { soaks } from './soak.ts';
import { streams } from './streams.ts';
import { wrongStarts } from './wrong-starts.ts';

export const CHECKS: readonly Check[] = [
  ...nonsense,
  ...doors,
  ...slowClients,
  ...largeReplyChecks,
  ...streams,
  ...secrets,
  ...hooks,
  ...wrongStarts,
  ...life,
  ...load,
  ...soaks,
];
