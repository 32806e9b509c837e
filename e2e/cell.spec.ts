/**
 * The cell in the scene, from the built program: a sample of the first visit brings its cell, jaws
 * close, the part moves with the flange to the other nest, and back.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Locator, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Cell } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 960, height: 600 }, trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 120_000 });

type Drawing = typeof globalThis & { readonly armtwin: ArmWindow };

let server: Server;
let arm: ArmClient;

test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
});
test.afterAll(() => server.stop());

const drawn = (page: Page) => page.evaluate(() => (globalThis as Drawing).armtwin.cell());
const state = (page: Page) => page.evaluate(() => (globalThis as Drawing).armtwin.state());

/** The box of an element that stands: the camera moves until it shows the whole cell. */
async function settledBox(element: Locator) {
  let last = '';
  await expect
    .poll(async () => {
      const before = last;
      last = JSON.stringify(await element.boundingBox());
      return last === before;
    })
    .toBe(true);
  return (await element.boundingBox())!;
}

/** Middle of the drawn part's bottom face (m). */
async function partAt(page: Page): Promise<readonly number[]> {
  return (await drawn(page))?.objects.find(({ name }) => name === 'part 1')?.at_m ?? [];
}

test('one click runs a sample with its cell, and a grasp visibly takes place', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Run “Pick and place”' }).first().click();
  await expect.poll(async () => (await drawn(page))?.objects.length).toBe(2);
  await expect.poll(async () => (await drawn(page))?.grippers[0]?.opening_m).toBeCloseTo(0.06, 3);
  const held = async () => (await drawn(page))?.objects.some((object) => object.held);
  await expect.poll(held).toBe(true);
  expect((await drawn(page))?.grippers[0]?.opening_m).toBeCloseTo(0.04, 3);
  await expect.poll(async () => (await partAt(page))[2]).toBeGreaterThan(0.14);
  await arm.setClock({ paused: true });
  await expect
    .poll(async () => {
      const { object } = await arm.getCellObject({ object_name: 'part 1' });
      const { x, y, z } = object.position;
      const [dx, dy, dz] = await partAt(page);
      return Math.hypot(dx! - x, dy! - y, dz! - z);
    })
    .toBeLessThan(1e-4);
  await arm.setClock({ paused: false });
  await expect.poll(async () => (await drawn(page))?.lit).toEqual(['tray B occupied']);
  await expect.poll(() => state(page)).toBe('ready');
  // There and back: the part lies where the next run begins.
  const [x, y, z] = await partAt(page);
  expect([x, y, z].map((metres) => metres!.toFixed(3))).toEqual(['0.350', '-0.200', '0.110']);
  await expect.poll(async () => (await drawn(page))?.lit).toEqual([]);
  await expect(page.getByText('Gripper grasped part 1 at A1')).toBeAttached();
  expect(errors).toEqual([]);
});

test('the cell can be hidden, and its gripper with it', async ({ page }) => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(async () => (await drawn(page))?.objects.length).toBe(2);
  const chip = page.getByRole('button', { name: 'Cell', exact: true });
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'false');
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
});

test('the camera shows the arm again after a reset, unless the user moved it', async ({ page }) => {
  /** How far right the base is drawn (px), once the camera stands: a cell moves it. */
  const standing = async () => {
    let last = Number.NaN;
    // In two frames the observers of the layout have fitted the view to what lies over the scene.
    const read = () =>
      page.evaluate(async () => {
        const { armtwin } = globalThis as Drawing;
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        await frame();
        await frame();
        return armtwin.pixels()[0]![0];
      });
    await expect
      .poll(async () => {
        const before = last;
        last = Math.round(await read());
        return last === before;
      })
      .toBe(true);
    return last;
  };
  const hasCell = async () => ((await drawn(page))?.objects.length ?? 0) > 0;
  const trays = new URL('../fixtures/cells/trays.json', import.meta.url);
  const cell = JSON.parse(readFileSync(trays, 'utf8')) as Cell;
  await arm.resetTwin({});
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(() => state(page)).toBe('ready');
  // The line that explains and the hints take space of the scene.
  await expect(page.locator('.explain')).toContainText('No toolpath is loaded');
  await expect(page.locator('.hint')).toBeVisible();
  const alone = await standing();
  await arm.setCell(cell);
  await expect.poll(hasCell).toBe(true);
  await expect.poll(standing).not.toBe(alone);
  await arm.resetTwin({});
  await expect.poll(hasCell).toBe(false);
  await expect.poll(standing).toBe(alone);

  await arm.setCell(cell);
  await expect.poll(hasCell).toBe(true);
  await expect.poll(standing).not.toBe(alone);
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 300);
  const chosen = await standing();
  await arm.resetTwin({});
  await expect.poll(hasCell).toBe(false);
  expect(await standing()).toBe(chosen);
  await arm.setCell(cell);
});

test('the cell is edited by form and by dragging, and saved as a file', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Simulation' }).click();
  const panel = page.getByRole('region', { name: 'Cell' });
  await panel.getByRole('button', { name: 'Use sample' }).click();
  const part = async () => (await arm.getCellObject({ object_name: 'part 1' })).object;
  await expect.poll(async () => (await part()).at).toBe('A1');
  await panel.getByRole('button', { name: 'part 1' }).click();
  await panel.getByLabel('x, mm', { exact: true }).fill('420');
  await panel.getByLabel('y, mm', { exact: true }).fill('40');
  await panel.getByLabel('z, mm', { exact: true }).fill('50');
  await panel.getByRole('button', { name: 'Put there' }).click();
  await expect.poll(async () => (await part()).position.x).toBeCloseTo(0.42, 6);
  expect((await part()).at).toBe('table');
  await expect.poll(async () => (await partAt(page))[0]).toBeCloseTo(0.42, 3);

  const label = page.locator('.label', { hasText: 'part 1' });
  await expect(label).toBeVisible();
  const above = await settledBox(label);
  const from = { x: above.x + above.width / 2, y: above.y + above.height / 2 + 14 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 20, from.y + 4, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await part()).position.x - 0.42)).toBeGreaterThan(0.01);
  expect((await part()).status).toBe('resting');

  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save cell' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('trays.json');
  const saved = JSON.parse(readFileSync(await file.path(), 'utf8')) as Cell;
  const { x, y } = (await part()).position;
  expect(saved.objects?.[0]?.position).toMatchObject({ x, y });
  await arm.setCell(saved);

  await panel.getByLabel('New part').selectOption('tube');
  await panel.getByRole('button', { name: 'Set up' }).click();
  await panel.getByLabel('height, mm').fill('75');
  await panel.getByRole('button', { name: 'Add tube' }).click();
  await expect.poll(async () => (await arm.getCell()).state?.objects.length).toBe(3);
  expect((await arm.getCell()).cell?.objects?.[2]?.shape).toMatchObject({ height_m: 0.075 });
  await panel.getByRole('button', { name: 'Open door' }).click();
  await expect.poll(() => state(page)).toBe('disabled');
  const stop = page.getByRole('button', { name: 'Emergency stop', exact: true });
  await expect(stop).toBeDisabled();
  await expect(stop).toHaveAttribute('title', 'Door “door” is open: close it first');
  const row = page.locator('.explain .explain-row');
  await expect(row).toContainText('Door “door” is open');
  await row.getByRole('button', { name: 'Close and reset' }).click();
  await expect.poll(() => state(page)).toBe('ready');
  await expect(panel.getByRole('button', { name: 'Open door' })).toBeVisible();
  await expect(stop).toBeEnabled();
  await panel.getByRole('button', { name: 'Remove cell' }).click();
  await expect.poll(async () => (await drawn(page))?.objects.length).toBe(0);
  expect(errors).toEqual([]);
});

test('parts of every kind are added, edited and removed by form, and saved', async ({ page }) => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Simulation' }).click();
  const panel = page.getByRole('region', { name: 'Cell' });
  const cell = async () => (await arm.getCell()).cell;
  async function add(kind: string): Promise<void> {
    await panel.getByLabel('New part').selectOption(kind);
    await panel.getByRole('button', { name: 'Set up' }).click();
    await panel.getByRole('button', { name: `Add ${kind}` }).click();
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  }
  await add('suction');
  await expect.poll(async () => (await cell())?.grippers?.[0]?.name).toBe('suction 1');
  await add('beam');
  await expect.poll(async () => (await cell())?.sensors?.[0]?.name).toBe('beam 1');
  await panel.getByLabel('From x, mm').fill('250');
  await panel.getByLabel('Input', { exact: true }).selectOption('d3');
  await panel.getByRole('button', { name: 'Change' }).click();
  await expect
    .poll(async () => (await cell())?.sensors?.[0])
    .toMatchObject({ kind: 'beam', input: 'd3', from: { x: 0.25, y: 0.3, z: 0.1 } });
  await add('conveyor');
  await expect.poll(async () => (await cell())?.conveyors?.[0]?.name).toBe('conveyor 1');
  await panel.getByLabel('Turn, °').fill('90');
  await panel.getByLabel('Speed, mm/s').fill('-40');
  await panel.getByRole('button', { name: 'Change' }).click();
  await expect.poll(async () => (await cell())?.conveyors?.[0]?.speed_m_s).toBeCloseTo(-0.04, 9);
  expect((await cell())?.conveyors?.[0]?.orientation?.z).toBeCloseTo(Math.SQRT1_2, 6);
  await add('fixture');
  await expect.poll(async () => (await cell())?.fixtures?.[0]?.name).toBe('fixture 1');
  await panel.getByLabel('Size x, mm').fill('200');
  await panel.getByRole('button', { name: 'Change' }).click();
  await expect.poll(async () => (await cell())?.fixtures?.[0]?.boxes[0]?.size_m.x).toBe(0.2);
  await add('button');
  await expect
    .poll(async () => (await cell())?.controls)
    .toEqual([{ kind: 'button', name: 'button 1', input: 'd0' }]);
  await panel.getByRole('button', { name: 'Press button 1' }).click();
  await expect.poll(async () => (await arm.getSnapshot()).snapshot['global.inputs'].d0).toBe(true);
  await add('door');
  await expect.poll(async () => (await cell())?.controls?.[1]?.name).toBe('door 1');
  await panel.getByLabel('Stops').selectOption('false');
  await panel.getByRole('button', { name: 'Change' }).click();
  await expect.poll(async () => (await cell())?.controls?.[1]).toMatchObject({ stops: false });
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save cell' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as Cell;
  expect([saved.fixtures?.length, saved.controls?.length]).toEqual([1, 2]);
  expect([saved.grippers?.length, saved.sensors?.length, saved.conveyors?.length]).toEqual([
    1, 1, 1,
  ]);
  await panel.getByRole('button', { name: 'beam 1' }).click();
  await panel.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(async () => (await cell())?.sensors ?? []).toEqual([]);
  await panel.getByRole('button', { name: 'Remove cell' }).click();
});

const BELT_CELL: Cell = {
  name: 'devices',
  sensors: [
    {
      ...{ kind: 'beam', name: 'beam 1', input: 'd0' },
      ...{ from: { x: 0.3, y: 0.3, z: 0.1 }, to: { x: 0.5, y: 0.3, z: 0.1 } },
    },
  ],
  conveyors: [
    {
      ...{ name: 'belt', position: { x: 0.4, y: -0.3, z: 0 }, speed_m_s: 0.1, output: 'd1' },
      size_m: { x: 0.4, y: 0.12, z: 0.08 },
    },
  ],
  objects: [
    {
      ...{ name: 'box 1', mass_kg: 0.1, position: { x: 0.5, y: -0.3, z: 0.08 } },
      shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
    },
  ],
};

const belt = async () => (await arm.getCell()).cell!.conveyors![0]!;
const box = async () => (await arm.getCellObject({ object_name: 'box 1' })).object;

/** Drags a part by the place under its label. */
async function dragByLabel(page: Page, name: string): Promise<void> {
  const label = page.locator('.label', { hasText: name });
  await expect(label).toBeVisible();
  const above = await settledBox(label);
  const [x, y] = [above.x + above.width / 2, above.y + above.height / 2 + 14];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 24, y + 8, { steps: 4 });
  await page.mouse.up();
}

test('sensors and conveyors are dragged in the scene', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await arm.setCell(BELT_CELL);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Simulation' }).click();
  const panel = page.getByRole('region', { name: 'Cell' });
  await panel.getByRole('button', { name: /^beam 1/ }).click();
  await dragByLabel(page, 'beam 1');
  const ends = async () => {
    const sensor = (await arm.getCell()).cell?.sensors?.[0];
    return sensor?.kind === 'beam' ? [sensor.from, sensor.to] : [];
  };
  await expect.poll(async () => (await ends())[0]?.x).not.toBe(0.3);
  const [from, to] = await ends();
  expect(to!.x - from!.x).toBeCloseTo(0.2, 9);
  expect(to!.z).toBe(0.1);
  await panel.getByRole('button', { name: /^belt/ }).click();
  await dragByLabel(page, 'belt');
  await expect.poll(async () => (await belt()).position.x).not.toBe(0.4);
  expect((await box()).at).toBe('belt');
  expect((await box()).position.x - (await belt()).position.x).toBeCloseTo(0.1, 6);
  expect(errors).toEqual([]);
});

test('a conveyor is moved by keys, gets an encoder and a name, and edits are undone', async ({
  page,
}) => {
  await arm.setCell(BELT_CELL);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Simulation' }).click();
  const panel = page.getByRole('region', { name: 'Cell' });
  const row = panel.getByRole('button', { name: /^belt/ });
  await row.click();
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowUp']) await row.press(key);
  await expect.poll(async () => (await belt()).position.x).toBeCloseTo(0.402, 9);
  await expect.poll(async () => (await belt()).position.y).toBeCloseTo(-0.29, 9);
  await expect(row).toBeFocused();

  await panel.getByLabel('Encoder input').selectOption('a0');
  await panel.getByLabel('Encoder span, mm').fill('500');
  await panel.getByRole('button', { name: 'Change' }).click();
  const encoder = { input: 'a0', span_m: 0.5, at_zero: 0, at_full_scale: 10 };
  await expect.poll(async () => (await belt()).encoder).toEqual(encoder);
  await panel.getByLabel('Part name').fill('infeed');
  await panel.getByRole('button', { name: 'Rename' }).click();
  await expect.poll(async () => (await belt()).name).toBe('infeed');
  await expect.poll(async () => (await box()).at).toBe('infeed');
  const renamed = panel.getByRole('button', { name: /^infeed/ });
  await expect(renamed).toHaveAttribute('aria-pressed', 'true');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await belt()).name).toBe('belt');
  expect((await belt()).encoder).toEqual(encoder);
});

test('the cell of the sorter is drawn within the budget of calls', async ({ page }) => {
  const text = readFileSync(new URL('../fixtures/cells/sorter.json', import.meta.url), 'utf8');
  const cell = JSON.parse(text) as Cell;
  await arm.setCell(cell);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect.poll(async () => (await drawn(page))?.objects.length).toBe(cell.objects?.length);
  const cost = () => page.evaluate(() => (globalThis as Drawing).armtwin.cost());
  // Above this count the fine shells are drawn, with their shadows.
  await expect.poll(async () => (await cost()).triangles).toBeGreaterThan(60_000);
  expect((await cost()).calls).toBeLessThanOrEqual(60);
});
