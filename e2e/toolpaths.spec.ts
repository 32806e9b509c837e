/**
 * The Paths page against the built program: a dropped file is shown without a call to the
 * server, and the drawn poses match the server's build. Angles and zones are read back from the
 * drawn objects.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Joints, SegmentItem, Toolpath, TrajectoryItem } from '../contract/types.generated.ts';
import { TURN_RAD, turn } from './drawn-link.ts';
import { type DrawingWindow, drawnZones, drop, ghost, open } from './plan-page.ts';
import { type Server, test } from './server.ts';

const CLOSE_RAD = 1e-6;
/** An arrow key moves the cursor by 20 ms; the build has a setpoint each 10 ms. */
const SETPOINTS_PER_FRAME = 2;
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 1000, height: 640 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

function fixture(name: string): Toolpath {
  const url = new URL(`../fixtures/toolpaths/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Toolpath;
}

/** Whether the visible zones are those of the toolpath, each in its place. */
async function zonesAgree(page: Page, toolpath: Toolpath): Promise<boolean> {
  const drawn = await drawnZones(page);
  const expected = toolpath.metadata.avoidance_zones ?? [];
  const near = (a: readonly number[], b: readonly number[]) =>
    a.every((value, i) => Math.abs(value - b[i]!) < 1e-6);
  return (
    drawn.length === expected.length &&
    expected.every(({ position: p, dimensions: d }, i) => {
      const { at_m, size_m } = drawn[i]!;
      return near(at_m, [p.x, p.y, p.z]) && near(size_m, [d.x, d.y, d.z]);
    })
  );
}

function difference(a: readonly number[] | null, b: ArrayLike<number>): number {
  return a ? Math.max(...a.map((angle, j) => Math.abs(angle - b[j]!))) : Number.POSITIVE_INFINITY;
}

function armOf({ baseUrl, token }: Server): ArmClient {
  return connect({ baseUrl, token });
}

/** The motions of the server's build of a run that takes no branch, in order. */
async function builtMotions(arm: ArmClient, toolpath: Toolpath): Promise<SegmentItem[]> {
  const { trajectory } = await arm.calcToolpath({ toolpath });
  const motions = (items: readonly TrajectoryItem[]): SegmentItem[] =>
    items.flatMap((item) => {
      if (item.type === 'grid') return item.iterations.flatMap(motions);
      return item.type === 'segment' ? [item] : [];
    });
  return motions(trajectory.timeline ?? []);
}

/** Moves the cursor to the first execution of a step, then forward by some frames. */
async function goTo(page: Page, pointer: string, frames: number): Promise<void> {
  await page.locator(`.row[data-at="${pointer}"]`).click();
  await page.locator('.timeline-sheet').focus();
  for (let i = 0; i < frames; i++) await page.keyboard.press('ArrowRight');
}

test('shows a dropped file without signing in and without a call to the server', async ({
  page,
  server,
}) => {
  const observed = await open(page, server.baseUrl);
  await expect(page.getByLabel('API token')).toBeVisible();
  await drop(page, 'sorter.json', JSON.stringify(fixture('sorter')));
  await expect(page.getByRole('treeitem', { name: /Grid, 3 × 2/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'sorter' })).toBeVisible();
  await expect(page.locator('.mark-name', { hasText: 'over red' })).toHaveCount(1);
  await expect(page.getByText('camera post').first()).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute(
    'aria-valuemax',
    '13.97',
  );
  await expect
    .poll(async () => difference(await ghost(page), fixture('sorter').waypoints[0]!.joints))
    .toBe(0);
  expect(observed.calls).toEqual([]);
  expect(observed.consoleErrors).toEqual([]);
});

test('draws the ghost at the built pose, and would detect a difference of 5 degrees', async ({
  page,
  server,
}) => {
  const toolpath = fixture('sorter');
  const motions = await builtMotions(armOf(server), toolpath);
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', JSON.stringify(toolpath));
  for (const [number, pointer, frames] of [
    [0, '/timeline/3/timeline/0', 17],
    [1, '/timeline/3/timeline/1', 9],
    [motions.length - 1, '/timeline/5', 12],
  ] as const) {
    await page.keyboard.press('Escape');
    await page.locator('.timeline-sheet').focus();
    await page.keyboard.press('Home');
    await goTo(page, pointer, frames);
    const wanted = motions[number]!.setpoints[frames * SETPOINTS_PER_FRAME]!.joints!;
    await expect.poll(async () => difference(await ghost(page), wanted)).toBeLessThan(CLOSE_RAD);
  }
  const before = (await ghost(page))!;
  const link = await page.evaluateHandle(() => {
    const { armtwin } = globalThis as typeof globalThis & DrawingWindow;
    return armtwin.page('paths')!.drawn().matrices[4]!;
  });
  await turn(link);
  expect(difference(await ghost(page), before)).toBeGreaterThan(0.99 * TURN_RAD);
});

test('shows in the timeline what changed while another page was shown', async ({
  page,
  server,
}) => {
  const pageButton = (name: string) => page.getByRole('button', { name, exact: true });
  await open(page, `${server.baseUrl}/#token=${server.token}`);
  await drop(page, 'sorter.json', JSON.stringify(fixture('sorter')));
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const picture = () =>
    page.locator('.timeline-canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await picture();
  await pageButton('Live').click();
  await expect(page.locator('.timeline-canvas')).toBeHidden();
  await pageButton('Theme').click();
  await pageButton('Paths').click();
  await expect(page.locator('.timeline-canvas')).toBeVisible();
  await expect.poll(picture).not.toBe(before);
  await pageButton('Theme').click();
  await expect.poll(picture).toBe(before);
});

test('draws every zone in its place, and would detect a hidden one', async ({ page, server }) => {
  const toolpath = fixture('sorter');
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', JSON.stringify(toolpath));
  await expect.poll(() => zonesAgree(page, toolpath)).toBe(true);
  await page.getByRole('button', { name: 'Zones' }).click();
  await expect.poll(() => zonesAgree(page, toolpath)).toBe(false);
  await page.keyboard.press('z');
  await expect.poll(() => zonesAgree(page, toolpath)).toBe(true);
  await page.evaluate(() => {
    const { armtwin } = globalThis as typeof globalThis & DrawingWindow;
    armtwin.page('paths')!.zoneObjects()[1]!.visible = false;
  });
  expect(await zonesAgree(page, toolpath)).toBe(false);
});

test('follows the selected branch into the routines it calls', async ({ page, server }) => {
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', JSON.stringify(fixture('sorter')));
  const branch = page.getByRole('treeitem', { name: 'tool analog input 0 is above 6' });
  await branch.click();
  await expect(branch).toHaveAttribute('data-taken', 'true');
  await expect(branch).toHaveAttribute('aria-expanded', 'true');
  const duration = page.getByRole('slider', { name: 'Time' });
  await expect
    .poll(async () => Number(await duration.getAttribute('aria-valuemax')))
    .toBeGreaterThan(25);
  await expect(page.locator('.row[data-at="/routines/0/timeline/0"]')).toContainText(' s');
});

/** Pick-and-place with a zone at the middle of its first move, and the joints at its collision. */
async function obstructed(arm: ArmClient): Promise<{ toolpath: Toolpath; hit: number[] }> {
  const toolpath = fixture('pick-and-place');
  const [first] = await builtMotions(arm, toolpath);
  const joints = first!.setpoints[Math.floor(first!.setpoints.length / 2)]!.joints as Joints;
  const { tcp_config } = toolpath.metadata;
  const tool = tcp_config ? { tcp_config } : {};
  const { fk } = await arm.forwardKinematics({ joints, ...tool });
  if (fk.result !== 'success')
    throw new Error('no forward kinematics at the middle of the first move');
  const size = 0.03;
  const { x, y, z } = fk.position;
  toolpath.metadata.avoidance_zones = [
    {
      name: '<img src=x onerror=alert(1)>',
      position: { x: x - size / 2, y: y - size / 2, z: z - size / 2 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
      dimensions: { x: size, y: size, z: size },
      avoid: 'inside',
    },
  ];
  const setpoints = (await builtMotions(arm, toolpath)).flatMap((motion) => motion.setpoints);
  const hit = setpoints.find(({ result }) => result === 'error')?.joints;
  if (!hit) throw new Error('the motion does not collide with the zone');
  return { toolpath, hit };
}

test('shows an error at its place in tree, timeline and scene, as text', async ({
  page,
  server,
}) => {
  const { toolpath, hit } = await obstructed(armOf(server));
  const observed = await open(page, server.baseUrl);
  await drop(page, 'obstructed.json', JSON.stringify(toolpath));
  await expect(page.locator('.program-count[data-tone="fault"]')).toBeVisible();
  const row = page.locator('.row[data-finding="error"]').first();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('alert').getByText('object_collision')).toBeVisible();
  await expect(page.locator('.mark-error .mark-name').first()).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute(
    'aria-valuetext',
    /error/,
  );
  // The ghost is at the first failing setpoint of the build, within one setpoint.
  await expect.poll(async () => difference(await ghost(page), hit)).toBeLessThan(0.03);
  await page.keyboard.press('Home');
  await expect.poll(async () => difference(await ghost(page), hit)).toBeGreaterThan(0.1);
  const time = page.getByRole('slider', { name: 'Time' });
  await expect(time).toHaveAttribute('aria-valuetext', /^0\.00 seconds/);
  // A finding that someone asks for is shown where it is deepest, once that is known.
  await page.keyboard.press('e');
  await expect(time).toHaveAttribute('aria-valuetext', /^(?!0\.00).* seconds, .*error/);
  // A hostile name stays text.
  const hostile = page.getByText('<img src=x onerror=alert(1)>').filter({ visible: true });
  await expect(hostile.first()).toBeVisible();
  expect(observed.consoleErrors).toEqual([]);
});

test('describes the problem of a file that is not a toolpath', async ({ page, server }) => {
  await open(page, server.baseUrl);
  const toolpath = fixture('sorter');
  const waypoints = toolpath.waypoints.map((waypoint, i) =>
    i === 3 ? { ...waypoint, joints: [0, 1] } : waypoint,
  );
  await drop(page, 'broken.json', JSON.stringify({ ...toolpath, waypoints }));
  await expect(page.getByText('/waypoints/3/joints')).toBeVisible();
  const { width, height } = page.viewportSize()!;
  for (const narrow of [768, 390, width]) {
    await page.setViewportSize({ width: narrow, height });
    await expect(page.getByText('but has 2')).toBeVisible();
  }
  await drop(page, 'old.json', JSON.stringify(fixture('pick-and-place.format-1')));
  await expect(page.getByText('Migrated to format 2')).toBeVisible();
});

test('saves to the arm, lists, opens and loads into the robot', async ({ page, server }) => {
  const arm = armOf(server);
  await open(page, `${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await drop(page, 'Dropped one.json', JSON.stringify(fixture('pick-and-place')));
  await page.getByRole('button', { name: 'Save to arm' }).click();
  await expect
    .poll(async () => (await arm.listToolpaths()).toolpaths.map(({ name }) => name))
    .toContain('Dropped one');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await expect
    .poll(async () => (await arm.getSnapshot()).snapshot.control.toolpath_hash)
    .toMatch(/^[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'Dropped one', exact: true }).click();
  await page.getByPlaceholder('Find toolpath').fill('dropped');
  await page.getByRole('listitem').getByRole('button', { name: 'Dropped one' }).click();
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.getByTitle('Release the lock').click();
  await expect.poll(async () => (await arm.getLock()).status).toBe('unlocked');
});

test('runs the toolpath on the screen, not the one that is loaded', async ({ page, server }) => {
  const arm = armOf(server);
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'Another', toolpath: fixture('sorter') });
  await arm.releaseLock();
  await open(page, `${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByRole('button', { name: /^Run/ }).first()).toBeEnabled();
  await drop(page, 'Seen.json', JSON.stringify(fixture('pick-and-place')));
  const run = page.getByRole('button', { name: /Load and run “Seen”, not saved/ });
  await expect(run).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Home', exact: true })).toBeDisabled();
  await run.click();
  const control = async () => (await arm.getSnapshot()).snapshot.control;
  await expect.poll(async () => (await control()).state).toBe('running');
  expect((await control()).toolpath_name).toBe('Seen');
  await page.getByRole('button', { name: 'Cancel the motion' }).click();
  await expect.poll(async () => (await control()).state).toBe('ready');
  await expect(page.getByRole('button', { name: /^Run/ }).first()).toBeEnabled();
  await page.getByTitle('Release the lock').click();
  await expect.poll(async () => (await arm.getLock()).status).toBe('unlocked');
});
