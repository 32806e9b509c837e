/**
 * Kept runs: what the list says against the twin, the replay at any second, the address after a
 * reload, and the report as one file that opens without a network.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { type DrawingWindow, ghost } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });
const DURATION_ERROR_S = 0.5;
const STEP_S = 0.04;
/** Reports of the pose come 50 times a second, and late on a busy machine. */
const CLOSE_RAD = 0.15;

test.use({ viewport: { width: 1300, height: 800 }, trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 180_000 });

type Drawing = typeof globalThis & { readonly armtwin: ArmWindow };

const folder = mkdtempSync(join(tmpdir(), 'armtwin-runs-'));
let server: Server;
let arm: ArmClient;
let page: Page;
const errors: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  // axe needs a context that is made by hand.
  const context = await browser.newContext({ viewport: { width: 1300, height: 800 } });
  page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const runs = () => page.getByRole('region', { name: 'Runs' });
const since = async (state: string) => {
  await expect.poll(async () => (await arm.getStatus()).state).toBe(state);
  return (await arm.getStatus()).state_since_s;
};
const difference = (a: readonly number[] | null, b: readonly number[]) =>
  a ? Math.max(...a.map((angle, j) => Math.abs(angle - b[j]!))) : Number.POSITIVE_INFINITY;

/** Joint angles where the arm has the part, read from the twin. */
let heldAt: readonly number[] = [];
let held_s = 0;

test('lists a run with its outcome, duration and signals, and its deviation once it is read', async () => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Run “Pick and place”' }).click();
  const start_s = await since('running');
  await arm.setClock({ paused: true });
  // In steps, so that the pose is the one of the grasp also on a busy machine.
  while ((await arm.getCell()).state?.grippers[0]?.holds !== 'part 1') {
    await arm.advanceClock({ seconds: STEP_S });
  }
  held_s = (await arm.getStatus()).now_s - start_s;
  heldAt = (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
  await arm.setClock({ paused: false });
  const duration_s = (await since('ready')) - start_s;
  await page.getByRole('button', { name: 'Paths', exact: true }).click();
  await expect(runs()).toContainText('Finished');
  const figures = runs().locator('.kept-run .sub');
  const listed = /^([\d.]+) s · .*10 signals$/;
  await expect(figures).toHaveText(listed);
  const [, seconds] = listed.exec((await figures.textContent())!)!;
  expect(Math.abs(Number(seconds) - duration_s)).toBeLessThan(DURATION_ERROR_S);
  await runs().getByRole('button', { name: 'Replay run 1' }).click();
  const read = /^([\d.]+) s · ([\d.]+) mm off · .*10 signals$/;
  await expect(figures).toHaveText(read);
  const [, , off] = read.exec((await figures.textContent())!)!;
  expect(Number(off)).toBeGreaterThan(0);
  expect(Number(off)).toBeLessThan(1);
  await expect(runs().locator('.kept-run')).toHaveCount(1);
});

/** The report of the run as a page of its own, without a network. */
async function openReport(browser: Browser): Promise<Page> {
  const download = page.waitForEvent('download');
  await runs().getByRole('button', { name: 'Report of run 1' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Pick and place, run 1.html');
  const path = join(folder, 'report.html');
  await file.saveAs(path);
  const context = await browser.newContext({ offline: true });
  const report = await context.newPage();
  report.on('pageerror', (error) => errors.push(error.message));
  await report.goto(pathToFileURL(path).href);
  return report;
}

test('reports the motion of the twin, not what reached the page', async ({ browser }) => {
  const report = await openReport(browser);
  const facts = report.getByRole('region', { name: 'Report' });
  await expect(facts).toContainText('as the twin computed it');
  await report.context().close();
});

test('replays it at any second, also after a reload and by a link in another browser', async ({
  browser,
}) => {
  await runs().getByRole('button', { name: 'Replay run 1' }).click();
  await expect(page.locator('.program .program-name')).toHaveText('Run 1 of Pick and place');
  const run = page.locator('.motion .primary');
  await expect(run).toBeDisabled();
  await expect(run).toHaveAttribute('title', /A replay shows a run: open its toolpath first/);
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
  await page.goto(`${server.baseUrl}/#paths?run=1&t=${held_s.toFixed(2)}`);
  await page.reload();
  await expect(page.locator('.program .program-name')).toHaveText('Run 1 of Pick and place');
  await expect.poll(async () => difference(await ghost(page), heldAt)).toBeLessThan(CLOSE_RAD);
  const { violations } = await new AxeBuilder({ page }).include('.plan-inspector').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  const other = await browser.newPage();
  await other.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(other.locator('.page')).toHaveAttribute('data-link', 'live');
  await other.goto(`${server.baseUrl}/#paths?run=1&t=${held_s.toFixed(2)}`);
  await expect(other.locator('.program .program-name')).toHaveText('Run 1 of Pick and place');
  await expect.poll(async () => difference(await ghost(other), heldAt)).toBeLessThan(CLOSE_RAD);
  await other.close();
});

/** Joint angles of the arm on the plan beside the replay. */
const planned = () =>
  page.evaluate(
    () =>
      (globalThis as typeof globalThis & DrawingWindow).armtwin.page('paths')?.drawn().beside ??
      null,
  );

test('shows the plan beside it: a curve that the list agrees with, and a second arm', async () => {
  const lane = page.getByRole('slider', { name: 'Time', exact: true });
  await expect(lane).toHaveAttribute('aria-description', /^max [\d.]+ mm at /);
  const [, most_mm] = /^max ([\d.]+) mm/.exec((await lane.getAttribute('aria-description'))!)!;
  const figures = await runs().locator('.kept-run .sub').textContent();
  const [, off_mm] = / ([\d.]+) mm off/.exec(figures!)!;
  expect(Math.abs(Number(most_mm) - Number(off_mm))).toBeLessThan(0.006);
  await expect(runs()).toContainText('blue: this run; grey: its plan.');
  await expect.poll(async () => difference(await planned(), heldAt)).toBeLessThan(CLOSE_RAD);
});

test('says why a replay is neither loaded nor saved nor downloaded', async () => {
  const actions = page.locator('.program-actions').getByRole('button');
  await expect(actions).toHaveCount(4);
  for (const action of await actions.all()) {
    await expect(action).toBeDisabled();
    await expect(action).toHaveAttribute('title', /^A replay is no toolpath/);
  }
});

test('says that a link leads to a run that is not kept', async () => {
  const notice = page.getByText('The twin does not keep run 99');
  await page.goto(`${server.baseUrl}/#paths?run=99`);
  await expect(notice).toBeVisible();
  // As a link in a message: in a page that is not open yet.
  await page.goto('about:blank');
  await page.goto(`${server.baseUrl}/#paths?run=99`);
  await expect(notice).toBeVisible();
});

test('writes a report that opens without a network, with the solid arm', async ({ browser }) => {
  const report = await openReport(browser);
  const facts = report.getByRole('region', { name: 'Report' });
  await expect(facts).toContainText('The run finished.');
  for (const name of ['Robot', 'Started', 'User', 'Start', 'Toolpath hash', 'Duration']) {
    await expect(facts.getByText(name, { exact: true })).toBeVisible();
  }
  // The sample brings the part back, and grasps it again.
  await report
    .getByRole('button', { name: /Gripper grasped part 1/ })
    .first()
    .click();
  const solid = () => report.evaluate(() => (globalThis as Drawing).armtwin.joints());
  await expect.poll(async () => difference(await solid(), heldAt)).toBeLessThan(0.2);
  await expect(report.getByRole('button', { name: 'Print the report' })).toBeVisible();
  await report.emulateMedia({ media: 'print' });
  // Paper is light, whatever the theme.
  await report.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await expect(facts.getByText('Robot', { exact: true })).toHaveCSS('color', 'rgb(74, 79, 85)');
  await expect(report.locator('#app')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(report.locator('.report-picture')).toBeVisible();
  await expect(report.locator('.scene')).toBeHidden();
  await report.context().close();
  expect(errors).toEqual([]);
});

const whatIf = () => page.getByRole('region', { name: 'What if' });
const comparison = () => whatIf().getByRole('status');

test('shows what a fault from the cursor on would have done beside the run', async () => {
  await page.goto(`${server.baseUrl}/#paths?run=1&t=${held_s.toFixed(2)}`);
  await expect(whatIf()).toContainText(`from ${held_s.toFixed(2)} s on`);
  const before = await arm.getStatus();
  await whatIf().getByLabel('What happens').selectOption('J3 does not answer');
  await whatIf().getByRole('button', { name: 'Show it' }).click();
  await expect(comparison()).toContainText(/As it was: Finished, .*What if: Error, /);
  const name = page.locator('.program .program-name');
  await expect(name).toHaveText(/^Run of Pick and place, what if: J3 does not answer at /);
  const row = runs().getByRole('button', { name: 'Replay run of Pick and place, what if' });
  await expect(row).toContainText('Error');
  // Both ways are drawn, and up to the fault the poses are those of the run.
  await expect(runs()).toContainText('grey: the run as it was.');
  const compared = () =>
    page.evaluate(
      () =>
        (globalThis as typeof globalThis & DrawingWindow).armtwin.page('paths')?.drawn()
          .compared_s ?? 0,
    );
  await expect.poll(compared).toBeGreaterThan(held_s);
  await expect.poll(async () => difference(await ghost(page), heldAt)).toBeLessThan(CLOSE_RAD);
  // The live twin took no part in it.
  const after = await arm.getStatus();
  expect([after.state, after.error]).toEqual([before.state, before.error]);
});

test('shows what another toolpath would have done from there on', async () => {
  const { toolpaths } = await arm.listToolpaths();
  const { toolpath } = await arm.getToolpath({ toolpath_id: toolpaths[0]!.id });
  const metadata = { ...toolpath.toolpath.metadata, default_max_speed: 0.1 };
  await arm.createToolpath({ name: 'Slow', toolpath: { ...toolpath.toolpath, metadata } });
  await whatIf().getByRole('button', { name: 'With another toolpath' }).click();
  await whatIf().getByRole('button', { name: 'Slow', exact: true }).click();
  await expect(comparison()).toContainText(/As it was: Finished, .*What if: Finished, /);
});

test('lists and replays a run that no page saw', async () => {
  await page.goto('about:blank');
  await arm.takeLock().catch(() => 'the page, with the same token, has it');
  // The part is where the first run took it from.
  await arm.setCell((await arm.getCell()).cell!);
  await arm.run({ mode: 'automatic', loop: 1 });
  await since('running');
  await since('ready');
  await page.goto(`${server.baseUrl}/#paths`);
  const newest = runs().locator('.kept-run').first();
  await expect(newest).toHaveAccessibleName('Replay Run 2 of Pick and place');
  await arm.addFault({ kind: 'reply', path: '/sim/v1/*', effect: 'delay', delay_s: 1 });
  await newest.click();
  await expect(newest).toHaveAttribute('aria-busy', 'true');
  await expect(newest).toContainText('Reading it from the twin');
  await expect(newest).toBeFocused();
  await arm.clearFaults();
  await expect(page.locator('.program .program-name')).toHaveText(/^Run 2 of Pick and place$/);
  const row = runs().getByRole('button', { name: 'Replay run 2' });
  await expect(row).toContainText('Finished');
  await expect(row).toContainText(/mm off/);
  await expect(row).toBeFocused();
  // The time of the twin.
  const [last, first] = (await arm.listRobotRuns()).runs;
  const starts = await runs()
    .locator('time')
    .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
  expect([starts[0], starts.at(-1)]).toEqual([last!.started_at, first!.started_at]);
  expect(errors).toEqual([]);
});
