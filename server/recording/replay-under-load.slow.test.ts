/**
 * A real-time recording under load, with a restore in its middle, replays bit-identically in
 * another process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type TwinAndClient, withTwinClient } from '../service/simulation/twin-client.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-loaded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LOAD = 24;
const wait = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

/** Sends calls without a pause until `isOver`; returns their number. */
async function load({ arm }: TwinAndClient, isOver: () => boolean): Promise<number> {
  let calls = 0;
  const callRepeatedly = async () => {
    for (; !isOver(); calls++) {
      await arm.getSnapshot();
      await arm.forwardKinematics({ joints: [0.1, 0.2, 0.3, 0, 0, 0] });
    }
  };
  await Promise.all(Array.from({ length: LOAD }, callRepeatedly));
  return calls;
}

async function reaches({ arm }: TwinAndClient, state: string): Promise<void> {
  const stateNow = async () => (await arm.getSnapshot()).snapshot.control.state;
  await expect.poll(stateNow, { timeout: 30_000, interval: 100 }).toBe(state);
}

async function move(client: TwinAndClient): Promise<void> {
  const { arm } = client;
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0.2, 0, 0, 0, 0], time: 4 });
  await wait(700);
  await arm.keepState({ name: 'midway' });
  await wait(400);
  await arm.setEmergencyStop({ engaged: true });
  await reaches(client, 'disabled');
  await arm.restoreState({ name: 'midway' });
  await reaches(client, 'ready');
  await arm.goTo({ mode: 'automatic', joints: [0, 0, 0, 0, 0, 0], time: 4 });
  await wait(600);
  await arm.setEmergencyStop({ engaged: true });
  await wait(500);
}

it.each(['fast', 'rapier'] as const)(
  'a recording of %s replays in another process',
  async (driver) => {
    const file = join(folder, `${driver}.recording`);
    let calls = 0;
    await withTwinClient({ clock: 1, driver, record: file }, async (client) => {
      let isOver = false;
      const loading = load(client, () => isOver);
      await move(client).finally(() => {
        isOver = true;
      });
      calls = await loading;
    });
    expect(calls).toBeGreaterThan(100);
    const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', 'replay', file]);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([0, expect.stringContaining('equal')]);
  },
  120_000,
);
