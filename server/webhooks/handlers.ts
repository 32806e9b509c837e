/** HTTP handlers of webhook deliveries, test calls and signing secrets. */

import { hookHeaderProblems } from '../../contract/hook-headers.ts';
import { pointerSegment } from '../../contract/json-pointer.ts';
import { limits } from '../../contract/limits.ts';
import { isRefusal, refuse } from '../../contract/refusal.ts';
import type { Delivery, TestHookBody } from '../../contract/types.generated.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Handlers } from '../service/http/handler.ts';
import { answer, answerList } from '../service/http/reply.ts';
import { literalDenial } from './address-rules.ts';
import { deliveryHeaders } from './delivery-headers.ts';
import { deliveryHead, deliveryReply } from './delivery-record.ts';
import { sampleEvent } from './hook-events.ts';
import type { Webhooks } from './webhooks.ts';

const OFF = 'Webhook deliveries are off; start the twin with --webhooks ci or standard';

interface Problem {
  readonly path: string;
  readonly problem: string;
}

/** Returns the problems of a test call; empty if it is valid. */
function testCallProblems({ url, headers }: TestHookBody, webhooks: Webhooks): Problem[] {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const address = { path: '/url', problem: 'must be an absolute http or https address' };
  const denial = isHttp ? literalDenial(new URL(url), webhooks.rules) : null;
  const faults = hookHeaderProblems(headers);
  return [
    ...(isHttp ? [] : [address]),
    ...(denial === null ? [] : [{ path: '/url', problem: denial }]),
    ...faults.map(([name, problem]) => ({ path: `/headers${pointerSegment(name)}`, problem })),
  ];
}

/** Returns the handlers of webhook deliveries. */
export function webhookHandlers(webhooks: Webhooks, time: TwinTime): Handlers {
  const { outbox } = webhooks;
  const missing = (id: number) => refuse('not_found', `You have no delivery ${id}`);
  return {
    async listDeliveries({ caller, query, filters }) {
      const { before, run_id, limit = limits.page_entries } = query;
      const { hook: url } = filters;
      const state = filters['state'] as Delivery['state'] | undefined;
      const wanted = { before, run_id, limit, state, url };
      const { deliveries, next } = await outbox.page(caller.user_id, wanted);
      return answerList('deliveries', deliveries.map(deliveryReply), { next });
    },
    async listDeliveriesOfUser({ parameters, query }) {
      const { before, limit = limits.page_entries } = query;
      const page = await outbox.page(parameters['user_id']!, { before, limit });
      return answerList('deliveries', page.deliveries.map(deliveryHead), { next: page.next });
    },
    async getDelivery({ caller, parameters }) {
      const id = parameters['delivery_id']!;
      const delivery = await outbox.find(caller.user_id, id);
      return delivery ? answer({ delivery: deliveryReply(delivery) }) : missing(id);
    },
    async redeliver({ caller, parameters, recheck }) {
      const id = parameters['delivery_id']!;
      const delivery = await outbox.find(caller.user_id, id);
      if (!delivery) return missing(id);
      if (!webhooks.isOn) return refuse('not_supported', OFF);
      if (delivery.state === 'pending') {
        return refuse('wrong_state', 'The delivery is still pending; wait until it is settled');
      }
      const refusal = await webhooks.redeliver([delivery], recheck);
      return refusal ?? answer({ delivery: deliveryReply(delivery) });
    },
    async redeliverAll({ caller, body, recheck }) {
      if (!webhooks.isOn) return refuse('not_supported', OFF);
      const { state, run_id, hook: url } = body;
      const wanted = { state, run_id, url };
      const redelivered = await webhooks.redeliverAll(caller.user_id, wanted, recheck);
      return typeof redelivered === 'number' ? answer({ redelivered }) : redelivered;
    },
    async testHook({ caller, body, record }) {
      const problems = testCallProblems(body, webhooks);
      if (problems.length > 0) return refuse('invalid_arguments', problems);
      if (!webhooks.isOn) return refuse('not_supported', OFF);
      const { url, headers, hook_type = 'RunStateChangeHook' } = body;
      const target = { url, headers: deliveryHeaders(headers) };
      const delivery = await webhooks.test(caller.user_id, target, {
        event: sampleEvent(hook_type, time),
        onCreated: (draft, made) => record(draft, { reply: { delivery: deliveryReply(made) } }),
      });
      return isRefusal(delivery) ? delivery : answer({ delivery: deliveryReply(delivery) });
    },
    async getSecret({ caller, recheck }) {
      const signing = await webhooks.showSecret(caller.user_id, recheck);
      return isRefusal(signing) ? signing : answer({ signing });
    },
    async rotateSecret({ caller, recheck }) {
      const signing = await webhooks.rotateSecret(caller.user_id, recheck);
      return isRefusal(signing) ? signing : answer({ signing });
    },
  };
}
