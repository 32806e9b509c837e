/** The first five minutes: a sample runs again and again, and its parts can be put back. */
import { type Browser, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import { type Server, startServer, test } from './server.ts';

/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });

/** A run takes a few seconds at this pace; far more where the machine is busy. */
const RUN = { timeout: 100_000 };
/** How often a first-time user runs the sample on each plant. */
const TIMES = 10;

let server: Server;
let arm: ArmClient;
let page: Page;

test.describe.configure({ mode: 'serial', timeout: 240_000 });

/** Opens the page of a new twin in place of the last one. */
async function begin(browser: Browser, flags: readonly string[]): Promise<void> {
  await end();
  server = await startServer(flags);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
}

async function end(): Promise<void> {
  await page?.close();
  await server?.stop();
}

test.beforeAll(({ browser }) => begin(browser, ['--driver', 'fast', '--clock', '5']));
test.afterAll(end);

const explain = () => page.locator('.explain .explain-row');
const run = () => page.locator('.motion').getByRole('button', { name: /^Run/ });
const sample = () => page.getByRole('button', { name: 'Run “Pick and place”' });
const part = async () => (await arm.getCellObject({ object_name: 'part 1' })).object;

/** Waits until so many runs have ended, the last of them at rest and without an error. */
async function ended(count: number): Promise<void> {
  await expect
    .poll(async () => (await arm.listRobotRuns()).runs.map(({ outcome }) => outcome), RUN)
    .toEqual(Array(count).fill('finished'));
  await expect(run()).toBeEnabled();
  const { events } = await arm.listCellEvents();
  expect(events.filter(({ kind }) => kind === 'missed' || kind === 'dropped')).toEqual([]);
}

test('runs the sample, and again by Run, in one loop and in two', async () => {
  await sample().click();
  await ended(1);
  await run().click();
  await ended(2);
  await page.getByRole('textbox', { name: 'Loops, 0 = endless' }).fill('2');
  await run().click();
  await ended(3);
  expect((await part()).at).toBe('A1');
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
});

test('offers to put the parts back, and puts them back', async () => {
  await arm.moveCellObject({ object_name: 'part 1' }, { nest: 'B1' });
  await expect(explain()).toContainText('“part 1” is not in its nest');
  await explain().getByRole('button', { name: 'Put the parts back' }).click();
  await expect.poll(async () => (await part()).at).toBe('A1');
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
});

test('opens on Paths what is loaded', async () => {
  await page.getByRole('button', { name: 'Paths', exact: true }).click();
  await expect(page.locator('.program .program-name')).toHaveText('Pick and place');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.reload();
  await expect(page.locator('.program .program-name')).toHaveText('Pick and place');
});

test('begins a new toolpath without a fault', async () => {
  await page.getByRole('button', { name: 'Teach', exact: true }).click();
  const toolpaths = page.locator('[data-of="teach"].program');
  await toolpaths.locator('.program-title').click();
  await toolpaths.getByRole('button', { name: 'New toolpath' }).click();
  await expect(toolpaths.getByText('The first one becomes the home')).toBeVisible();
  await expect(toolpaths.getByRole('region', { name: 'Findings' })).toBeHidden();
  await expect(explain()).not.toContainText('cannot run');
  await page.keyboard.press('w');
  await expect(toolpaths.getByRole('treeitem')).toHaveCount(1);
  await expect(toolpaths.getByText('The first one becomes the home')).toBeHidden();
});

for (const driver of ['fast', 'rapier']) {
  test(`ends well ten times in a row on the ${driver} plant`, async ({ browser }) => {
    await begin(browser, ['--driver', driver, '--clock', '10']);
    await sample().click();
    await ended(1);
    for (let count = 2; count <= TIMES; count++) {
      await run().click();
      await ended(count);
      expect((await part()).at).toBe('A1');
      await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
    }
  });
}
