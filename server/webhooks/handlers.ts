/** Deliveries, test calls and secrets over the wire. */
import type { HookTypeName, RunEvent } from '../../contract/types.ts';
import { type TwinTime, timestamp } from '../clock/twin-time.ts';
import { answer, type Handlers } from '../http/handler.ts';
import { refuse } from '../robot/refusal.ts';
import { deliveryOf } from './parcel.ts';
import type { Webhooks } from './webhooks.ts';

/** A body of each type for test calls, with the twin's time in it. */
function sample(type: HookTypeName, time: TwinTime): RunEvent {
  const base = { run_id: 'test', timestamp: timestamp(time) };
  const samples: { readonly [Type in HookTypeName]: RunEvent } = {
    RunStateChangeHook: {
      sequence: 1,
      hook_type: 'RunStateChangeHook',
      body: { ...base, state: 'started', message: 'test' },
    },
    TaskStateChangeHook: {
      sequence: 1,
      hook_type: 'TaskStateChangeHook',
      body: {
        ...base,
        task_id: 'test',
        instrument_id: 'test',
        state: 'started',
        action: 'test',
        error: '',
      },
    },
    SafetyStateChangeHook: {
      sequence: 1,
      hook_type: 'SafetyStateChangeHook',
      body: { ...base, state: 'ok' },
    },
    LabwareMovementHook: {
      sequence: 1,
      hook_type: 'LabwareMovementHook',
      body: {
        ...base,
        labware_id: 'test',
        state: 'started',
        source_instrument_id: 'test',
        destination_instrument_id: 'test',
        source_slot: 1,
        destination_slot: 1,
      },
    },
    NewPlanHook: {
      sequence: 1,
      hook_type: 'NewPlanHook',
      body: { ...base, remaining_worktime: 0 },
    },
  };
  return samples[type];
}

function textHeaders(headers: object = {}): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name, text]) => /^[A-Za-z0-9-]{1,64}$/.test(name) && typeof text === 'string',
  );
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

/** The handlers of notifications. */
export function webhookHandlers(webhooks: Webhooks, time: TwinTime): Handlers {
  const { outbox } = webhooks;
  const missing = (id: number) => refuse('not_found', `You have no delivery ${id}`);
  return {
    listDeliveries: ({ caller }) =>
      answer({ deliveries: outbox.list(caller.user_id).map(deliveryOf) }),
    getDelivery({ caller, parameters }) {
      const id = parameters['delivery_id']!;
      const parcel = outbox.find(caller.user_id, id);
      return parcel ? answer({ delivery: deliveryOf(parcel) }) : missing(id);
    },
    async redeliver({ caller, parameters }) {
      const id = parameters['delivery_id']!;
      const parcel = outbox.find(caller.user_id, id);
      if (!parcel) return missing(id);
      if (await webhooks.redeliver(parcel)) return answer({ delivery: deliveryOf(parcel) });
      return refuse('wrong_state', 'The delivery is still on its way');
    },
    testHook({ caller, body }) {
      const { url, hook_type = 'RunStateChangeHook' } = body;
      if (!URL.canParse(url)) {
        const problem = 'must be an absolute http or https address';
        return refuse('invalid_arguments', [{ path: '/url', problem }]);
      }
      const target = { url, headers: textHeaders(body.headers) };
      const parcel = webhooks.test(caller.user_id, target, sample(hook_type, time));
      return answer({ delivery: deliveryOf(parcel) });
    },
    getSecret: async ({ caller }) => answer({ signing: await webhooks.showSecret(caller.user_id) }),
    rotateSecret: async ({ caller }) =>
      answer({ signing: await webhooks.rotateSecret(caller.user_id) }),
  };
}
