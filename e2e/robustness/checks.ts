/** All robustness checks, in execution order. */
import type { RobustnessCheck } from './check.ts';
import { historyChecks } from './histories.ts';
import { invalidStartChecks } from './invalid-starts.ts';
import { largeReplyChecks } from './large-replies.ts';
import { loadChecks } from './load.ts';
import { malformedRequestChecks } from './malformed-requests.ts';
import { lifecycleChecks } from './process-lifecycle.ts';
import { secretChecks } from './secrets.ts';
import { slowClientChecks } from './slow-clients.ts';
import { soakChecks } from './soak.ts';
import { streamChecks } from './streams.ts';
import { webSecurityChecks } from './web-security.ts';
import { webhookReceiverChecks } from './webhook-receivers.ts';

export const CHECKS: readonly RobustnessCheck[] = [
  ...malformedRequestChecks,
  ...webSecurityChecks,
  ...slowClientChecks,
  ...largeReplyChecks,
  ...streamChecks,
  ...secretChecks,
  ...webhookReceiverChecks,
  ...invalidStartChecks,
  ...lifecycleChecks,
  ...historyChecks,
  ...loadChecks,
  ...soakChecks,
];
