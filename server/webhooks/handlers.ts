/** Deliveries, test calls and secrets over the wire. */
import { pointerStep } from '../../contract/body-guard.ts';
import { hookHeaderFaults } from '../../contract/hook-headers.ts';
import { limits } from '../../contract/limits.ts';
import type { HookTypeName, RunEvent, TestHookBody } from '../../contract/types.ts';
import { type TwinTime, timestamp } from '../clock/twin-time.ts';
import { answer, type Handlers } from '../http/handler.ts';
import { refuse } from '../robot/refusal.ts';
import { deliveryOf } from './parcel.ts';
import type { Webhooks } from './webhooks.ts';

const OFF = 'Deliveries are off (--webhooks)';

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

function lowerNames(headers: object = {}): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}

interface Problem {
  readonly path: string;
  readonly problem: string;
}

/** What is wrong with a test call. */
function problemsOf({ url, headers }: TestHookBody): Problem[] {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const address = { path: '/url', problem: 'must be an absolute http or https address' };
  const faults = hookHeaderFaults(headers);
  return [
    ...(isHttp ? [] : [address]),
    ...faults.map(([name, problem]) => ({ path: `/headers${pointerStep(name)}`, problem })),
  ];
}

/** The handlers of notifications. */
export function webhookHandlers(webhooks: Webhooks, time: TwinTime): Handlers {
  const { outbox } = webhooks;
  const missing = (id: number) => refuse('not_found', `You have no delivery ${id}`);
  return {
    async listDeliveries({ caller, query }) {
      const { before, run_id, limit = limits.page_entries } = query;
      const { parcels, next } = await outbox.page(caller.user_id, { before, run_id, limit });
      return answer({ deliveries: parcels.map(deliveryOf), next });
    },
    async getDelivery({ caller, parameters }) {
      const id = parameters['delivery_id']!;
      const parcel = await outbox.find(caller.user_id, id);
      return parcel ? answer({ delivery: deliveryOf(parcel) }) : missing(id);
    },
    async redeliver({ caller, parameters }) {
      const id = parameters['delivery_id']!;
      const parcel = await outbox.find(caller.user_id, id);
      if (!parcel) return missing(id);
      if (!webhooks.isOn) return refuse('not_supported', OFF);
      if (await webhooks.redeliver(parcel)) return answer({ delivery: deliveryOf(parcel) });
      return refuse('wrong_state', 'The delivery is still on its way');
    },
    testHook({ caller, body }) {
      const problems = problemsOf(body);
      if (problems.length > 0) return refuse('invalid_arguments', problems);
      if (!webhooks.isOn) return refuse('not_supported', OFF);
      const { url, headers, hook_type = 'RunStateChangeHook' } = body;
      const target = { url, headers: lowerNames(headers) };
      const parcel = webhooks.test(caller.user_id, target, sample(hook_type, time));
      return answer({ delivery: deliveryOf(parcel) });
    },
    getSecret: async ({ caller }) => answer({ signing: await webhooks.showSecret(caller.user_id) }),
    rotateSecret: async ({ caller }) =>
      answer({ signing: await webhooks.rotateSecret(caller.user_id) }),
  };
}
