/**
 * The form of a definition beside its JSON, against the built program: what the form writes is in
 * the text, what it does not show stays, problems stand at their fields, and the plan follows.
 */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect as baseExpect, type Locator, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import { skipRasterization } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const ASSAY = readFileSync(new URL('workflows/assay.json', FIXTURES), 'utf8');
const NAMES = JSON.parse(readFileSync(new URL('names/hostile.json', FIXTURES), 'utf8')) as string[];
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 1280, height: 800 }, trace: 'off' });
test.describe.configure({ timeout: 240_000 });

let server: Server;
let arm: ArmClient;

test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast', '--log-level', 'silent']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
});

test.afterAll(() => server.stop());

/** Opens the Workflow page, signed in. */
async function openPage(page: Page): Promise<void> {
  page.setDefaultTimeout(20_000);
  await skipRasterization(page);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Workflow' }).first().click();
}

async function openFile(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  const buffer = Buffer.from(text);
  const file = { name: 'assay.json', mimeType: 'application/json', buffer };
  await (await chooser).setFiles(file);
  // It names drivers, which have no effect.
  await expect(page.getByText('Valid, 1 warning.')).toBeVisible();
}

const form = (page: Page) => page.getByRole('region', { name: 'Form of the definition' });
const section = (page: Page, name: string) => form(page).getByRole('region', { name });
/** The button that opens an item. */
function item(page: Page, part: string, id: string): Locator {
  const named = page.locator('bdi').getByText(id, { exact: true });
  return section(page, part).locator('.def-toggle').filter({ has: named });
}
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true });
const json = (page: Page) => page.getByLabel('Definition in JSON');
/** Replaces the text as people do: line by line, as a test writes, hundreds of them take minutes. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await json(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}
/** How the plan under the editor is described. */
const about = (page: Page) => page.locator('.gantt-about');
const ids = (page: Page, part: string) =>
  section(page, part).locator('.def-toggle > bdi').allTextContents();

/** Failing findings of axe. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target} ${node.failureSummary}`));
}

test('form and JSON are one text, the plan follows, and undo takes back both', async ({ page }) => {
  await openPage(page);
  await openFile(page, ASSAY);
  await expect(about(page)).toHaveText('ends after 14:19');
  expect(await ids(page, 'Tasks')).toEqual(Object.keys(JSON.parse(ASSAY).workflow.tasks));

  // A field writes its own place in the text, and the plan changes.
  await item(page, 'Tasks', 'incubate_1').click();
  await expect(page.locator('.gantt-bar[aria-pressed="true"]')).toHaveAttribute(
    'data-key',
    'task/incubate_1',
  );
  await field(page, 'Duration, s').fill('60');
  await expect(json(page)).toHaveValue(
    ASSAY.replace('"time_estimate": 600', '"time_estimate": 60'),
  );
  await expect(page.getByText('not saved')).toBeVisible();
  await expect(about(page)).toHaveText(/^ends after (?!14:19)/);
  await page.keyboard.press('Control+z');
  await expect(json(page)).toHaveValue(ASSAY);
  await expect(field(page, 'Duration, s')).toHaveValue('600');
  await expect(about(page)).toHaveText('ends after 14:19');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(field(page, 'Duration, s')).toHaveValue('60');
  await page.getByRole('button', { name: 'Undo' }).click();

  // A text that is no JSON stops the form; the next good one is in it.
  const lines = ASSAY.split('\n');
  await paste(page, lines.with(1, '  "name": "A').join('\n'));
  await expect(form(page).getByText('The JSON has an error at line 2.')).toBeVisible();
  await expect(field(page, 'Duration, s')).toBeDisabled();
  await paste(page, lines.with(1, '  "name": "From JSON",').join('\n'));
  await expect(field(page, 'Name of the workflow')).toHaveValue('From JSON');
  await json(page).press('Control+z');
  await json(page).press('Control+z');
  await expect(json(page)).toHaveValue(ASSAY);

  // A problem is shown at its field, and at its row.
  await field(page, 'Duration, s').fill('soon');
  await expect(field(page, 'Duration, s')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Duration, s')).toHaveAccessibleDescription(/must be/);
  await expect(about(page)).toHaveText('of the last text without errors');
  await item(page, 'Tasks', 'incubate_1').click();
  await expect(item(page, 'Tasks', 'incubate_1')).toHaveAccessibleDescription(/must be/);
  await page.keyboard.press('Control+z');
  await expect(about(page)).toHaveText('ends after 14:19');
});

test('a workflow is made from nothing in the form, and saved', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: 'New workflow' }).click();
  await field(page, 'Name of the workflow').fill('By form');
  await section(page, 'Instruments').getByRole('button', { name: 'Add instrument' }).click();
  await expect(field(page, 'Id')).toBeFocused();
  await field(page, 'Id').fill('reader');
  await field(page, 'Type').fill('reader');
  await section(page, 'Labware').getByRole('button', { name: 'Add labware' }).click();
  await expect(field(page, 'Starts in')).toHaveValue('hotel');
  for (const [id, type] of [
    ['read', 'reader'],
    ['store', 'hotel'],
  ] as const) {
    await section(page, 'Tasks').getByRole('button', { name: 'Add task' }).click();
    await field(page, 'Id').fill(id);
    await field(page, 'Id').press('Enter');
    await field(page, 'Instrument type').selectOption(type);
    await field(page, 'Action').fill(id);
    const takes = form(page).getByRole('group', { name: 'Takes labware' });
    await takes.getByRole('button', { name: 'Add labware' }).click();
  }
  await expect(field(page, 'From')).toHaveValue('read');
  await expect(about(page)).toHaveText(/^ends after/);
  await expect(page.locator('.gantt-bar[data-key^="task/"]')).toHaveCount(2);

  // A dependency that cannot hold is a problem of its task; removed, it is none.
  await item(page, 'Tasks', 'read').click();
  const waits = form(page).getByRole('group', { name: 'Waits for the end of' });
  await waits.getByRole('button', { name: 'Add dependency' }).click();
  await expect(page.getByText(/^\d errors?\.$/)).toBeVisible();
  await waits.getByRole('button', { name: 'Do not wait for store' }).click();
  await expect(about(page)).toHaveText(/^ends after/);

  await field(page, 'Action').press('Control+s');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const saved = (await arm.listWorkflows()).workflows.find(({ name }) => name === 'By form')!;
  const { workflow } = await arm.getWorkflow({ workflow_id: saved.id });
  expect(workflow.definition).toEqual(JSON.parse(await json(page).inputValue()));

  // A removed piece leaves no trace; what another definition is opened over can be brought back.
  await section(page, 'Labware')
    .getByRole('button', { name: /^Remove plate_1/ })
    .click();
  await expect(json(page)).not.toHaveValue(/plate_1/);
  await expect(page.getByText('changed, not saved')).toBeVisible();
  const edited = await json(page).inputValue();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: 'New workflow' }).click();
  await expect(field(page, 'Name of the workflow')).toHaveValue('New workflow');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(json(page)).toHaveValue(edited);
  await expect(page.getByText('changed, not saved')).toBeVisible();
});

test('tasks are ordered by drag and by keyboard, and their chain follows', async ({ page }) => {
  await openPage(page);
  await openFile(page, ASSAY);
  const sources = async () => {
    const { tasks } = JSON.parse(await json(page).inputValue()).workflow;
    const of = (id: string) => tasks[id].labware_sources.plate_1.source_task as string | undefined;
    return ['dispense_1', 'incubate_1', 'wash_1', 'read_1', 'store_1'].map(of);
  };
  const before = await sources();
  const grips = section(page, 'Tasks').getByRole('button', { name: /^Move / });
  // Keyboard: read_1 goes before wash_1; the focus goes with it.
  await grips.nth(3).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('read_1 is now 3 of 15')).toBeVisible();
  await expect(grips.nth(2)).toBeFocused();
  const after = [undefined, 'dispense_1', 'read_1', 'incubate_1', 'wash_1'];
  await expect.poll(sources).toEqual(after);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect.poll(sources).toEqual(before);

  // Drag: the same with the pointer. Escape leaves the order.
  const drag = async (from: number, to: number) => {
    const [grip, target] = [await grips.nth(from).boundingBox(), await grips.nth(to).boundingBox()];
    await page.mouse.move(grip!.x + 8, grip!.y + grip!.height / 2);
    await page.mouse.down();
    await page.mouse.move(target!.x + 8, target!.y + target!.height / 2 - 6, { steps: 4 });
  };
  await drag(3, 2);
  await expect(section(page, 'Tasks').locator('[data-drop="before"]')).toHaveCount(1);
  await page.mouse.up();
  expect((await ids(page, 'Tasks')).slice(2, 4)).toEqual(['read_1', 'wash_1']);
  await expect.poll(sources).toEqual(after);
  await page.keyboard.press('Control+z');
  await expect(json(page)).toHaveValue(ASSAY);
  await drag(3, 0);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(json(page)).toHaveValue(ASSAY);
  await expect(about(page)).toHaveText('ends after 14:19');

  // The lines of the chart end on the bars that they name.
  const ends = await page.evaluate(() => {
    const middles = [...document.querySelectorAll('.gantt-bar')].map((bar) => {
      const { top, height } = bar.getBoundingClientRect();
      return top + height / 2;
    });
    return [...document.querySelectorAll<SVGPathElement>('.gantt-links path')].flatMap((path) => {
      const origin = path.ownerSVGElement!.getBoundingClientRect().top;
      return [0, path.getTotalLength()].map((at) => {
        const y = origin + path.getPointAtLength(at).y;
        return Math.min(...middles.map((middle) => Math.abs(middle - y)));
      });
    });
  });
  expect(ends.length).toBe(30);
  expect(Math.max(...ends)).toBeLessThan(2);
});

test('any name goes through the form and the text, and stays text', async ({ page }) => {
  await openPage(page);
  await openFile(page, ASSAY);
  await item(page, 'Tasks', 'wash_1').click();
  let last = 'wash_1';
  for (const name of NAMES) {
    await field(page, 'Id').fill(name);
    await field(page, 'Id').press('Enter');
    await expect.poll(async () => (await ids(page, 'Tasks'))[2]).toBe(name);
    const tasks = async () => JSON.parse(await json(page).inputValue()).workflow.tasks;
    const source = async () => (await tasks())['read_1'].labware_sources.plate_1.source_task;
    await expect.poll(source).toBe(name);
    expect(Object.keys(await tasks())).not.toContain(last);
    last = name;
  }
  expect(await page.evaluate(() => 'hostile' in globalThis)).toBe(false);
  // A name that is taken, or none, is refused at its field and changes nothing.
  const now = await json(page).inputValue();
  for (const [typed, problem] of [
    ['read_1', 'another one is called read_1'],
    ['', 'must not be empty'],
  ] as const) {
    await field(page, 'Id').fill(typed);
    await field(page, 'Id').press('Enter');
    await expect(form(page).getByText(problem)).toBeVisible();
    await expect(json(page)).toHaveValue(now);
  }
  // What the form has no field for is where it was.
  const [is, was] = [JSON.parse(now), JSON.parse(ASSAY)];
  expect([is.metadata, is.workcell]).toEqual([was.metadata, was.workcell]);
});

test('the keyboard alone edits, and axe finds nothing serious', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page);
  await openFile(page, ASSAY);
  await field(page, 'Name of the workflow').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(section(page, 'Tasks').getByRole('button', { name: 'Add task' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(item(page, 'Tasks', 'dispense_1')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Id')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mix');
  await expect(json(page)).toHaveValue(ASSAY.replace('"action": "dispense"', '"action": "mix"'));
  await field(page, 'Duration, s').fill('');
  await expect(field(page, 'Duration, s')).toHaveAccessibleDescription(/missing/);
  for (const theme of ['light', 'dark']) {
    expect(await findings(page), theme).toEqual([]);
    await page.getByRole('button', { name: 'Theme' }).click();
  }

  // On a phone nothing is wider than the screen, and the fields have the height of a finger.
  await page.setViewportSize({ width: 390, height: 844 });
  const rights = await page
    .locator('.editor :not(.editor-sheet *)')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  expect(Math.max(...rights)).toBeLessThan(391);
  const heights = await form(page)
    .locator('button, input, select')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await findings(page)).toEqual([]);
});
