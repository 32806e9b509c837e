/** The endpoints of webhook deliveries, test calls and signing secrets (D8, webhooks §3). */

import type { RouteRow } from './row.ts';
import { JSON_REPLY, PAGE_SIZE, PLANNING_BOUNDS } from './row-defaults.ts';

const WEBHOOKS = '/workflow/v1/webhooks';

export const WEBHOOK_ROUTES = [
  {
    ...JSON_REPLY,
    id: 'listDeliveries',
    method: 'GET',
    path: `${WEBHOOKS}/deliveries`,
    query: {
      before: { description: 'Only deliveries with a smaller id', minimum: 1 },
      run_id: { description: 'Only deliveries of this run', minimum: 1 },
      limit: PAGE_SIZE,
    },
    filters: {
      state: {
        description: 'Only deliveries in this state',
        maxLength: 16,
        enum: ['pending', 'delivered', 'dead', 'disabled'],
      },
      hook: { description: 'Only deliveries to this address', maxLength: 2048 },
    },
    reply: 'DeliveriesReply',
    summary: 'Lists webhook deliveries with every attempt, newest first, page by page',
  },
  {
    ...JSON_REPLY,
    ofUser: true,
    id: 'listDeliveriesOfUser',
    method: 'GET',
    path: '/workflow/v1/users/{user_id}/deliveries',
    query: {
      before: { description: 'Only deliveries with a smaller id', minimum: 1 },
      limit: PAGE_SIZE,
    },
    reply: 'DeliveryHeadsReply',
    summary: 'Lists the deliveries of a user without their bodies: admins those of any user',
  },
  {
    ...JSON_REPLY,
    id: 'getDelivery',
    method: 'GET',
    path: `${WEBHOOKS}/deliveries/{delivery_id}`,
    reply: 'DeliveryReply',
    summary: 'Returns a delivery with every attempt',
  },
  {
    ...JSON_REPLY,
    id: 'redeliver',
    method: 'POST',
    path: `${WEBHOOKS}/deliveries/{delivery_id}/redeliver`,
    reply: 'DeliveryReply',
    refusals: ['not_supported', 'wrong_state'],
    summary: 'Sends a delivery again under the same id',
  },
  {
    ...JSON_REPLY,
    id: 'redeliverAll',
    method: 'POST',
    path: `${WEBHOOKS}/deliveries/redeliver`,
    body: 'RedeliverBody',
    reply: 'RedeliveredReply',
    refusals: ['not_supported'],
    timeout_s: PLANNING_BOUNDS.timeout_s,
    summary: 'Sends all deliveries of a state again, of one run or hook if given, in their order',
  },
  {
    ...JSON_REPLY,
    id: 'testHook',
    creates: true,
    method: 'POST',
    path: `${WEBHOOKS}/test`,
    body: 'TestHookBody',
    reply: 'DeliveryReply',
    refusals: ['not_supported'],
    summary: 'Sends a sample body to an address',
  },
  {
    ...JSON_REPLY,
    id: 'getSecret',
    method: 'GET',
    path: `${WEBHOOKS}/secret`,
    reply: 'SecretReply',
    summary: "Returns the secret that signs the caller's deliveries",
  },
  {
    ...JSON_REPLY,
    id: 'rotateSecret',
    method: 'POST',
    path: `${WEBHOOKS}/rotate`,
    reply: 'SecretReply',
    refusals: ['wrong_state'],
    summary: 'Creates a new secret; every former one stays valid for a day',
  },
] as const satisfies readonly RouteRow[];
