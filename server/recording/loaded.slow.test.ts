/**
 * A recording made in real time while many ask at once, with a restore in its middle, repeats in
 * another process, as fast as that can.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { onStage, type Stage } from '../sim/sim.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-loaded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LOAD = 24;
const wait = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

/** Asks without a pause until it is told to end; answers how many calls that were. */
async function load({ arm }: Stage, isOver: () => boolean): Promise<number> {
  let calls = 0;
  const ask = async () => {
    for (; !isOver(); calls++) {
      await arm.getSnapshot();
      await arm.forwardKinematics({ joints: [0.1, 0.2, 0.3, 0, 0, 0] });
    }
  };
  await Promise.all(Array.from({ length: LOAD }, ask));
  return calls;
}

async function reaches({ arm }: Stage, state: string): Promise<void> {
  const stateNow = async () => (await arm.getSnapshot()).snapshot.control.state;
  await expect.poll(stateNow, { timeout: 30_000, interval: 100 }).toBe(state);
}

async function move(stage: Stage): Promise<void> {
  const { arm } = stage;
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0.2, 0, 0, 0, 0], time: 4 });
  await wait(700);
  await arm.keepState({ name: 'midway' });
  await wait(400);
  await arm.setEmergencyStop({ engaged: true });
  await reaches(stage, 'disabled');
  await arm.restoreState({ name: 'midway' });
  await reaches(stage, 'ready');
  await arm.goTo({ mode: 'automatic', joints: [0, 0, 0, 0, 0, 0], time: 4 });
  await wait(600);
  await arm.setEmergencyStop({ engaged: true });
  await wait(500);
}

it.each(['fast', 'rapier'] as const)(
  'a recording of %s repeats elsewhere',
  async (driver) => {
    const file = join(folder, `${driver}.tape`);
    let calls = 0;
    await onStage({ clock: 1, driver, record: file }, async (stage) => {
      let isOver = false;
      const loading = load(stage, () => isOver);
      await move(stage).finally(() => {
        isOver = true;
      });
      calls = await loading;
    });
    expect(calls).toBeGreaterThan(100);
    const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', 'replay', file]);
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect([code, said]).toEqual([0, expect.stringContaining('equal')]);
  },
  120_000,
);
