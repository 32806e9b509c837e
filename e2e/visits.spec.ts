/**
 * A page looks the same whatever was shown before it: every page in every order of visits has the
 * layout that it has in a new tab.
 */
import { readFileSync } from 'node:fs';
import { type BrowserContext, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Cell, Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { differences, type LaidOut, layoutOf } from './page-layout.ts';
import { skipRasterization } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });
const PAGES = ['Live', 'Paths', 'Teach', 'Workflow', 'Simulation', 'Users'] as const;
type PageName = (typeof PAGES)[number];
const SCREENS = [
  ['a desktop', { viewport: { width: 1440, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;
/** What turns until something is known moves nothing else. */
const TURNING = 'spin';

test.use({ trace: 'off' });
test.describe.configure({ timeout: 900_000 });

let server: Server;
let arm: ArmClient;
/** The toolpath that is open, which is one on Paths and Teach; only Paths opens it by itself. */
let toolpath_id = 0;

const fixture = <Document>(path: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/${path}.json`, import.meta.url), 'utf8'),
  ) as Document;

test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  // Something to see on every page: a loaded toolpath that has run in its cell, and a workflow.
  await arm.setCell(fixture<Cell>('cells/trays'));
  const toolpath = fixture<Toolpath>('toolpaths/there-and-back');
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  toolpath_id = saved.toolpath.id;
  await arm.createWorkflow(fixture('workflows/assay'));
  await arm.setClock({ pace: 20 });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id });
  await arm.run({ mode: 'automatic', loop: 1 });
  const outcome = async () => (await arm.listRobotRuns()).runs[0]?.outcome;
  await expect.poll(outcome).toBe('finished');
  await arm.releaseLock();
  // No time runs in the texts, whose widths would change.
  await arm.setClock({ paused: true });
});
test.afterAll(() => server?.stop());

/** Visits in which every page follows every two others: a circuit through all pairs of pages. */
function visits(first: PageName, second: PageName): PageName[] {
  const others = (page: PageName) => PAGES.filter((one) => one !== page);
  const left = new Map(
    PAGES.flatMap((from) => others(from).map((page) => [`${from} ${page}`, others(page)])),
  );
  const way = [[first, second]] as [PageName, PageName][];
  const circuit: PageName[] = [];
  while (way.length > 0) {
    const [from, page] = way.at(-1)!;
    const next = left.get(`${from} ${page}`)!.pop();
    if (next) way.push([page, next]);
    else circuit.unshift(way.pop()![1]);
  }
  return [first, ...circuit];
}

/** Opens a tab on a page. */
async function openTab(context: BrowserContext, name: PageName): Promise<Page> {
  const page = await context.newPage();
  await skipRasterization(page);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.locator('.page')).toHaveAttribute('data-link', 'live');
  const place = name === 'Teach' ? `teach/${toolpath_id}` : name.toLowerCase();
  await page.goto(`${server.baseUrl}/#${place}`);
  await page.reload();
  await shows(page, name);
  // What comes after the first picture, on every page.
  await expect(page.locator('.explain')).toBeAttached();
  await expect(entry(page, 'Simulation')).toBeAttached();
  return page;
}

const entry = (page: Page, name: PageName) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true });

/** Waits until a page is shown; the first has no name yet. */
async function shows(page: Page, name: PageName): Promise<void> {
  const shown = async () => (await page.locator('.page').getAttribute('data-page')) ?? 'live';
  await expect.poll(shown).toBe(name.toLowerCase());
}

/** Waits until the page waits for nothing. */
function isAtRest(page: Page): Promise<unknown> {
  return page.waitForFunction((turning) => {
    const { armtwin } = globalThis as typeof globalThis & { armtwin: ArmWindow };
    const moving = document
      .getAnimations()
      .filter((one) => !(one instanceof CSSAnimation && one.animationName === turning));
    const busy = document.querySelector('[aria-busy="true"], [data-busy="true"]');
    // Where the scene is hidden, its next frame waits for it.
    const isSeen = document.querySelector('.stage-canvas')!.checkVisibility();
    const isDrawn = !isSeen || (armtwin.frames() > 0 && !armtwin.isMoving());
    return document.fonts.status === 'loaded' && isDrawn && !busy && moving.length === 0;
  }, TURNING);
}

/** The layout once it stands: for ten looks in a row. */
async function standing(page: Page): Promise<LaidOut[]> {
  let last: LaidOut[] = [];
  for (let equal = 0; equal < 10; ) {
    await isAtRest(page);
    const now = await layoutOf(page);
    equal = differences(last, now).length === 0 ? equal + 1 : 0;
    last = now;
    await page.waitForTimeout(50);
  }
  return last;
}

for (const [screen, options] of SCREENS) {
  test(`every page in every order of visits: equal layout, on ${screen}`, async ({ browser }) => {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    await context.addInitScript(() => {
      localStorage.setItem('armtwin.preferences', '{"hintsShown":true}');
    });
    const first = new Map<PageName, LaidOut[]>();
    for (const name of PAGES) {
      const tab = await openTab(context, name);
      first.set(name, await standing(tab));
      await tab.close();
    }
    const way = visits('Teach', 'Live');
    // Sheets of styles stay in the order in which pages are first shown: that and its reverse.
    const back = [...new Set(way)].reverse();
    const start_ms = Date.now();
    for (const names of [way, back]) {
      const page = await openTab(context, names[0]!);
      for (const [i, name] of names.entries()) {
        if (i > 0) await entry(page, name).click();
        await page.mouse.move(0, 0);
        await shows(page, name);
        await isAtRest(page);
        // What a page asks the twin for at each visit may come later.
        const changed = async () =>
          differences(first.get(name)!, await layoutOf(page)).slice(0, 20);
        const after = names.slice(Math.max(i - 3, 0), i + 1).join(', ');
        await expect.poll(changed, after).toEqual([]);
      }
      await page.close();
    }
    console.log(`${way.length + back.length} visits in ${Date.now() - start_ms} ms`);
    await context.close();
  });
}
