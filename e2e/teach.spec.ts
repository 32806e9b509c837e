/**
 * The Teach page against the built program: the gizmo moves the ghost and never the arm, Move here
 * moves the arm, edits are undone and saved, older files are migrated.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { FidelityReply, Joints, ToolpathHead } from '../contract/types.generated.ts';
import type { ArmWindow, TeachScene } from '../viewer/test-window.ts';
import { open } from './plan-page.ts';
import { test as base, startServer } from './server.ts';

const RAD = Math.PI / 180;
const DOWN_DEG = [20, -40, -90, 0, -50, 0] as const;
const CLOSE_RAD = 1e-6;
const AT_REST_RAD = 0.01;
const expect = baseExpect.configure({ timeout: 20_000 });

const test = base.extend<object, { arm: { url: string; client: ArmClient } }>({
  arm: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form of a fixture
    async ({}, use) => {
      const server = await startServer(['--driver', 'fast', '--clock', '4']);
      const { baseUrl, token } = server;
      await use({ url: `${baseUrl}/#token=${token}`, client: connect({ baseUrl, token }) });
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

test.use({ viewport: { width: 900, height: 560 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

interface TeachWindow {
  readonly armtwin: Omit<ArmWindow, 'page'> & { page(name: 'teach'): TeachScene | null };
}

function drawn(page: Page) {
  return page.evaluate(
    () => (globalThis as typeof globalThis & TeachWindow).armtwin.page('teach')?.drawn() ?? null,
  );
}

async function ghost(page: Page): Promise<readonly number[] | null> {
  return (await drawn(page))?.joints ?? null;
}

function difference(a: readonly number[] | null, b: ArrayLike<number>): number {
  return a ? Math.max(...a.map((angle, j) => Math.abs(angle - b[j]!))) : Number.POSITIVE_INFINITY;
}

async function armJoints(client: ArmClient): Promise<Joints> {
  return (await client.getSnapshot()).snapshot['servos.telemetry.position'];
}

/** Opens the page by key and moves the ghost to a pose with the tool down by typed angles. */
async function teach(page: Page, url: string) {
  const observed = await open(page, url);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.keyboard.press('3');
  await expect(page.getByText('No toolpath is open', { exact: false })).toBeVisible();
  for (const [joint, angle] of DOWN_DEG.entries()) {
    const field = page.getByLabel(`Joint ${joint + 1} (°)`);
    await field.fill(String(angle));
    await field.press('Enter');
    await expect(field).toHaveValue(angle.toFixed(2));
  }
  await expect
    .poll(async () =>
      difference(
        await ghost(page),
        DOWN_DEG.map((a) => a * RAD),
      ),
    )
    .toBeLessThan(CLOSE_RAD);
  // The gizmo updates with the next drawn frame.
  const tip = Number(await page.getByLabel('Tool Z (mm)').inputValue()).toFixed(1);
  const height = page.getByRole('slider', { name: 'Move the ghost along Z' });
  await expect(height).toHaveAttribute('aria-valuenow', tip);
  return observed;
}

/** Where a handle of the gizmo can be pressed, once the camera stands. */
async function handleAt(page: Page, name: string): Promise<readonly [number, number]> {
  const path = page.getByRole('slider', { name }).locator('.gizmo-hit');
  // The camera may still be on its way, and takes the handles with it.
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as TeachWindow).armtwin.isMoving()))
    .toBe(false);
  return path.evaluate((hit: SVGPathElement) => {
    const { x, y } = hit.getPointAtLength(hit.getTotalLength() / 3);
    const box = hit.ownerSVGElement!.getBoundingClientRect();
    return [Math.round(box.left + x), Math.round(box.top + y)] as const;
  });
}

/** Drags a handle of the gizmo by a distance in pixels. */
async function drag(page: Page, name: string, by: readonly [number, number]): Promise<void> {
  const [x, y] = await handleAt(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by[0] / 2, y + by[1] / 2);
  await page.mouse.move(x + by[0], y + by[1]);
  await page.mouse.up();
}

test('drags the ghost by inverse kinematics, then moves the arm there', async ({
  page,
  arm: { url, client },
}) => {
  const observed = await teach(page, url);
  const before = await armJoints(client);
  const guess = (await ghost(page)) as Joints;
  const height = page.getByRole('slider', { name: 'Move the ghost along Z' });
  const start_mm = Number(await height.getAttribute('aria-valuenow'));
  await drag(page, 'Move the ghost along Z', [0, -40]);
  await expect
    .poll(async () => Number(await height.getAttribute('aria-valuenow')))
    .toBeGreaterThan(start_mm + 10);
  const dragged = (await ghost(page)) as Joints;
  const { fk } = await client.forwardKinematics({ joints: dragged });
  const { fk: from } = await client.forwardKinematics({ joints: guess });
  if (fk.result !== 'success' || from.result !== 'success') throw new Error('no such pose');
  const { x, y } = from.position;
  const pose = { ...from, position: { x, y, z: fk.position.z } };
  const { position, orientation } = pose;
  const { ik } = await client.inverseKinematics({ guess, position, orientation });
  if (ik.result !== 'success') throw new Error('no joints');
  expect(difference(dragged, ik.joints)).toBeLessThan(CLOSE_RAD);
  expect(await armJoints(client)).toEqual(before);
  expect((await client.getLock()).status).toBe('unlocked');
  await page.getByRole('button', { name: 'Move here' }).click();
  await expect
    .poll(async () => difference(await armJoints(client), dragged))
    .toBeLessThan(AT_REST_RAD);
  await expect(page.getByText('Ghost at the arm')).toBeAttached();
  // Now jog the arm: one press is one step, through lock and API.
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByRole('button', { name: 'Tool Z more' }).press('Enter');
  const up = { joints: dragged, direction: 'z', offset: 0.001 } as const;
  const { nudge } = await client.nudge(up);
  if (nudge.result !== 'success') throw new Error('no nudge');
  await expect
    .poll(async () => difference(await armJoints(client), nudge.joints))
    .toBeLessThan(2e-3);
  // While held, it repeats steps; after release, the sum of the steps is exact.
  await page.getByRole('button', { name: 'Joint 6 more' }).hover();
  await page.mouse.down();
  const turned = async () => ((await armJoints(client))[5] - nudge.joints[5]) / RAD;
  await expect.poll(turned).toBeGreaterThan(2.5);
  await page.mouse.up();
  await expect(page.getByText('Ready').first()).toBeVisible();
  await expect
    .poll(async () => {
      const { snapshot } = await client.getSnapshot();
      const steps = await turned();
      return snapshot.control.state === 'ready' ? Math.abs(steps - Math.round(steps)) : 1;
    })
    .toBeLessThan(0.2);
  expect(difference((await armJoints(client)).slice(0, 5), nudge.joints)).toBeLessThan(2e-3);
  await page.getByTitle('Release the lock').click();
  expect(observed.consoleErrors).toEqual([]);
});

test('goes on with a drag while the connection is lost, and moves the arm there after it', async ({
  page,
  arm: { url, client },
}) => {
  await teach(page, url);
  const before = await armJoints(client);
  const state = () => page.evaluate(() => (globalThis as unknown as TeachWindow).armtwin.state());
  const height = page.getByRole('slider', { name: 'Move the ghost along Z' });
  const height_mm = async () => Number(await height.getAttribute('aria-valuenow'));
  const start_mm = await height_mm();
  const [x, y] = await handleAt(page, 'Move the ghost along Z');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 10);
  await expect.poll(height_mm).toBeGreaterThan(start_mm);
  const reached_mm = await height_mm();
  await page.context().setOffline(true);
  await expect.poll(state).toBe('stale');
  await page.mouse.move(x, y - 20);
  await expect.poll(height_mm).toBeGreaterThan(reached_mm);
  await page.mouse.up();
  const dragged = await ghost(page);
  await expect(page.getByRole('button', { name: 'Move here' })).toBeDisabled();
  await page.context().setOffline(false);
  await expect.poll(state).toBe('ready');
  expect(await ghost(page)).toEqual(dragged);
  expect(await armJoints(client)).toEqual(before);
  await page.getByRole('button', { name: 'Move here' }).click();
  await expect
    .poll(async () => difference(await armJoints(client), dragged!))
    .toBeLessThan(AT_REST_RAD);
});

test('keeps the last valid pose and shows why a pose is invalid', async ({
  page,
  arm: { url },
}) => {
  await teach(page, url);
  const alert = page.getByRole('alert').filter({ hasText: '_' });
  await page.getByLabel('Joint 3 (°)').fill('-179');
  await page.keyboard.press('Enter');
  await expect(alert.getByText('j2_boundary_limit')).toBeVisible();
  expect(
    difference(
      await ghost(page),
      DOWN_DEG.map((a) => a * RAD),
    ),
  ).toBeLessThan(CLOSE_RAD);
  await page.getByLabel('Tool Z (mm)').fill('5');
  await page.keyboard.press('Enter');
  await expect(alert.getByText('plane_collision')).toBeVisible();
  await page.getByLabel('Tool X (mm)').fill('900');
  await page.keyboard.press('Enter');
  await expect(alert.getByText('reach_limit')).toBeVisible();
  expect(
    difference(
      await ghost(page),
      DOWN_DEG.map((a) => a * RAD),
    ),
  ).toBeLessThan(CLOSE_RAD);
  await page.getByRole('slider', { name: 'Turn the ghost about Z' }).press('ArrowUp');
  await expect(alert).toBeHidden();
  await expect.poll(async () => (await ghost(page))![5]).toBeCloseTo(-RAD, 6);
});

async function saved(client: ArmClient, name: string): Promise<ToolpathHead | undefined> {
  return (await client.listToolpaths()).toolpaths.find((head) => head.name === name);
}

test('teaches a toolpath with the keyboard, undoes, saves and loads it', async ({
  page,
  arm: { url, client },
}) => {
  await teach(page, url);
  await page.getByRole('button', { name: 'New toolpath' }).press('Enter');
  await page.getByLabel('Name of the toolpath').fill('Taught');
  const handle = page.getByRole('slider', { name: 'Move the ghost along Y' });
  for (let i = 0; i < 3; i++) {
    await handle.press('Shift+ArrowUp');
    await handle.press('w');
  }
  const rows = page.getByRole('treeitem');
  await expect(rows).toHaveCount(3);
  await handle.press('Control+z');
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Move', exact: true }).selectOption('Linear');
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('Own speed');
  // Keys, one by one: number fields of a browser drop the comma.
  const speed = page.getByRole('textbox', { name: 'Speed mm/s' });
  await speed.fill('');
  await speed.pressSequentially('80,5');
  await speed.press('ArrowDown');
  await expect(speed).toHaveValue('70.5');
  await speed.fill('80');
  await page.getByRole('button', { name: 'Add a step' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Wait', exact: true }).press('Enter');
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Control+s');
  await expect.poll(() => saved(client, 'Taught')).toBeTruthy();
  const { id } = (await saved(client, 'Taught'))!;
  const { toolpath } = (await client.getToolpath({ toolpath_id: id })).toolpath;
  expect(toolpath.timeline).toEqual([
    { type: 'home', waypoint_id: 0 },
    { type: 'wait', condition: { type: 'time', duration: 1 } },
    { type: 'trajectory', trajectory: 'linear', waypoint_id: 1, max_speed: 0.08 },
  ]);
  const [first, second] = toolpath.waypoints.map(({ joints }) => joints);
  expect(toolpath.waypoints).toHaveLength(2);
  const poses = await Promise.all(
    [first!, second!].map(async (joints) => (await client.forwardKinematics({ joints })).fk),
  );
  const [a, b] = poses.map((fk) => (fk.result === 'success' ? fk.position.y : Number.NaN));
  expect(b! - a!).toBeCloseTo(0.01, 4);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await expect
    .poll(async () => (await client.getSnapshot()).snapshot.control.toolpath_name)
    .toBe('Taught');
  await page.getByTitle('Release the lock').click();
});

test('migrates a file of format 1 to format 2 and lists the changes', async ({
  page,
  arm: { url, client },
}) => {
  await teach(page, url);
  const file = new URL('../fixtures/toolpaths/pick-and-place.format-1.json', import.meta.url);
  const old = JSON.parse(readFileSync(file, 'utf8'));
  const { breaking_changes } = await client.migrateToolpath({ toolpath: old });
  await page.locator('[data-of="teach"] input[type="file"]').setInputFiles(file.pathname);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await expect(page.locator('[data-of="teach"] .notes li')).toHaveText(breaking_changes);
  await page.keyboard.press('Control+s');
  await expect.poll(() => saved(client, 'pick-and-place.format-1')).toBeTruthy();
});

test('adds, changes and removes a zone in the scene, and undoes it', async ({
  page,
  arm: { url, client },
}) => {
  await open(page, url);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'New toolpath' }).press('Enter');
  const zones = page.getByRole('region', { name: 'Zones' });
  const seen = async () => (await drawn(page))?.zones ?? [];
  await zones.getByRole('button', { name: 'Add zone' }).press('Enter');
  await expect.poll(async () => (await seen())[0]?.size_m[2]).toBeCloseTo(0.1, 6);
  await zones.getByLabel('Name').fill('Balance');
  const corner = zones.getByRole('textbox', { name: 'Corner x mm' });
  await corner.fill('20000000');
  await corner.press('Enter');
  const said = 'Zone “Balance”, corner x, must be at most 10,000,000 mm.';
  await page.getByRole('region', { name: 'Findings' }).getByText(said).click();
  await expect(zones.getByLabel('Name')).toBeFocused();
  await corner.fill('-420');
  await zones.getByRole('textbox', { name: 'Size z mm' }).fill('250');
  await zones.getByLabel('Rule').selectOption('Keep inside');
  await zones.getByLabel('Rule').selectOption('Keep out');
  await expect.poll(async () => (await seen())[0]?.size_m[2]).toBeCloseTo(0.25, 6);
  expect((await seen())[0]!.at_m[0]).toBeCloseTo(-0.42, 6);
  const name = page.locator('[data-of="teach"] .mark-zone').filter({ hasText: 'Balance' });
  await expect(name).toBeAttached();
  await page.getByLabel('Name of the toolpath').fill('Walled');
  await page.getByRole('button', { name: 'Add waypoint' }).press('Enter');
  await page.keyboard.press('Control+s');
  await expect.poll(() => saved(client, 'Walled')).toBeTruthy();
  const { id } = (await saved(client, 'Walled'))!;
  const { metadata } = (await client.getToolpath({ toolpath_id: id })).toolpath.toolpath;
  expect(metadata.avoidance_zones).toMatchObject([
    { name: 'Balance', position: { x: -0.42 }, dimensions: { z: 0.25 }, avoid: 'inside' },
  ]);
  await zones.getByRole('button', { name: 'Remove zone' }).press('Enter');
  await expect.poll(async () => (await seen()).length).toBe(0);
  await expect(zones.getByRole('button', { name: 'Add zone' })).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await seen())[0]?.size_m[2]).toBeCloseTo(0.25, 6);
});

test('accepts a typed angle while the value changes', async ({ page, arm: { url, client } }) => {
  await open(page, url);
  await page.getByRole('button', { name: 'Teach', exact: true }).click();
  await page.getByLabel('Joint 1 (°)').selectText();
  await client.takeLock();
  await client.goTo({ mode: 'teach', joints: [1, 0.1, -1, 0, -1, 0], max_speed: 0.25 });
  await expect(page.getByLabel('Joint 2 (°)')).toHaveValue(/^5\./);
  await page.keyboard.type('12.5');
  await expect(page.getByLabel('Joint 1 (°)')).toHaveValue('12.5');
});

test('the first field of a new zone stays above the motion row of a phone', async ({
  page,
  arm: { url },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, url);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'New toolpath' }).press('Enter');
  const zones = page.getByRole('region', { name: 'Zones' });
  await zones.getByRole('button', { name: 'Add zone' }).press('Enter');
  const name = zones.getByLabel('Name');
  await expect(name).toBeFocused();
  const isOnTop = () =>
    name.evaluate((field) => {
      const { left, top, width, height } = field.getBoundingClientRect();
      const ends = [top + 2, top + height - 2];
      return ends.every((y) => document.elementFromPoint(left + width / 2, y) === field);
    });
  await expect.poll(isOnTop).toBe(true);
});

test('keeps to the range of an arm that is narrower than the model', async ({
  page,
  arm: { url },
}) => {
  await page.route('**/sim/v1/fidelity', async (route) => {
    const reply = await route.fetch();
    const fidelity = (await reply.json()) as FidelityReply;
    fidelity.joint_range.max_rad[0] = 0.5;
    await route.fulfill({ response: reply, json: fidelity });
  });
  await teach(page, url);
  const field = page.getByLabel('Joint 1 (°)');
  await field.fill('30');
  await field.press('Enter');
  await expect(
    page.getByText('J1 cannot be at 30.0°. Stay between −179.0° and 28.6°.'),
  ).toBeVisible();
  // The toolpath goes to 29.7°, in a worker.
  const file = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  await page.locator('[data-of="teach"] input[type="file"]').setInputFiles(file.pathname);
  await expect(page.getByText('J0_BOUNDARY', { exact: false }).first()).toBeVisible();
  await expect(page.getByTitle('Joint 1: limits −179° to 29°')).toBeAttached();
});
