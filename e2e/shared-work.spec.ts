/**
 * What another client or a quick hand does while the page is open: keys behind a dialog, double
 * clicks, a deck that differs, definitions that are changed or deleted, sessions and resets.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 20_000 });
test.use({ viewport: { width: 1280, height: 800 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

const ASSAY = readFileSync(new URL('../fixtures/workflows/assay.json', import.meta.url), 'utf8');
const PASSWORD = 'a password that is long enough';
let server: Server;
let arm: ArmClient;

test.beforeEach(async () => {
  const flags = ['--driver', 'fast', '--log-level', 'silent', '--admin-password', PASSWORD];
  server = await startServer(flags);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
});
test.afterEach(() => server.stop());

async function open(page: Page, name: string): Promise<void> {
  page.setDefaultTimeout(20_000);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name }).first().click();
}

async function load(): Promise<void> {
  const url = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'x', toolpath: JSON.parse(readFileSync(url, 'utf8')) });
  await arm.releaseLock();
}

const stateNow = async () => (await arm.getSnapshot()).snapshot.control.state;
const nameField = (page: Page) => page.getByRole('region', { name: 'Form of the definition' });

test('no key of a page acts behind an open dialog', async ({ page }) => {
  await load();
  await open(page, 'Live');
  await expect(page.getByRole('button', { name: /^Run/ }).first()).toBeEnabled();
  await page.keyboard.press('?');
  await expect(page.locator('dialog[open]')).toBeVisible();
  for (const key of ['Shift+R', 'l', '2']) await page.keyboard.press(key);
  await page.waitForTimeout(500);
  expect(await stateNow()).toBe('ready');
  expect((await arm.getLock()).owner).toBe('none');
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await page.keyboard.press('Shift+R');
  await expect.poll(stateNow).toBe('running');
});

test('Escape closes Help on Paths and Teach, too', async ({ page }) => {
  for (const name of ['Paths', 'Teach']) {
    await open(page, name);
    await page.keyboard.press('?');
    await expect(page.locator('dialog[open]')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
  }
});

test('a double click on Pause pauses, whatever its speed', async ({ page }) => {
  await load();
  await arm.takeLock();
  await arm.run({ mode: 'automatic', loop: 0 });
  await open(page, 'Users');
  const button = page.locator('.motion button').first();
  await expect(button).toHaveText(/Pause/);
  // A busy machine may make two single clicks of it, the second of which resumes: then again.
  await expect(async () => {
    await expect(button).toHaveText(/Pause/);
    const gap_ms = await button.evaluate(async (target: HTMLButtonElement) => {
      const start_ms = performance.now();
      target.click();
      await new Promise((resolve) => setTimeout(resolve, 350));
      target.click();
      return performance.now() - start_ms;
    });
    expect(gap_ms).toBeLessThan(500);
  }).toPass({ timeout: 20_000 });
  await expect.poll(stateNow).toBe('paused');
  await page.waitForTimeout(700);
  expect(await stateNow()).toBe('paused');
  await button.click();
  await expect.poll(stateNow).toBe('running');
});

test('a triple click starts a sample, or what is shown, once', async ({ page }) => {
  await open(page, 'Live');
  await page.getByRole('button', { name: 'Run “Sorter”' }).click({ clickCount: 3 });
  await expect.poll(stateNow).toBe('running');
  const notice = page.getByText('The robot is in another state');
  await page.waitForTimeout(1000);
  await expect(notice).toBeHidden();
  expect((await arm.listToolpaths()).toolpaths.map(({ name }) => name)).toEqual(['Sorter']);
  await arm.resetTwin({});
  await load();
  const run = page.locator('.motion button').first();
  await expect(run).toBeEnabled();
  await run.click({ clickCount: 3 });
  await expect.poll(stateNow).toBe('running');
  await page.waitForTimeout(1000);
  await expect(notice).toBeHidden();
});

test('a number of loops that cannot be is put back, and never means endless', async ({ page }) => {
  await load();
  await open(page, 'Live');
  const loops = page.getByLabel('Loops, 0 = endless');
  for (const value of ['', '-3', '1.6']) {
    await loops.fill(value);
    await expect(loops).toHaveAttribute('aria-invalid', 'true');
    await loops.blur();
    await expect(loops).toHaveValue('1');
  }
  await page.locator('.motion button').first().click();
  await expect.poll(stateNow).toBe('running');
  expect((await arm.getSnapshot()).snapshot.control.loop_target).toBe(1);
});

test('where the deck differs, the two ways to start are offered', async ({ page }) => {
  const { workflow } = await arm.createWorkflow(JSON.parse(ASSAY));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
  await arm.setClock({ pace: 100 });
  const moved = async () =>
    (await arm.getRun({ run_id: run.id })).run.moves.some((move) => move.ended_at_s !== null);
  await expect.poll(moved).toBe(true);
  await arm.stopRun({ run_id: run.id });
  await arm.setClock({ pace: 1 });
  await open(page, 'Workflow');
  await page.getByRole('row').getByRole('button', { name: workflow.name, exact: true }).click();
  await page.getByRole('button', { name: 'Start run' }).click();
  await expect(page.getByText('The deck differs', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Start from the deck' }).click();
  await expect(page.getByRole('button', { name: 'Stop run' })).toBeVisible();
});

test('a run whose definition was deleted is still controlled', async ({ page }) => {
  const { workflow } = await arm.createWorkflow(JSON.parse(ASSAY));
  const { run } = await arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
  await arm.deleteWorkflow({ workflow_id: workflow.id });
  await open(page, 'Workflow');
  await page.getByRole('button', { name: `run ${run.id}` }).click();
  await expect(page.locator('.work-title h2')).toHaveText(run.name);
  await page.getByRole('button', { name: 'Stop run' }).click();
  await page.getByRole('button', { name: 'Confirm stop' }).click();
  const stopped = async () => (await arm.getRun({ run_id: run.id })).run.state;
  await expect.poll(stopped).toBe('stopped');
  // The list under All follows.
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByRole('row', { name: `run ${run.id}` })).toContainText('Stopped');
});

test('a definition that another client changed or deleted is not overwritten unasked', async ({
  page,
}) => {
  const { workflow } = await arm.createWorkflow(JSON.parse(ASSAY));
  await open(page, 'Workflow');
  await page.getByRole('row').getByRole('button', { name: workflow.name, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Start run' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  const field = nameField(page).getByLabel('Name').first();
  await field.fill('Mine');
  await field.press('Tab');
  const theirs = { ...JSON.parse(ASSAY), name: 'Theirs' };
  await arm.updateWorkflow({ workflow_id: workflow.id }, theirs);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByRole('alert').getByText('Another client has changed it')).toBeVisible();
  const kept = async () => (await arm.listWorkflows()).workflows.map(({ name }) => name);
  expect(await kept()).toEqual(['Theirs']);
  await save.click();
  await expect.poll(kept).toEqual(['Mine']);
  await arm.deleteWorkflow({ workflow_id: workflow.id });
  await field.fill('Mine again');
  await field.press('Tab');
  await save.click();
  await expect(page.getByText('It was deleted meanwhile')).toBeVisible();
  await save.click();
  await expect.poll(kept).toEqual(['Mine again']);
});

test('unsaved edits of a workflow outlive the session', async ({ page }) => {
  page.setDefaultTimeout(20_000);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Workflow' }).first().click();
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await nameField(page).getByLabel('Name').first().fill('Not saved');
  await page.keyboard.press('Tab');
  await page.waitForTimeout(600);
  await page.getByRole('button', { name: 'Users' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('#sign-in-token').fill(server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Workflow' }).first().click();
  await expect(nameField(page).getByLabel('Name').first()).toHaveValue('Not saved');
});

test('a reset of the twin ends its list of runs, also of one that is on', async ({ page }) => {
  await load();
  await open(page, 'Live');
  await page.locator('.motion button').first().click();
  await expect.poll(stateNow).toBe('running');
  await page.getByRole('button', { name: 'Paths' }).first().click();
  const runs = page.getByRole('region', { name: 'Runs' });
  await expect(runs).toContainText('Running');
  await arm.resetTwin({});
  await expect(runs).toBeHidden();
});

test('the twin log says where a reset set its time back', async ({ page }) => {
  await open(page, 'Simulation');
  const log = page.getByRole('region', { name: 'Twin log' });
  await arm.addFault({ kind: 'driver', joint: 1, fault: 'overheated' });
  await expect(log).toContainText('too hot');
  // The reset ends the session of the page, which opens another one.
  await arm.resetTwin({});
  await expect(log).toContainText('what happened meanwhile is not listed');
  await arm.addFault({ kind: 'driver', joint: 1, fault: 'overheated' });
  await expect(log).toContainText(/too hot.*not listed.*before the time was set back.*too hot/);
  await arm.resetTwin({});
});
