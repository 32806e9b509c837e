/**
 * Injection tests: names with markup and script, wherever the API accepts a name and on every page
 * that shows one, stay text and never run. Also a token that is deleted while the page is open.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { AvoidanceZone, Toolpath } from '../contract/types.generated.ts';
import { type Server, startServer, test } from './server.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
}

const NAMES = JSON.parse(fixture('names/hostile')) as readonly string[];
const MARKUP = NAMES[0]!;
const EMAIL = '<img/src=x/onerror=window.hostile=1>@a';
const LABEL_MAX_LENGTH = 16;
const ZONES = 10;
/** Number of obstacles and snapshots, which are limited and slow to create. */
const TWIN_NAMES = 4;
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;
let arm: ArmClient;

/** The sorter with zones named from `first` on, and a waypoint and a routine for every name. */
function toolpathOf(first: number): Toolpath {
  const toolpath = JSON.parse(fixture('toolpaths/sorter')) as Toolpath;
  const [home, zone] = [toolpath.waypoints[0]!, toolpath.metadata.avoidance_zones![0]!];
  const far: AvoidanceZone = { ...zone, position: { x: -1.5, y: 0, z: 0 } };
  toolpath.metadata.avoidance_zones = Array.from({ length: ZONES }, (_, i) => ({
    ...far,
    name: NAMES[(first + i) % NAMES.length]!,
  }));
  const after = toolpath.waypoints.length;
  for (const [i, name] of NAMES.entries()) {
    const label = [...name].slice(0, LABEL_MAX_LENGTH).join('');
    toolpath.waypoints.push({ ...home, label_id: 100 + i, label });
    toolpath.timeline.push({ type: 'trajectory', trajectory: 'linear', waypoint_id: after + i });
    toolpath.timeline.push({ type: 'call-routine', routine: name });
    toolpath.routines = [...(toolpath.routines ?? []), { name, timeline: [] }];
  }
  return toolpath;
}

/** The assay with hostile names for its hotel, its tasks and its plates. */
function workflowOf(name: string) {
  const ids = ['Plate hotel', 'dispense_1', 'plate_1', 'incubate_1', 'wash_1', 'plate_2', 'read_2'];
  const text = ids.reduce(
    (text, id, i) => text.replaceAll(id, JSON.stringify(NAMES[i]).slice(1, -1)),
    fixture('workflows/assay'),
  );
  return { ...(JSON.parse(text) as Record<string, unknown>), name };
}

test.beforeAll(async () => {
  server = await startServer(['--log-level', 'silent', '--name', MARKUP]);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  for (const [i, name] of NAMES.entries()) {
    await arm.createToolpath({ name, toolpath: toolpathOf(i) });
    await arm.createToken({ user_id: 1 }, { name });
    await arm.createWorkflow(workflowOf(name));
    if (i >= TWIN_NAMES) continue;
    const [position, half] = [
      { x: 2, y: i, z: 1 },
      { x: 0.1, y: 0.1, z: 0.1 },
    ];
    await arm.addObstacle({ name, position, half });
    await arm.keepState({ name });
  }
  await arm.createUser({ email: EMAIL, password: 'a long and good one' });
  await arm.takeLock();
  const { toolpaths } = await arm.listToolpaths();
  await arm.useToolpath({ toolpath_id: toolpaths[0]!.id });
  await arm.releaseLock();
});

test.afterAll(() => server.stop());

/** Injected elements, handlers and effects found in a page. */
function injections(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = document.querySelectorAll('img, iframe, base, style, script:not([src]), a[href]');
    const handlers = [...document.querySelectorAll('*')].filter((each) =>
      [...each.attributes].some(({ name }) => name.startsWith('on')),
    );
    const ran = 'hostile' in globalThis ? ['a name ran as a script'] : [];
    return [...ran, ...[...found, ...handlers].map(({ outerHTML }) => outerHTML)];
  });
}

/** Collects console errors and opened dialogs. */
function collectErrors(page: Page): readonly string[] {
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('dialog', (dialog) => {
    consoleErrors.push(dialog.message());
    void dialog.dismiss();
  });
  return consoleErrors;
}

/** Scrolls through the list, which keeps only its visible rows in the document. */
async function expectListed(page: Page, within: string): Promise<void> {
  const view = page.locator(`${within} .library-view`).first();
  const entries = view.locator('.library-entry');
  const seen = new Set<string>();
  let top = 0;
  await expect
    .poll(async () => {
      for (const name of await entries.allTextContents()) seen.add(name);
      top = seen.size < NAMES.length ? top + 200 : 0;
      // Rows are drawn for where the list stands in a frame; behind its end it begins anew.
      top = await view.evaluate(async (list, wanted) => {
        const to = wanted > list.scrollHeight ? 0 : wanted;
        list.scrollTo(0, to);
        for (const _ of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
        return to;
      }, top);
      return seen.size;
    })
    .toBe(NAMES.length);
  expect([...seen].sort()).toEqual([...NAMES].sort());
  await expect(entries.first()).toHaveText(NAMES[0]!);
}

/** Opens the list of toolpaths over what is open: what is loaded, or was open on the page before. */
async function openList(page: Page, within: string): Promise<void> {
  const title = page.locator(`${within} .program-title`);
  await expect(title).toHaveAttribute('aria-expanded', 'false');
  await title.click();
}

/** Opens and checks the content of each page of the rail. */
const PAGE_CHECKS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async Live(page) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(MARKUP);
    const choice = page.locator('.chooser-name');
    await expect(choice).toHaveText(NAMES[0]!);
    await choice.click();
    await expectListed(page, '.chooser');
    await page.keyboard.press('Escape');
    await expect(page.locator('.label-zone')).toHaveText(NAMES.slice(0, ZONES));
  },
  async Paths(page) {
    const column = '.program:not([data-of])';
    await openList(page, column);
    await expectListed(page, column);
    await page.locator(`${column} .library-entry`).nth(ZONES).click();
    await expect(page.locator('.zone-row')).toContainText(NAMES.slice(ZONES, 2 * ZONES));
    await expectAllNames(page, '.program:not([data-of])');
    await expect(page.locator('.mark-name').filter({ hasText: NAMES[ZONES]! })).toBeAttached();
  },
  async Teach(page) {
    await openList(page, '.program[data-of="teach"]');
    const column = page.locator('.program[data-of="teach"]');
    await column.locator('.library-entry').nth(1).click();
    await expect(column.getByLabel('Name of the toolpath')).toHaveValue(NAMES[1]!);
    await expectAllNames(page, '.program[data-of="teach"]');
  },
  async Workflow(page) {
    await expect(page.locator('.work-library .link')).toHaveText([...NAMES]);
    await page.getByRole('button', { name: NAMES[3]!, exact: true }).click();
    await expect(page.locator('.gantt-name').filter({ hasText: MARKUP })).toBeVisible();
    await page.locator('.gantt-bar[data-key^="task/<script>"]').click();
    const inspector = page.getByRole('complementary', { name: 'Details' });
    await expect(inspector).toContainText(NAMES[1]!);
    await page.getByRole('button', { name: 'Scene' }).click();
    await expect(page.locator('.deck-marks').filter({ hasText: MARKUP })).toBeAttached();
  },
  async Simulation(page) {
    const sections = page.locator('details.simulation-section');
    await expect(sections.first()).toBeVisible();
    await sections.evaluateAll((all) => {
      for (const section of all) section.setAttribute('open', '');
    });
    const snapshots = page.getByRole('region', { name: 'Snapshots' }).locator('.grow');
    await expect(snapshots).toHaveText(NAMES.slice(0, TWIN_NAMES));
    const obstacles = page.getByRole('region', { name: 'Obstacles' }).locator('.grow');
    await expect(obstacles).toContainText(NAMES.slice(0, TWIN_NAMES));
  },
  async Users(page) {
    const tokens = page.getByRole('region', { name: 'API tokens' }).locator('tbody th');
    await expect(tokens).toHaveText(['first token', ...NAMES]);
    await expect(page.getByText(EMAIL)).toBeVisible();
  },
};

/** Expects every name in the program: as a called routine, and truncated as a label. */
async function expectAllNames(page: Page, column: string): Promise<void> {
  const rows = page.locator(`${column} .row`);
  await expect(rows.filter({ hasText: MARKUP }).first()).toBeVisible();
  const texts = (await rows.allTextContents()).join('\n');
  for (const name of NAMES) {
    expect(texts).toContain(name);
    expect(texts).toContain([...name].slice(0, LABEL_MAX_LENGTH).join(''));
  }
}

test('shows hostile names as plain text, on every page', async ({ page }) => {
  const consoleErrors = collectErrors(page);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await expect(rail.getByRole('button', { name: 'Simulation' })).toBeVisible();
  const labels = await rail.locator('[data-page]:visible').allInnerTexts();
  expect(labels).toEqual(Object.keys(PAGE_CHECKS));
  for (const [name, check] of Object.entries(PAGE_CHECKS)) {
    await rail.getByRole('button', { name, exact: true }).click();
    await check(page);
    expect(await injections(page), name).toEqual([]);
  }
  expect(consoleErrors).toEqual([]);
});

test('shows the sign-in dialog when its token is deleted, and says why', async ({ page }) => {
  const created = await arm.createToken({ user_id: 1 }, { name: 'for a while' });
  await page.goto(`${server.baseUrl}/#token=${created.token}`);
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  await arm.deleteToken({ user_id: 1, token_id: created.id });
  await expect(page.getByLabel('API token', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'The session has ended' })).toBeVisible();
});
