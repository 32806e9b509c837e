/**
 * The Simulation page and the collision layer against the built program: actions of the page reach
 * the twin, and the state of the twin is drawn. Also the page in front of an upstream arm.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { capsulesAt } from '../fixtures/capsule-positions.ts';
import type { ArmWindow, SimulationLayers } from '../viewer/test-window.ts';
import { type Server, startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const CLOSE_RAD = 2e-5;
const CLOSE_M = 1e-4;
/** Side of a new obstacle, and how deep one goes into the arm that only touches it. */
const CRATE_M = 0.1;
const TOUCH_M = 0.001;
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 120_000 });

interface DrawingWindow {
  readonly armtwin: Omit<ArmWindow, 'page'> & { page(name: 'simulation'): SimulationLayers | null };
}
type Drawing = typeof globalThis & DrawingWindow;

let server: Server;
let arm: ArmClient;

/** One page for all tests; each test starts from the state that the previous one left. */
let page: Page;
const consoleErrors: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  page = await browser.newPage({ viewport: { width: 800, height: 480 } });
  await open();
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
});

const state = () => page.evaluate(() => (globalThis as Drawing).armtwin.state());
const joints = () => page.evaluate(() => (globalThis as Drawing).armtwin.joints());
const collision = () =>
  page.evaluate(
    () => (globalThis as Drawing).armtwin.page('simulation')?.collision()?.drawn() ?? null,
  );

async function open(): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(() => state()).toBe('ready');
  await page.getByRole('button', { name: 'Simulation' }).click();
  await expect(page.getByRole('region', { name: 'Simulation' })).toBeVisible();
  const folded = page.locator('.simulation-section:not([open]) summary');
  while ((await folded.count()) > 0) {
    await folded.first().click();
  }
}

/** Largest difference between the drawn and the reported joint angles (rad). */
async function drawnError(): Promise<number> {
  const drawn = await joints();
  const { snapshot } = await arm.getSnapshot();
  const reported = snapshot['servos.telemetry.position'];
  return Math.max(...reported.map((angle, joint) => Math.abs(angle - drawn[joint]!)));
}

async function startRun(): Promise<void> {
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.run({ mode: 'automatic', loop: 1 });
}

test('pauses and steps the clock; the scene moves by exactly as much', async () => {
  await startRun();
  await expect.poll(() => state()).toBe('running');
  await page.getByRole('button', { name: 'Pause clock' }).dblclick({ delay: 60 });
  await expect(page.getByText('clock paused').first()).toBeVisible();
  const { tick } = await arm.getClock();
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
  const before = await joints();
  await page.getByLabel('Ticks of 4 ms').fill('');
  await page.getByRole('button', { name: 'Step' }).click();
  await expect(page.getByText('The number of ticks must be a number.')).toBeVisible();
  expect((await arm.getClock()).tick).toBe(tick);
  await page.getByLabel('Ticks of 4 ms').fill('100');
  await page.getByRole('button', { name: 'Step' }).click();
  await expect.poll(async () => (await arm.getClock()).tick).toBe(tick + 100);
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
  const after = await joints();
  expect(Math.max(...after.map((angle, j) => Math.abs(angle - before[j]!)))).toBeGreaterThan(0.01);
  await page.getByRole('button', { name: 'Run until' }).click();
  await expect(page.getByText('Ready was reached.')).toBeVisible();
  await expect.poll(() => state()).toBe('ready');
  await page.getByRole('button', { name: 'Resume clock' }).click();
  await page.getByLabel('Pace').selectOption('10');
  await expect.poll(async () => (await arm.getClock()).pace).toBe(10);
  await page.getByLabel('Pace').selectOption('1');
  await expect.poll(async () => (await arm.getClock()).pace).toBe(1);
  await arm.releaseLock();
  expect(consoleErrors).toEqual([]);
});

test('stops the arm, drives inputs, injects faults and searches the journal', async () => {
  await page.getByRole('button', { name: 'Emergency stop', exact: true }).click();
  await expect.poll(() => state()).toBe('disabled');
  expect((await arm.getSnapshot()).snapshot.global.estop).toBe(true);
  await page.getByRole('button', { name: 'Release emergency stop' }).click();
  await expect.poll(() => state()).not.toBe('disabled');
  await page.getByRole('switch', { name: 'Input d1' }).click();
  await expect.poll(async () => (await arm.getSnapshot()).snapshot['global.inputs'].d1).toBe(true);
  const situations = page.getByRole('region', { name: 'Situations' });
  const drive = situations.getByRole('button', { name: 'Drive fails' });
  await drive.click();
  await expect.poll(() => state()).toBe('error');
  await expect(drive).toHaveAttribute('aria-pressed', 'true');
  await drive.click();
  await expect(drive).toHaveAttribute('aria-pressed', 'false');
  const faults = page.getByRole('region', { name: 'Faults' });
  await expect(faults.getByLabel('Kind').locator('option')).toHaveCount(15);
  await faults.getByLabel('Joint', { exact: true }).selectOption('J3');
  await faults.getByLabel('Fault', { exact: true }).selectOption('Overheated');
  await faults.getByRole('button', { name: 'Add fault' }).click();
  await expect(faults.getByText('Driver, J3, overheated')).toBeVisible();
  await expect.poll(() => state()).toBe('error');
  await expect(page.getByRole('region', { name: 'Twin log' }).getByText('too hot')).toBeVisible();
  expect((await arm.listFaults()).faults).toMatchObject([{ fault: { kind: 'driver', joint: 2 } }]);
  await faults.getByRole('button', { name: 'Clear Driver, J3, overheated' }).click();
  await expect(faults.getByText('No active faults.')).toBeVisible();
  const banner = page.getByRole('banner');
  await banner.getByRole('button', { name: 'Reset errors' }).click();
  await expect.poll(() => state()).toBe('ready');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('cell', { name: '/api/v1/controls/reset_errors' })).toBeVisible();
});

test('draws the capsules where physics has them, marks those that touch an obstacle', async () => {
  await page.keyboard.press('c');
  await expect.poll(async () => (await collision())?.bodies.length).toBeGreaterThan(11);
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
  const agrees = async (): Promise<boolean> => {
    const expected = capsulesAt(await joints());
    const bodies = (await collision())?.bodies ?? [];
    return expected.every(({ ends_m, radius_m }, i) => {
      const numbers = [...ends_m.flat(), radius_m];
      const drawn = bodies[i] ? [...bodies[i].ends_m.flat(), bodies[i].radius_m] : [];
      return numbers.every((value, k) => Math.abs(value - (drawn[k] ?? 9)) < CLOSE_M);
    });
  };
  expect(await agrees()).toBe(true);
  await page.evaluate(() => {
    const layer = (globalThis as Drawing).armtwin.page('simulation')!.collision()!;
    layer.wires()[3]!.visible = false;
  });
  expect(await agrees()).toBe(false);

  // With a running clock the obstacle would push the arm away. It may touch the arm, but not hold it.
  await arm.setClock({ paused: true });
  const ends = capsulesAt(await joints()).flatMap(({ ends_m, radius_m }) =>
    ends_m.map((end) => ({ end, front_m: end[0]! + radius_m })),
  );
  const { end, front_m } = ends.reduce((a, b) => (a.front_m > b.front_m ? a : b));
  const panel = page.getByRole('region', { name: 'Obstacles' });
  const crate = [front_m + CRATE_M / 2 - TOUCH_M, end[1]!, end[2]!];
  const [x, y, z] = crate.map((metres) => (metres * 1000).toFixed(1));
  await panel.getByLabel('At x, mm').fill(x!);
  await panel.getByLabel('At y, mm').fill(y!);
  await panel.getByLabel('At z, mm').fill(z!);
  await panel.getByRole('button', { name: 'Add obstacle' }).click();
  await expect.poll(async () => (await collision())?.obstacles[0]?.hit).toBe(true);
  const drawn = await collision();
  expect(drawn!.bodies.some(({ hit }) => hit)).toBe(true);
  expect(drawn!.labels.join()).toMatch(/crate, −\d+\.\d mm, collision/);
  expect(drawn!.obstacles[0]!.size_m.every((size) => Math.abs(size - 0.1) < 1e-6)).toBe(true);
  await arm.stepClock({ ticks: 2 });
  await expect(page.getByText(/Link \d touches crate/)).toBeVisible();
  await panel.getByRole('button', { name: 'Remove crate' }).click();
  await expect.poll(async () => (await collision())?.obstacles.length).toBe(0);
  await arm.setClock({ paused: false });

  await panel.getByRole('button', { name: 'Place by click' }).click();
  const canvas = await page.locator('.stage-canvas').boundingBox();
  await page.mouse.click(canvas!.x + 0.75 * canvas!.width, canvas!.y + 0.8 * canvas!.height);
  await expect.poll(async () => (await arm.listObstacles()).obstacles.length).toBe(1);
  const [placed] = (await arm.listObstacles()).obstacles;
  expect(placed!.position.z).toBeCloseTo(0.05, 9);
  await expect
    .poll(async () => (await collision())?.obstacles[0]?.at_m[0])
    .toBe(placed!.position.x);
  await arm.removeObstacle({ obstacle_id: placed!.id });
});

test('saves, restores and downloads snapshots, and records the twin', async () => {
  const snapshots = page.getByRole('region', { name: 'Snapshots' });
  await snapshots.getByRole('button', { name: 'Save' }).click();
  await expect(snapshots.getByRole('button', { name: 'Restore before' })).toBeVisible();
  const [saved] = (await arm.listStates()).states;
  const download = page.waitForEvent('download');
  await snapshots.getByRole('button', { name: 'Download before' }).click();
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as { name: string };
  expect(file).toMatchObject({ format: 1, name: 'before' });
  await arm.advanceClock({ seconds: 600 });
  await snapshots.getByRole('button', { name: 'Restore before' }).click();
  await expect.poll(async () => (await arm.getClock()).tick - saved!.tick).toBeLessThan(60_000);
  const recording = page.getByRole('region', { name: 'Recording' });
  await recording.getByRole('button', { name: 'Start recording' }).click();
  await expect.poll(async () => (await arm.getRecording()).recording).toBe(true);
  await recording.getByRole('button', { name: 'Stop' }).click();
  await expect(recording.getByText(/^Stopped, /)).toBeVisible();
  const recordingDownload = page.waitForEvent('download');
  await recording.getByRole('button', { name: 'Download recording' }).click();
  expect((await recordingDownload).suggestedFilename()).toBe('recording.jsonl');
});

/** An upstream arm without the twin's identity header, like a real arm. */
async function anonymousArm(): Promise<{ url: string; close(): Promise<unknown> }> {
  const upstream = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => upstream.close(resolve)) };
}

test('shows an upstream arm, whether it is real, and when it is unreachable', async () => {
  await arm.resetTwin({ scopes: ['state'] });
  const anonymous = await anonymousArm();
  const [proxy, proxyOfReal] = await Promise.all(
    [server.baseUrl, anonymous.url].map((url) => startServer(['--upstream', url])),
  );
  await page.goto(`${proxy!.baseUrl}/#token=${server.token}`);
  await expect.poll(() => state()).toBe('ready');
  await expect(page.getByText('simulated, 1.00× real time')).toBeVisible();
  await expect.poll(() => drawnError()).toBeLessThan(CLOSE_RAD);
  await expect(page.getByRole('button', { name: 'Simulation' })).toBeHidden();
  await arm.setEmergencyStop({ engaged: true });
  await expect.poll(() => state()).toBe('disabled');
  await arm.setEmergencyStop({ engaged: false });

  const reply = await fetch(`${proxyOfReal!.baseUrl}/api/versions`);
  expect(reply.headers.get('x-armtwin')).toContain('driver=upstream');
  await anonymous.close();
  const failed = await fetch(`${proxyOfReal!.baseUrl}/api/versions`);
  expect([failed.status, await failed.json()]).toMatchObject([502, { error: { error_code: 1 } }]);
  await Promise.all([proxyOfReal!.stop(), proxy!.stop()]);
});
