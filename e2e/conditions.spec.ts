/** The page where people and programs differ: less motion, letters twice as large, a grid of 1,600 cells. */
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
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await skipRasterization(page);
  await page.addInitScript(() => {
    localStorage.setItem('armtwin.preferences', '{"hintsShown":true}');
  });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
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
