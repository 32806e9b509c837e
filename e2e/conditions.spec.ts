/**
 * The page where people and programs differ: less motion, letters twice as large, a grid of 1,600
 * cells, a user who is no admin, and a lock that is taken away in mid-jog.
 */
import { readFileSync } from 'node:fs';
import { type Browser, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { skipRasterization } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });
const PAGES = ['Live', 'Paths', 'Teach', 'Workflow', 'Simulation', 'Users'] as const;
const DESKTOP = { width: 1440, height: 900 };
/** A desktop at 200 %. */
const LARGE = { width: 720, height: 450 };
const GRID = 40;
/** An animation that nobody sees (ms). */
const UNSEEN_MS = 1;
/** A block that the sample runs into. */
const CRATE = {
  name: 'crate',
  position: { x: 0.3, y: 0, z: 0.3 },
  half: { x: 0.12, y: 0.12, z: 0.4 },
};
/** A protective stop of a jog takes less (s of the twin). */
const STOP_S = 0.5;
/** A jog has moved the arm by more than this (rad). */
const MOVED_RAD = 0.05;
/** A held button that went on would press again within this (ms). */
const AGAIN_MS = 1500;
/** What turns until it is known, which says more than a picture that stands. */
const TURNING = 'spin';

test.use({ trace: 'off' });
test.describe.configure({ timeout: 180_000 });

let server: Server;
let arm: ArmClient;

const fixture = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/toolpaths/${name}.json`, import.meta.url), 'utf8'),
  ) as Toolpath;

/** A grid of 40 × 40 whose cells are millimetres apart, three motions a cell. */
function largeGrid(): Toolpath {
  const { timeline, ...rest } = fixture('sorter');
  const [home] = timeline;
  const corner = { type: 'grid-waypoint', max_speed: 0.5 } as const;
  const cell = [0.05, 0, 0.05].map((z_offset) => ({ ...corner, z_offset }));
  const grid = { type: 'grid', cols: GRID, rows: GRID, w0: 1, wx: 2, wy: 3, timeline: cell };
  return { ...rest, timeline: [home, grid] } as Toolpath;
}

test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast', '--clock', '4']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
});
test.afterAll(() => server?.stop());

async function open(
  browser: Browser,
  viewport: { width: number; height: number },
  link = '',
  token = server.token,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await skipRasterization(page);
  await page.addInitScript(() => {
    localStorage.setItem('armtwin.preferences', '{"hintsShown":true}');
  });
  await page.goto(`${server.baseUrl}/#token=${token}`);
  await expect(page.locator('.explain')).toBeVisible();
  if (link) await page.evaluate((to) => location.assign(to), link);
  return { page, errors };
}

/** Waits until a page is shown; the first has no name yet. */
async function shows(page: Page, name: string): Promise<void> {
  const shown = async () => (await page.locator('.page').getAttribute('data-page')) ?? 'live';
  await expect.poll(shown).toBe(name.toLowerCase());
}

const turnTo = (page: Page, name: (typeof PAGES)[number]) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('button', { name, exact: true })
    .click();

test('nothing moves by itself where less motion is wanted', async ({ browser }) => {
  const { page } = await open(browser, DESKTOP);
  for (const name of PAGES) {
    await turnTo(page, name);
    await shows(page, name);
    const seen = await page.evaluate(() =>
      document.getAnimations().map((one) => ({
        name: one instanceof CSSAnimation ? one.animationName : 'transition',
        ms: Number(one.effect?.getComputedTiming().duration ?? 0),
      })),
    );
    const moving = seen.filter(({ name: of, ms }) => of !== TURNING && ms > UNSEEN_MS);
    expect([name, moving]).toEqual([name, []]);
  }
  await page.context().close();
});

for (const name of PAGES) {
  test(`${name} at 200 %: nothing beyond the edge, every control within reach`, async ({
    browser,
  }) => {
    const { toolpath } = await arm.createToolpath({ name: 'Pick', toolpath: fixture('sorter') });
    const at = name === 'Paths' || name === 'Teach' ? `/${toolpath.id}` : '';
    const { page, errors } = await open(browser, LARGE, `#${name.toLowerCase()}${at}`);
    await shows(page, name);
    if (at) await expect(page.getByRole('treeitem').first()).toBeAttached();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(LARGE.width);
    const unreached = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, select, [role="slider"]')]
        .filter((one) => one.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }))
        .filter((one) => !one.closest('[inert]'))
        .flatMap((one) => {
          one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const isIn =
            left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= innerHeight + 1;
          return isIn ? [] : [`${one.className} ${one.ariaLabel ?? one.textContent}`];
        }),
    );
    expect(unreached).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });
}

test('a grid of 40 × 40 is planned, drawn and followed', async ({ browser }) => {
  const { toolpath } = await arm.createToolpath({ name: 'Cells', toolpath: largeGrid() });
  const { page, errors } = await open(browser, DESKTOP, `#paths/${toolpath.id}`);
  await expect(page.locator('.timeline-whole')).toHaveText(/ [1-9]\d:\d\d/, { timeout: 120_000 });
  // A row a cell would bury the program.
  expect(await page.getByRole('treeitem').count()).toBeLessThan(2 * GRID);
  await page.keyboard.press('End');
  const end = (await page.locator('.timeline-whole').textContent())!.replace(' / ', '');
  await expect(page.locator('.timeline-now')).toHaveText(end);
  expect(errors).toEqual([]);
  await page.context().close();
});

/** A token of a new user who is no admin. */
async function tokenOfUser(name: string): Promise<string> {
  const { user } = await arm.createUser({ email: `${name}@example.org`, password: 'long enough' });
  return (await arm.createToken({ user_id: user.id }, { name })).token;
}

const jointAngle = async () => (await arm.getSnapshot()).snapshot['servos.telemetry.position'][0];
const stateNow = async () => (await arm.getStatus()).state;

test('a user without rights or lock sees why the run of another stopped', async ({ browser }) => {
  const { obstacle } = await arm.addObstacle(CRATE);
  const toolpath = fixture('there-and-back');
  const saved = await arm.createToolpath({ name: 'Of another', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect.poll(stateNow).toBe('error');
  // What the twin says of it now is no longer why it stopped then.
  await arm.removeObstacle({ obstacle_id: obstacle.id });
  await arm.resetErrors();
  await arm.releaseLock();
  const { page, errors } = await open(browser, DESKTOP, '', await tokenOfUser('watcher'));
  await turnTo(page, 'Paths');
  const run = page.locator('.kept-run', { hasText: 'Of another' }).first();
  await expect(run).toContainText('Error');
  await run.click();
  const findings = page.getByRole('list', { name: 'What happened in the run' });
  await expect(findings).toContainText(/link \d touched “crate”, \d+ N at most/);
  await expect(findings).toContainText(/\d s: J\d lags .* behind its setpoint/);
  expect((await arm.getLock()).owner).toBe('none');
  expect(errors).toEqual([]);
  await page.context().close();
});

/** Holds the button that turns the first joint until the arm moves. */
async function holdJog(page: Page): Promise<void> {
  const start = await jointAngle();
  await page.getByRole('button', { name: 'Joint 1 more' }).hover();
  await page.mouse.down();
  await expect.poll(async () => Math.abs((await jointAngle()) - start)).toBeGreaterThan(MOVED_RAD);
}

/** The lock is taken from whoever has it, and kept or given back; the time of the twin of that (s). */
async function stealLock(then: 'keep' | 'give back'): Promise<number> {
  await arm.setClock({ paused: true });
  await arm.beginSituation({ name: 'lock_stolen', user_id: 1 });
  if (then === 'give back') await arm.endSituations();
  const { now_s } = await arm.getStatus();
  await arm.setClock({ paused: false });
  return now_s;
}

/** Motions that have been commanded so far. */
const goTos = async () =>
  (await arm.searchJournal({ path: '/api/v1/controls/go_to' })).entries.length;

test('a lock that is taken away in mid-jog stops the arm, and the held button ends', async ({
  browser,
}) => {
  const { page, errors } = await open(browser, DESKTOP, '#teach', await tokenOfUser('teacher'));
  await shows(page, 'Teach');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByRole('button', { name: 'Held', exact: true }).click();
  const jog = page.getByRole('region', { name: 'Jog' });
  await expect(jog).toContainText('Buttons move the arm');

  await holdJog(page);
  const stolen_s = await stealLock('keep');
  await expect.poll(stateNow).toBe('ready');
  const { state_since_s } = await arm.getStatus();
  expect(state_since_s - stolen_s).toBeLessThan(STOP_S);
  await expect(page.locator('.explain .explain-row')).toContainText(
    'An admin holds the lock. You are watching until it is free.',
  );
  await expect(jog).toContainText('An admin holds the lock');
  await expect(jog.getByRole('button', { name: 'Joint 1 more' })).toBeDisabled();
  await page.mouse.up();
  await arm.endSituations();

  // The way on: as soon as the lock is free. One that comes back at once is not taken either.
  await expect(jog.getByRole('button', { name: 'Joint 1 more' })).toBeEnabled();
  await holdJog(page);
  await stealLock('give back');
  await expect.poll(stateNow).toBe('ready');
  const [count, angle] = [await goTos(), await jointAngle()];
  await page.waitForTimeout(AGAIN_MS);
  expect([await goTos(), await jointAngle()]).toEqual([count, angle]);
  await page.mouse.up();
  expect(errors).toEqual([]);
  await page.context().close();
});
