/** One document across Paths and Teach: drafts survive a change of page and of toolpath. */
import { expect as baseExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { type Server, startServer, test } from './server.ts';

/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });
/** Passes through a zone: a finding with remedies. */
const WALLED: Toolpath = {
  metadata: {
    version: 2,
    default_max_speed: 0.25,
    payload: 0,
    next_label_id: 2,
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    avoidance_zones: [
      {
        name: 'Balance',
        avoid: 'inside',
        position: { x: 0.2, y: -0.05, z: 0 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
        dimensions: { x: 0.2, y: 0.1, z: 0.42 },
      },
    ],
  },
  timeline: [
    { type: 'home', waypoint_id: 0 },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 },
  ],
  waypoints: [
    { label_id: 0, joints: [-0.9, 0.2, -1.9, 0, -1.4, 0] },
    { label_id: 1, joints: [0.9, 0.2, -1.9, 0, -1.4, 0] },
  ],
} as Partial<Toolpath> as Toolpath;

let server: Server;
let page: Page;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  await arm.createToolpath({ name: 'Walled', toolpath: WALLED });
  const metadata = { ...WALLED.metadata, avoidance_zones: [] };
  await arm.createToolpath({ name: 'Other', toolpath: { ...WALLED, metadata } });
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
});

const rail = (name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true });
const paths = () => page.locator('.program:not([data-of])');
const teach = () => page.locator('.program[data-of="teach"]');
const count = () => paths().locator('.program-count');

test('undoes a remedy on Paths, and opens the saved version', async () => {
  await rail('Paths').click();
  await paths().getByText('Walled').click();
  await expect(count()).toContainText('error');
  await expect(paths().getByRole('button', { name: 'Undo (Ctrl Z)' })).toBeDisabled();
  await page.locator('.plan-inspector .card-remedies button').first().click();
  await expect(count()).toBeHidden();
  const saved = paths().getByRole('button', { name: 'Open the saved version' });
  await expect(saved).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(count()).toContainText('error');
  await expect(saved).toBeHidden();
  await paths().getByRole('button', { name: 'Redo (Ctrl Shift Z)' }).click();
  await expect(count()).toBeHidden();
  await saved.click();
  await expect(count()).toContainText('error');
  await expect(page.getByText('“Walled” has edits that are not saved')).toBeVisible();
  await paths().getByRole('button', { name: 'Undo (Ctrl Z)' }).click();
  await expect(count()).toBeHidden();
  await expect(saved).toBeVisible();
});

test('has the draft on Teach with its undo, and back on Paths', async () => {
  await rail('Teach').click();
  await expect(teach().getByLabel('Name of the toolpath')).toHaveValue('Walled');
  const rows = teach().getByRole('treeitem');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  await page.keyboard.press('w');
  await expect(rows).toHaveCount(before + 1);
  await rail('Paths').click();
  await expect(paths().getByRole('treeitem')).toHaveCount(before + 1);
  await page.keyboard.press('Control+z');
  await expect(paths().getByRole('treeitem')).toHaveCount(before);
});

test('brings a draft back that another toolpath took the place of', async () => {
  await paths().locator('.program-title').click();
  await paths().getByText('Other').click();
  await expect(page.locator('.program .program-name')).toHaveText('Other');
  await expect(page.getByText('“Walled” has edits that are not saved')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.locator('.program .program-name')).toHaveText('Walled');
  await expect(count()).toBeHidden();
});
