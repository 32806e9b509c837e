import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { washAndRead } from '../../scheduler/definition/workflow.cases.ts';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { bodyFaults } from './body-check.cases.ts';
import { type Answering, openReceiver, type Receiver } from './receiver.cases.ts';

async function withReceiver(
  answering: Answering | undefined,
  use: (stage: TwinAndClient, receiver: Receiver) => Promise<void>,
): Promise<void> {
  const receiver = await openReceiver(answering);
  try {
    await withTwinClient({}, (stage) => use(stage, receiver));
  } finally {
    await receiver.close();
  }
}

async function ranTo(url: string, { twin, arm }: TwinAndClient) {
  const { workflow } = await arm.createWorkflow(washAndRead({ url }));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  await twin.advance(100);
  return { run_id: run.id };
}

function headerOf({ headers }: Receiver['received'][number], name: string): string {
  return String(headers[name]);
}

describe('deliveries', () => {
  it('are exactly the events of the run, in order, with the fields of the specification', () =>
    withReceiver(undefined, async (stage, receiver) => {
      const run = await ranTo(receiver.url, stage);
      const { events } = await stage.arm.listRunEvents(run);
      await receiver.heard(events.length);
      const { received } = receiver;
      expect(received.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
        events.map(({ body }) => body),
      );
      const faults = received.map((call) => bodyFaults(headerOf(call, 'x-hook-type'), call.text));
      expect(faults.flat()).toEqual([]);
    }));

  it('verify by Standard Webhooks with both secrets after a rotation; tampered ones do not', () =>
    withReceiver(undefined, async (stage, receiver) => {
      const { secret } = (await stage.arm.getSecret()).signing;
      const renewed = (await stage.arm.rotateSecret()).signing;
      await stage.arm.testHook({ url: receiver.url, headers: { 'X-Own': 'mine' } });
      await receiver.heard(1);
      const [{ headers, text }] = receiver.received as [Receiver['received'][number]];
      const signed = headers as Record<string, string>;
      for (const one of [secret, renewed.secret]) {
        expect(new Webhook(one).verify(text, signed)).toMatchObject({ run_id: 'test' });
        expect(() => new Webhook(one).verify(`${text} `, signed)).toThrow();
      }
      expect(headers).toMatchObject({ 'x-own': 'mine', 'x-hook-attempt': '1' });
    }));

  it('are disabled by a 410 until a redelivery', () =>
    withReceiver(
      (response, _, index) => response.writeHead(index === 0 ? 410 : 204).end(),
      async ({ arm }, receiver) => {
        const { delivery } = await arm.testHook({ url: receiver.url });
        const gone = await waitFor(arm, delivery.id);
        expect(gone.state).toBe('disabled');
        await arm.redeliver({ delivery_id: delivery.id });
        await receiver.heard(2);
        expect((await waitFor(arm, delivery.id)).state).toBe('delivered');
        const ids = receiver.received.map((call) => headerOf(call, 'webhook-id'));
        expect(ids[1]).toBe(ids[0]);
      },
    ));

  it('are sent again by state, run and hook, in their order', () => {
    let isRight = false;
    const answering: Answering = (response) => response.writeHead(isRight ? 204 : 400).end();
    return withReceiver(answering, async (stage, receiver) => {
      const { arm } = stage;
      const run = await ranTo(receiver.url, stage);
      const { events } = await arm.listRunEvents(run);
      const { delivery: test } = await arm.testHook({ url: receiver.url });
      await receiver.heard(events.length + 1);
      await waitFor(arm, test.id);
      const listed = async (query: object) =>
        (await arm.listDeliveries(query)).deliveries.map(({ id }) => id);
      await expect.poll(() => listed({ state: 'dead' })).toHaveLength(events.length + 1);
      const hook = receiver.url;
      const all = await listed({ ...run, state: 'dead', hook });
      expect(all).toHaveLength(events.length);
      const others = [{ state: 'disabled' }, { ...run, run_id: 99 }, { hook: `${hook}/other` }];
      for (const query of others) expect(await listed(query)).toEqual([]);
      isRight = true;
      const before = receiver.received.length;
      const redeliver = (more: object) => arm.redeliverAll({ state: 'dead', ...run, ...more });
      expect(await redeliver({ hook: `${hook}/other` })).toEqual({ redelivered: 0 });
      expect(await redeliver({ hook })).toEqual({ redelivered: events.length });
      await receiver.heard(before + events.length);
      const again = receiver.received.slice(before).map(({ text }) => JSON.parse(text) as unknown);
      expect(again).toEqual(events.map(({ body }) => body));
      await expect.poll(() => listed({ state: 'delivered' })).toEqual(all);
      expect(await listed({ state: 'dead' })).toEqual([test.id]);
    });
  });

  it('accept only the addresses and headers that a hook may have', () =>
    withTwinClient({}, async ({ arm }) => {
      const url = 'http://127.0.0.1:9/hooks';
      const many = Array.from({ length: limits.hook_headers + 1 }, (_, i) => [`X-${i}`, 'x']);
      const headers = Object.fromEntries(many) as Record<string, string>;
      const denied = [{ url: 'ftp://a.test' }, { url, headers: { 'Webhook-Id': 'mine' } }];
      for (const body of [...denied, { url, headers }]) {
        await expect(arm.testHook(body)).rejects.toMatchObject({ status: 400 });
      }
      expect((await arm.listDeliveries()).deliveries).toEqual([]);
    }));

  it('are refused when a workflow is saved whose hook names a denied address', () =>
    withTwinClient({ privateHooks: false }, async ({ arm, twin }) => {
      const allowed = washAndRead({ url: 'http://hooks.example.org/' });
      const { workflow } = await arm.createWorkflow(allowed);
      const denied = ['http://169.254.169.254/latest', 'http://[::1]:9/', `${twin.url}/readyz`];
      for (const url of denied) {
        const definition = washAndRead({ url });
        const named = { ...definition, workcell: { workcell_id: 'unknown' } };
        const refused = {
          status: 400,
          details: expect.arrayContaining([
            { path: '/workflow/hooks/0/parameters/url', problem: expect.any(String) },
          ]),
        };
        for (const body of [definition, named]) {
          await expect(arm.createWorkflow(body)).rejects.toMatchObject(refused);
        }
        const id = { workflow_id: workflow.id };
        await expect(arm.updateWorkflow(id, definition)).rejects.toMatchObject(refused);
        const { is_valid, errors } = await arm.validateWorkflow(definition);
        expect([is_valid, errors[0]?.path]).toEqual([false, '/workflow/hooks/0/parameters/url']);
      }
    }));

  it('of safety events come although the receiver answers nothing before them', () =>
    withReceiver(
      (response, call) => {
        if (headerOf(call, 'x-hook-type') === 'SafetyStateChangeHook')
          response.writeHead(204).end();
      },
      async ({ arm, twin }, receiver) => {
        const { workflow } = await arm.createWorkflow(washAndRead({ url: receiver.url }));
        await arm.startRun({ workflow_id: workflow.id }, {});
        await receiver.heard(1);
        await arm.setEmergencyStop({ engaged: true });
        await twin.advance(1);
        await receiver.until(({ text }) => text.includes('emergency_stop'));
        const types = receiver.received.map((call) => headerOf(call, 'x-hook-type'));
        expect(types).toEqual(['NewPlanHook', 'SafetyStateChangeHook']);
      },
    ));

  it('are refused with 501 while webhooks are off', () =>
    withTwinClient({ webhooks: 'off' }, async ({ arm }) => {
      const reply = arm.testHook({ url: 'http://127.0.0.1:9/hooks' });
      await expect(reply).rejects.toMatchObject({ status: 501 });
    }));

  it('never go to the twin itself', () =>
    withTwinClient({}, async ({ twin, arm }) => {
      const literal = arm.testHook({ url: `${twin.url}/readyz` });
      await expect(literal).rejects.toMatchObject({ status: 400 });
      const { delivery } = await arm.testHook({ url: `http://localhost:${twin.port}/readyz` });
      const [attempt] = await attemptsOf(arm, delivery.id);
      expect(attempt).toMatchObject({ status: null, error: 'that is the twin itself' });
    }));
});

type Arm = TwinAndClient['arm'];

async function shownOf(arm: Arm, delivery_id: number) {
  return (await arm.getDelivery({ delivery_id })).delivery;
}

async function waitFor(arm: Arm, id: number) {
  for (let looks = 0; looks < 100; looks++) {
    const delivery = await shownOf(arm, id);
    if (delivery.state !== 'pending') return delivery;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the delivery is still pending');
}

async function attemptsOf(arm: Arm, id: number) {
  let attempts: Awaited<ReturnType<typeof shownOf>>['attempts'] = [];
  for (let looks = 0; looks < 100 && attempts.length === 0; looks++) {
    ({ attempts } = await shownOf(arm, id));
  }
  return attempts;
}
