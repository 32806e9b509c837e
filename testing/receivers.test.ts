/**
 * docs/receivers.md shows the example receivers, and they receive every event of a run.
 * @module-tag ci
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { RunEvent } from '../contract/types.generated.ts';
import { receiveWebhooks } from './examples/receiver.example.ts';
import { openTwinFixture, type TwinFixture } from './twin-fixture.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const PYTHON = ['testing/examples/receiver_kit.py', 'testing/examples/receiver.py'];
const FILES = ['testing/examples/receiver.example.ts', ...PYTHON];
const EVENTS = 7;

/** One plate is read for 30 s; each hook goes to one address. */
function readingTo(url: string): Record<string, unknown> {
  const types = ['RunState', 'TaskState', 'SafetyState'].map((name) => `${name}ChangeHook`);
  const hooks = [...types, 'LabwareMovementHook', 'NewPlanHook'].map((type) => {
    return { type, parameters: { url } };
  });
  const source = { type: 'stored_labware', labware_id: 'plate' };
  const read = { instrument: { type: 'reader' }, action: 'read', time_estimate: 30 };
  return {
    name: 'read',
    workflow: {
      labware: [{ id: 'plate', starting_location: { instrument: 'hotel', slot: 1 } }],
      tasks: { read: { ...read, labware_sources: { plate: source } } },
      hooks,
    },
    workcell: {
      workcell_id: 'receivers',
      instruments: [
        { id: 'hotel', type: 'hotel' },
        { id: 'reader', type: 'reader' },
      ],
      transport_matrix: { default: 5 },
    },
  };
}

async function startedRun({ arm }: TwinFixture, url: string) {
  const { workflow } = await arm.createWorkflow(readingTo(url));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  return { run_id: run.id };
}

/** Runs `use` with a twin that delivers webhooks. */
async function withFixture(use: (fixture: TwinFixture) => Promise<void>): Promise<void> {
  const fixture = await openTwinFixture({ webhooks: 'ci' });
  await use(fixture).finally(() => fixture.close());
}

it('are shown as they are', () => {
  const blocks = [...read('docs/receivers.md').matchAll(/```(?:ts|py)\n(.*?)\n```/gs)];
  const shown = FILES.map((path) =>
    read(path)
      .replace('../../contract/client.ts', 'armtwin/client')
      .replaceAll('../../contract/webhook-receiver.ts', 'armtwin/webhooks')
      .trimEnd(),
  );
  expect(blocks.map(([, text]) => text)).toEqual(shown);
});

it('in TypeScript takes each event once, also one whose processing failed', () =>
  withFixture(async (fixture) => {
    const { twin, arm } = fixture;
    const events: RunEvent[] = [];
    let failures = 0;
    const server = await receiveWebhooks(twin, (event) => {
      if (event.sequence === 2 && failures++ === 0) throw new Error('the disk is full');
      events.push(event);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
    const run = await startedRun(fixture, `http://127.0.0.1:${port}/`);
    await twin.advance(100);
    await expect.poll(() => events.length, { timeout: 10_000 }).toBe(EVENTS);
    expect(events).toEqual((await arm.listRunEvents(run)).events);
    expect(failures).toBe(2);
    server.close();
    server.closeAllConnections();
  }));

it.for(PYTHON)('in Python prints each event once: %s', (file, context) =>
  withFixture(async (fixture) => {
    const { twin, arm } = fixture;
    const { secret } = (await arm.getSecret()).signing;
    const own = {
      ARMTWIN_URL: twin.url,
      ARMTWIN_TOKEN: twin.token,
      ARMTWIN_WEBHOOK_SECRET: secret,
    };
    const env = { ...process.env, ...own, PYTHONPATH: 'python', PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn('python3', [fileURLToPath(new URL(file, root))], { env });
    const lines: string[] = [];
    const isMissing = await new Promise<boolean>((resolve) => {
      child.on('error', () => resolve(true));
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line);
        resolve(false);
      });
    });
    if (isMissing) context.skip('python3 is not installed');
    const [url] = lines;
    const now_s = String(Math.floor(Date.now() / 1000));
    for (const headers of [
      {},
      { 'webhook-timestamp': now_s, 'webhook-id': 'a', 'webhook-signature': 'v1,é' },
      { 'webhook-timestamp': '²' },
    ]) {
      const forged = await fetch(url!, { method: 'POST', body: '{}', headers });
      expect(forged.status, JSON.stringify(headers)).toBe(400);
    }
    const run = await startedRun(fixture, url!);
    await twin.advance(100);
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1 + EVENTS);
    expect(lines.at(-1)).toBe(`RunStateChangeHook ${run.run_id} stopped`);
    expect(new Set(lines.slice(1).map((line) => line.split(' ')[1]))).toEqual(
      new Set([String(run.run_id)]),
    );
    child.kill();
  }),
);
