/**
 * The Workflow page against the built program: a definition is validated while it is edited, and
 * the drawn chart of a run is measured and compared with the API. A receiver in the test collects
 * the webhook deliveries.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect as baseExpect, type Locator, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { RunDetails } from '../contract/types.generated.ts';
import type { ArmWindow, DeckLayer } from '../viewer/test-window.ts';
import { skipRasterization } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const FILE = new URL('../fixtures/workflows/assay.json', import.meta.url);
const ADDRESS = 'http://127.0.0.1:9000/hooks';
/** With a short incubation, a run of the assay takes about ten seconds on this clock. */
const CLOCK = '30';
const INCUBATION = '"time_estimate": 600';
const SHORT = '"time_estimate": 30';
const RUN_MS = 120_000;
/** One pixel of the chart is half a second. */
const CLOSE_S = 0.5;
const THINNEST_S = 1.2;

const expect = baseExpect.configure({ timeout: 20_000 });
test.use({ viewport: { width: 1000, height: 640 }, trace: 'off' });
test.describe.configure({ timeout: 300_000 });

interface ReceivedDelivery {
  readonly id: string;
  readonly body: string;
}

let server: Server;
let arm: ArmClient;
let receiver: HttpServer;
let text: string;
const received: ReceivedDelivery[] = [];

test.beforeAll(async () => {
  server = await startServer(['--clock', CLOCK, '--driver', 'fast', '--log-level', 'silent']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        id: String(request.headers['webhook-id']),
        body: Buffer.concat(chunks).toString('utf8'),
      });
      // The first delivery is rejected once, so that it needs two attempts.
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  text = readFileSync(FILE, 'utf8')
    .replaceAll(ADDRESS, `http://127.0.0.1:${port}/hooks`)
    .replaceAll(INCUBATION, SHORT);
});

test.afterAll(async () => {
  await server.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Opens the page, signed in, on the Workflow page. */
async function openPage(page: Page): Promise<void> {
  await skipRasterization(page);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('simulated, 30.00× real time')).toBeVisible();
  await page.getByRole('button', { name: 'Workflow' }).click();
}

interface Measured {
  readonly key: string;
  readonly state: string;
  readonly from_s: number;
  readonly to_s: number;
}

/** The drawn bars of the chart in seconds, measured against the marks of its ruler. */
function measuredBars(page: Page): Promise<Measured[]> {
  return page.evaluate(() => {
    const units: Record<string, number> = { s: 1, min: 60, h: 3600 };
    const marks = [...document.querySelectorAll<HTMLElement>('.gantt-ruler span')].map((mark) => {
      const [number, unit] = mark.textContent!.split(' ');
      const box = mark.getBoundingClientRect();
      return { x: box.left + box.width / 2, time_s: Number(number) * units[unit!]! };
    });
    const [first, last] = [marks[0]!, marks.at(-1)!];
    const rate = (last.time_s - first.time_s) / (last.x - first.x);
    return [...document.querySelectorAll<HTMLElement>('.gantt-bar')].map((bar) => {
      const { left, right } = bar.getBoundingClientRect();
      return {
        key: bar.dataset['key']!,
        state: bar.dataset['state']!,
        from_s: (left - first.x) * rate,
        to_s: (right - first.x) * rate,
      };
    });
  });
}

/** The plates drawn in the scene. */
function drawnPlates(page: Page) {
  return page.evaluate(() => {
    const { armtwin } = globalThis as typeof globalThis & { readonly armtwin: ArmWindow };
    return (armtwin.page('workflow') as DeckLayer).drawn().plates;
  });
}

/** The times of a run from the API, by the keys of its bars. */
function expectedBars({ tasks, moves }: RunDetails): Map<string, { from_s: number; to_s: number }> {
  const taskBars = tasks.map(({ id, started_at_s, ended_at_s }) => {
    return [`task/${id}`, { from_s: started_at_s!, to_s: ended_at_s! }] as const;
  });
  const moveBars = moves.map(({ arm_started_at_s, arm_ended_at_s }, i) => {
    return [`move/${i}`, { from_s: arm_started_at_s!, to_s: arm_ended_at_s! }] as const;
  });
  return new Map([...taskBars, ...moveBars]);
}

test('shows the problem of a definition at its line, and saves a valid definition', async ({
  page,
}) => {
  await openPage(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  const buffer = Buffer.from(text);
  const file = { name: 'assay.json', mimeType: 'application/json', buffer };
  await (await chooser).setFiles(file);
  const area = page.getByLabel('Definition in JSON');
  const valid = page.getByText('Valid, 1 warning.');
  await expect(valid).toBeVisible();

  // Invalid JSON: the problem is reported on the following line.
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('"labware_types"'));
  await area.fill(lines.with(at - 1, lines[at - 1]!.replace('{', '')).join('\n'));
  const note = page.locator('.editor-note');
  await expect(note).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Findings' })).toContainText(`line ${at + 1}`);

  // An instrument that does not exist: the server's message is shown at its line.
  const place = lines.findIndex((line) => line.includes('"instrument": "hotel"'));
  await area.fill(lines.with(place, lines[place]!.replace('hotel', 'nowhere')).join('\n'));
  await expect(note).toHaveText('there is no instrument nowhere');
  for (const name of ['Plan', 'Start run']) {
    const start = page.getByRole('button', { name, exact: true });
    await expect(start).toBeDisabled();
    await expect(start).toHaveAttribute('title', 'Fix the error of the definition first');
  }
  await page.getByRole('button', { name: `line ${place + 1}` }).click();
  /** How far the note is from its line (px); it follows a scroll in the next frame. */
  const distance = async () => {
    const boxes = await Promise.all([note.boundingBox(), area.boundingBox()]);
    const scrolled = await area.evaluate((element) => element.scrollTop);
    return Math.abs(boxes[0]!.y - boxes[1]!.y - (8 + place * 18 - scrolled));
  };
  await expect.poll(distance).toBeLessThan(0.5);
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert').filter({ hasText: 'nowhere' })).toBeVisible();
  expect((await arm.listWorkflows()).workflows).toEqual([]);

  await area.fill(text);
  await expect(valid).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start run' })).toBeEnabled();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect.poll(async () => (await arm.listWorkflows()).workflows.length).toBe(1);
});

test('runs a workflow, draws its tasks at their times, and lists every delivery', async ({
  page,
}) => {
  await arm.createWorkflow({ ...(JSON.parse(text) as object), name: 'Quick assay' });
  await openPage(page);
  await page.getByRole('button', { name: 'Quick assay' }).click();
  const bars = page.locator('.gantt-bar');
  await expect(bars.first()).toHaveAttribute('data-state', 'planned');
  expect(await bars.count()).toBe(30);
  await page.getByRole('button', { name: 'Start run' }).click();
  await page.getByRole('button', { name: 'Pause run' }).click();
  await expect(page.locator('.work-head').getByText('Paused')).toBeVisible();
  const { runs } = await arm.listRuns();
  const { id: run_id } = runs.at(-1)!;
  expect(runs.at(-1)!.state).toBe('paused');
  await page.getByRole('button', { name: 'Resume run' }).click();
  await expect(page.locator('.gantt-bar[data-state="running"]').first()).toBeVisible();
  await expect(page.locator('.work-head .pill')).toHaveText('Completed', { timeout: RUN_MS });

  const { run } = await arm.getRun({ run_id });
  await expect(bars.and(page.locator('[data-state="done"]'))).toHaveCount(30);
  const expected = expectedBars(run);
  const measured = await measuredBars(page);
  expect(measured.map(({ key }) => key).sort()).toEqual([...expected.keys()].sort());
  for (const { key, from_s, to_s } of measured) {
    const { from_s: started_s, to_s: ended_s } = expected.get(key)!;
    expect(Math.abs(from_s - started_s)).toBeLessThan(CLOSE_S);
    // Bars are at least three pixels wide.
    expect(Math.abs(to_s - Math.max(ended_s, from_s + THINNEST_S))).toBeLessThan(2 * CLOSE_S);
  }
  expect((await drawnPlates(page)).map(({ labware_id, carried }) => [labware_id, carried])).toEqual(
    run.labware.map(({ labware_id }) => [labware_id, false]),
  );

  // Every delivery is listed, the first with a rejected attempt; sent again, it keeps its id.
  const { events } = await arm.listRunEvents({ run_id });
  await expect(page.locator('tr[data-delivery]')).toHaveCount(events.length);
  const first = page.locator('tr[data-delivery]').last();
  await expect(first).toContainText('Delivered');
  await first.click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('table', { name: 'Attempts' })).toContainText('503');
  const body = (await details.getByLabel('Body').textContent()) ?? '';
  expect(JSON.parse(body)).toEqual(events[0]!.body);
  const before = received.length;
  await details.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => received.length).toBe(before + 1);
  expect(received.at(-1)).toEqual(received[0]);
  await expect(details.getByRole('table', { name: 'Attempts' }).locator('tbody tr')).toHaveCount(3);
  await page.getByRole('button', { name: /^Events/ }).click();
  const listed = page.getByRole('table', { name: 'Events' }).locator('tbody tr');
  await expect(listed).toHaveCount(events.length);
  await expect(listed.first()).toContainText('completed');
});

/** Expects that the first column of a table has the space of "Completed", which is not broken. */
async function expectWholeWords(rows: Locator): Promise<void> {
  for (const name of await rows.locator('td:first-child').all()) {
    expect((await name.boundingBox())!.width).toBeGreaterThan(60);
  }
}

test('asks with the main button, moves what is late, and draws what waits for what', async ({
  page,
}) => {
  page.setDefaultTimeout(20_000);
  const definition = { ...(JSON.parse(text) as object), name: 'Asking assay' };
  const { workflow } = await arm.createWorkflow(definition);
  await openPage(page);
  await page.getByRole('button', { name: 'Asking assay' }).click();
  await page.getByRole('button', { name: 'Try 1,000 executions' }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText('Nine of ten end by')).toBeVisible();
  await expect(details.getByText(/^holds in \d+\.\d %$/)).toHaveCount(3);
  const links = page.locator('.gantt-links path');
  await expect(links.and(page.locator('[data-kind="dependency"]'))).toHaveCount(12);
  await expect(links.and(page.locator('[data-kind="limit"]'))).toHaveCount(3);
  const hues = await page
    .locator('.gantt-piece')
    .evaluateAll((all) => [
      ...new Set(all.map((one) => (one as HTMLElement).style.getPropertyValue('--hue'))),
    ]);
  expect(hues.length).toBe(3);

  const faults = [{ task_id: 'dispense_1' }];
  const body = { faults, simulate_drivers: true };
  const { run } = await arm.startRun({ workflow_id: workflow.id }, body);
  await page.goto('about:blank');
  await openPage(page);
  await page.getByRole('button', { name: 'Asking assay', exact: true }).click();
  const retry = page.getByRole('button', { name: 'Retry dispense_1' });
  const resume = page.getByRole('button', { name: 'Resume run' });
  await expect(retry).toHaveClass('primary');
  await expect(resume).toHaveClass('plain');
  const left = page.locator('.figure', { hasText: 'Remaining, planned' }).locator('dd');
  const before = await left.textContent();
  // Two minutes of the twin's time.
  await page.waitForTimeout(4000);
  expect(await left.textContent()).toBe(before);
  const now = (await page.locator('.gantt-now').boundingBox())!.x;
  const planned = page.locator('.gantt-bar[data-state="planned"]');
  for (const bar of await planned.all()) {
    expect((await bar.boundingBox())!.x).toBeGreaterThan(now - 2);
  }
  await expect(planned.filter({ has: page.locator('.gantt-late:not([hidden])') })).not.toHaveCount(
    0,
  );
  await page.locator('.gantt-bar[data-state="failed"]').click();
  await details.getByRole('button', { name: 'Compare the choices' }).click();
  const choices = details.getByRole('table', { name: 'Choices' }).locator('tbody tr');
  await expect(choices).toHaveCount(5);
  await expect(choices.last()).toContainText('Stop the run');
  await expectWholeWords(choices);
  await retry.click();
  await expect(retry).toBeHidden();
  await expect(resume).toHaveClass('primary');
  await resume.click();
  await expect(page.locator('.work-head').getByText('Running')).toBeVisible();
  await arm.stopRun({ run_id: run.id });
});

test('a bar of the plan opens its task in the form and brings it into view', async ({ page }) => {
  await openPage(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file' }).click();
  const file = { name: 'assay.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await (await chooser).setFiles(file);
  const id = page.getByLabel('Id', { exact: true });
  for (const task of ['store_3', 'dispense_1']) {
    await page.locator(`.gantt-bar[data-key="task/${task}"]`).click();
    await expect(id).toHaveValue(task);
    await expect(id).toBeInViewport();
  }
});

test('a run pauses in every tab, and one that a reset takes away is closed', async ({ page }) => {
  const definition = { ...(JSON.parse(text) as object), name: 'Paused assay' };
  const { workflow } = await arm.createWorkflow(definition);
  const { run } = await arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
  await arm.setClock({ paused: true });
  await arm.pauseRun({ run_id: run.id }, {});
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Workflow' }).click();
  await page.getByRole('button', { name: `Paused assay, run ${run.id}` }).click();
  const state = page.locator('.work-head .pill');
  await expect(state).toHaveText('Pausing after the running tasks');
  await expect(page.getByRole('button', { name: 'Pause run' })).toBeHidden();
  await page.getByRole('button', { name: 'Withdraw the pause' }).click();
  await expect(state).toHaveText('Running');
  await page.getByRole('button', { name: 'Pause run' }).click();
  await expect(state).toHaveText('Pausing after the running tasks');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText('the run is pausing').first()).toBeVisible();
  let missing = 0;
  page.on('response', (reply) => {
    if (reply.status() === 404) missing++;
  });
  await arm.resetTwin({ scopes: ['workflows'] });
  await expect(page.getByText(`Run ${run.id} no longer exists`)).toBeVisible();
  await expect(state).toBeHidden();
  await expect(page.getByRole('button', { name: 'Replan' })).toBeHidden();
  const before = missing;
  await page.waitForTimeout(2000);
  expect(missing).toBe(before);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByText(`Run ${run.id} no longer exists`)).toBeHidden();
  await arm.setClock({ paused: false });
});
