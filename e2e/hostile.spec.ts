/**
 * Text of users that would be code, wherever the API takes a name and on every page that shows
 * one: it stays text, and nothing of it runs. And a token that is taken away while the page is
 * open. Facts of reliability.
 */
import { readFileSync } from 'node:fs';
import { type Page, expect as patientExpect } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { AvoidanceZone, Toolpath } from '../contract/types.ts';
import { type Server, startServer, test } from './server.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
}

const NAMES = JSON.parse(fixture('names/hostile')) as readonly string[];
const MARKUP = NAMES[0]!;
const EMAIL = '<img/src=x/onerror=window.hostile=1>@a';
const LABEL_LONGEST = 16;
const ZONES = 10;
/** What of the twin keeps names is limited, and each takes a while. */
const KEPT = 4;
const expect = patientExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;
let arm: ArmClient;

/** Sorter with zones named from `first` on, a waypoint and a routine of every name. */
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
    const label = [...name].slice(0, LABEL_LONGEST).join('');
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
    (said, id, i) => said.replaceAll(id, JSON.stringify(NAMES[i]).slice(1, -1)),
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
    if (i >= KEPT) continue;
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

/** What a page shows that nobody meant to be there, or what a name has done. */
function strangers(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = document.querySelectorAll('img, iframe, base, style, script:not([src]), a[href]');
    const handlers = [...document.querySelectorAll('*')].filter((each) =>
      [...each.attributes].some(({ name }) => name.startsWith('on')),
    );
    const ran = 'hostile' in globalThis ? ['a name ran as a program'] : [];
    return [...ran, ...[...found, ...handlers].map(({ outerHTML }) => outerHTML)];
  });
}

/** What the console complains of, and dialogs that open. */
function listen(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  return complaints;
}

/** What each page of the rail has to show before it is looked through. */
const SHOWN: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async Live(page) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(MARKUP);
    const choice = page.getByLabel('Toolpath', { exact: true });
    await expect(choice.locator('option')).toHaveText([...NAMES]);
    await expect(page.locator('.label-zone')).toHaveText(NAMES.slice(0, ZONES));
  },
  async Paths(page) {
    await expect(page.locator('.library-entry')).toHaveText([...NAMES]);
    await page.locator('.library-entry').nth(ZONES).click();
    await expect(page.locator('.zone-row')).toContainText(NAMES.slice(ZONES, 2 * ZONES));
    await everyRow(page, '.program:not([data-of])');
    await expect(page.locator('.mark-name').filter({ hasText: NAMES[ZONES]! })).toBeAttached();
  },
  async Teach(page) {
    const column = page.locator('.program[data-of="teach"]');
    await column.locator('.library-entry').nth(1).click();
    await expect(column.getByLabel('Name of the toolpath')).toHaveValue(NAMES[1]!);
    await everyRow(page, '.program[data-of="teach"]');
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
  async Bench(page) {
    const kept = page.getByRole('region', { name: 'Snapshots' }).locator('.grow');
    await expect(kept).toHaveText(NAMES.slice(0, KEPT));
    const obstacles = page.getByRole('region', { name: 'Obstacles' }).locator('.grow');
    await expect(obstacles).toContainText(NAMES.slice(0, KEPT));
  },
  async People(page) {
    const tokens = page.getByRole('region', { name: 'API tokens' }).locator('tbody th');
    await expect(tokens).toHaveText(['first token', ...NAMES]);
    await expect(page.getByText(EMAIL)).toBeVisible();
  },
};

/** Every name stands in the program: as a routine that is called, and as a label, cut short. */
async function everyRow(page: Page, column: string): Promise<void> {
  const rows = page.locator(`${column} .row`);
  await expect(rows.filter({ hasText: MARKUP }).first()).toBeVisible();
  const texts = (await rows.allTextContents()).join('\n');
  for (const name of NAMES) {
    expect(texts).toContain(name);
    expect(texts).toContain([...name].slice(0, LABEL_LONGEST).join(''));
  }
}

test('shows names made to break it as plain text, on every page', async ({ page }) => {
  const complaints = listen(page);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await expect(rail.getByRole('button', { name: 'Bench' })).toBeVisible();
  const words = await rail.locator('[data-page]:visible').allInnerTexts();
  expect(words).toEqual(Object.keys(SHOWN));
  for (const [name, look] of Object.entries(SHOWN)) {
    await rail.getByRole('button', { name, exact: true }).click();
    await look(page);
    expect(await strangers(page), name).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('leads to the door when its token is taken away', async ({ page }) => {
  const made = await arm.createToken({ user_id: 1 }, { name: 'for a while' });
  await page.goto(`${server.baseUrl}/#token=${made.token}`);
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  await arm.deleteToken({ user_id: 1, token_id: made.id });
  await expect(page.getByLabel('API token', { exact: true })).toBeVisible();
});
