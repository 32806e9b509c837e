import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type TwinAndClient, withTwinClient } from '../simulation/twin-client.cases.ts';
import { washAndRead } from '../workflow/workcell.cases.ts';
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

  it('accept only the addresses and headers that a hook may have', () =>
    withTwinClient({}, async ({ arm }) => {
      const url = 'http://127.0.0.1:9/hooks';
      for (const body of [{ url: 'ftp://a.test' }, { url, headers: { 'Webhook-Id': 'mine' } }]) {
        await expect(arm.testHook(body)).rejects.toMatchObject({ status: 400 });
      }
      expect((await arm.listDeliveries()).deliveries).toEqual([]);
    }));

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
