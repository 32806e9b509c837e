/**
 * The page explains: progress in the twin's time, the line of causes with its remedies, and the
 * motion row in reach on every page and size. What the page shows is compared with what was
 * injected over the API.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import type { ArmWindow } from '../viewer/test-window.ts';
import { type Server, startServer, test } from './server.ts';

const SORTER = JSON.parse(
  readFileSync(new URL('../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const expect = baseExpect.configure({ timeout: 20_000 });
/** The page shows tenths of a second, one report late. */
const SHOWN_S = 0.35;
/** Time after which a page has its new size (ms). */
const RESIZED_MS = 500;

test.use({ trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 180_000 });

let server: Server;
let arm: ArmClient;
let page: Page;

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  page = await browser.newPage({ viewport: { width: 1300, height: 700 } });
  await open();
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
});

async function open(): Promise<void> {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect
    .poll(() =>
      page.evaluate(() =>
        (globalThis as typeof globalThis & { armtwin: ArmWindow }).armtwin.state(),
      ),
    )
    .not.toMatch('connecting');
  await expect(page.locator('.explain')).toBeVisible();
}

/** How many links have their origin under something that lies over the scene. */
const coveredLinks = () =>
  page.evaluate(() => {
    const { armtwin } = globalThis as typeof globalThis & { armtwin: ArmWindow };
    const canvas = document.querySelector('.stage-canvas');
    const shown = armtwin.pixels();
    return shown.filter(([x, y]) => document.elementFromPoint(x, y) !== canvas).length;
  });

/** Whether all links have their origin in the scene and beside the panel of causes. */
const isBesidePanel = () =>
  page.evaluate(() => {
    const { armtwin } = globalThis as typeof globalThis & { armtwin: ArmWindow };
    const scene = document.querySelector('.stage-canvas')!.getBoundingClientRect();
    const panel = document.querySelector('.explain-panel')!.getBoundingClientRect();
    return armtwin
      .pixels()
      .every(([x, y]) => x > panel.right && x < scene.right && y > scene.top && y < scene.bottom);
  });

const line = () => page.locator('.explain .explain-row');
const progress = () => page.locator('.run-loop .value');

/** Time in the loop and time left as the page shows them (s). */
async function shownTimes(): Promise<readonly number[]> {
  const text = (await progress().textContent()) ?? '';
  return [...text.matchAll(/([\d.]+) s/g)].map(([, number]) => Number(number));
}

async function expectTrueProgress(): Promise<void> {
  await expect
    .poll(async () => {
      const { activity } = await arm.getStatus();
      const [time_s = -1, left_s = -1] = await shownTimes();
      const wrong_s = Math.max(
        Math.abs(time_s - activity!.loop_time_s),
        Math.abs(left_s - activity!.loop_remaining_s),
      );
      return wrong_s;
    })
    .toBeLessThan(SHOWN_S);
}

for (const [width, height] of [
  [1300, 700],
  [768, 1000],
  [390, 844],
] as const) {
  test(`the line leaves the arm in sight where the page is ${width} px wide`, async () => {
    await page.setViewportSize({ width, height });
    await page.reload();
    for (const name of ['Live', 'Paths', 'Simulation', 'Live']) {
      await page.locator('.rail').getByRole('button', { name }).click();
      await expect(line()).toContainText('No toolpath is loaded');
      await expect.poll(coveredLinks, name).toBe(0);
    }
  });
}

test('the arm stays in sight while the window changes its size', async () => {
  for (const [width, height] of [
    [768, 1000],
    [1300, 600],
    [390, 844],
    [1300, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(RESIZED_MS);
    await expect.poll(coveredLinks, `${width} px`).toBe(0);
  }
});

for (const [width, height] of [
  [1300, 700],
  [390, 844],
] as const) {
  test(`the panel stays inside the scene of ${width} px, and its button closes it`, async () => {
    await page.setViewportSize({ width, height });
    for (const name of ['Live', 'Paths']) {
      await page.locator('.rail').getByRole('button', { name }).click();
      await page.locator('.explain-more').click();
      const panel = page.locator('.explain-panel');
      const [inner, outer] = [
        await panel.boundingBox(),
        await page.locator('.scene').boundingBox(),
      ];
      expect(inner!.y).toBeGreaterThanOrEqual(outer!.y);
      expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height);
      await panel.getByRole('button', { name: 'Close' }).click();
      await expect(panel).toBeHidden();
      await expect(page.locator('.explain-more')).toBeFocused();
    }
    await page.locator('.rail').getByRole('button', { name: 'Live' }).click();
  });
}

test('the arm moves after one click from a fresh start', async () => {
  await page.setViewportSize({ width: 1300, height: 700 });
  await page.getByRole('button', { name: 'Run “Pick and place”' }).click();
  await expect(progress()).toHaveText(/s left/);
  await expectTrueProgress();
  await arm.runUntil({ state: 'ready', limit_s: 60 });
});

test('shows true progress while it waits, is paused, and at other paces', async () => {
  await arm.setInputs({ values: { d0: false, ee_a0: 8 } });
  await arm.useUnsavedToolpath({ name: 'Sorter', toolpath: SORTER });
  await arm.run({ mode: 'automatic', loop: 3 });
  await expect(line()).toContainText(/Waits until base input 0 is on; 0:(0[3-9]|[1-9])/);
  await expectTrueProgress();
  const share = () =>
    page.locator('.progress-done').evaluate((bar) => (bar as HTMLElement).style.transform);
  const waiting = await share();
  await page.waitForTimeout(1500);
  expect(await share()).toBe(waiting);
  await line().getByRole('button', { name: 'Set it on' }).click();
  await arm.advanceClock({ seconds: 2 });
  await arm.pause();
  await expect(line()).toContainText('Paused');
  const { activity } = await arm.getStatus();
  const paused = [activity!.loop_time_s, activity!.loop_remaining_s].map((s) =>
    Number(s.toFixed(1)),
  );
  await expect.poll(shownTimes).toEqual(paused);
  await page.waitForTimeout(1500);
  expect(await shownTimes()).toEqual(paused);
  await arm.setClock({ pace: 0.1 });
  await arm.resume();
  await expect(line()).toContainText('Late because the clock runs at 0.10× real time');
  await expectTrueProgress();
  await arm.setClock({ pace: 10 });
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.loop_count).toBe(1);
  await arm.setClock({ pace: 1 });
  await expectTrueProgress();
  await page.reload();
  await expect(progress()).toHaveText(/s left/);
  await expectTrueProgress();
  await expect(page.locator('.run .fact', { hasText: 'Step' })).toContainText(/\d/);
});

/** A cause: how it is injected, what the line says, and the button that takes it away. */
interface Cause {
  readonly says: RegExp;
  readonly remedy: string;
  inject(): Promise<unknown>;
}

const CAUSES: readonly Cause[] = [
  {
    says: /The emergency stop has been pressed for 0:0/,
    remedy: 'Release and reset',
    inject: () => arm.setEmergencyStop({ engaged: true }),
  },
  {
    says: /Stopped for 0:\d\d: J4 is too hot; fault \d+ was injected/,
    remedy: 'Clear fault and reset',
    inject: () => arm.addFault({ kind: 'driver', joint: 3, fault: 'overheated' }),
  },
  {
    says: /Stopped for 0:\d\d: J2 does not answer/,
    remedy: 'Clear fault and reset',
    inject: () => arm.addFault({ kind: 'driver', joint: 1, fault: 'lost' }),
  },
  {
    says: /The clock is paused: nothing moves until it runs/,
    remedy: 'Resume the clock',
    inject: () => arm.setClock({ paused: true }),
  },
  {
    says: /The clock is stepped: time passes only when a client advances it/,
    remedy: 'Set real time',
    inject: () => arm.setClock({ pace: 'stepped' }),
  },
  {
    says: /The backdriving button has been pressed/,
    remedy: 'Release it',
    inject: () => arm.setButtons({ backdriving: true }),
  },
  {
    says: /Plans take 0.5 s longer: injected fault \d+/,
    remedy: 'Clear the fault',
    inject: () => arm.addFault({ kind: 'slow_planner', delay_s: 0.5 }),
  },
  {
    says: /Stream messages come 0.05 s late: injected fault \d+/,
    remedy: 'Clear the fault',
    inject: () => arm.addFault({ kind: 'stream', effect: 'delay', delay_s: 0.05 }),
  },
  {
    says: /The daily schedule runs the loaded toolpath from 03:00:00 to 04:00:00/,
    remedy: 'Turn it off',
    inject: () => arm.setScheduler({ enabled: true, start_time: '03:00:00', end_time: '04:00:00' }),
  },
];

test('explains every injected cause, and its remedy takes it away', async () => {
  await arm.cancel().catch(() => arm.pause().then(() => arm.cancel()));
  await arm.runUntil({ state: 'ready', limit_s: 10 });
  for (const { says, remedy, inject } of CAUSES) {
    await inject();
    await expect(line()).toBeVisible();
    await expect(line()).toContainText(says);
    await line().getByRole('button', { name: remedy }).click();
    await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
    await arm.clearFaults();
  }
});

test('releases an emergency stop and resets the error it left, in one click', async () => {
  await arm.run({ mode: 'automatic', loop: 1 });
  await arm.runUntil({ state: 'running', limit_s: 10 });
  await arm.setEmergencyStop({ engaged: true });
  await expect(line()).toContainText('The emergency stop has been pressed');
  await line().getByRole('button', { name: 'Release and reset' }).click();
  await expect.poll(async () => (await arm.getStatus()).state).toBe('ready');
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
});

test('explains a collision that is ignored, and one that nothing explains', async () => {
  await arm.setCollisionDetection({ enabled: false });
  await arm.setClock({ paused: true });
  await arm.addFault({ kind: 'collision', joint: 2, with_detection: true });
  await arm.setCollisionDetection({ enabled: false });
  await arm.setClock({ paused: false });
  await expect(line()).toContainText('Collision detection is off: a collision at J3 has no effect');
  await line().getByRole('button', { name: 'Turn detection on' }).click();
  await expect(line()).toContainText(
    /Collision \d+:\d\d ago: J3 felt a torque that nothing explains/,
  );
  await line().getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
});

test('explains an input that a fault holds, and a toolpath that waits for it', async () => {
  await arm.setInputs({ values: { d0: false } });
  await arm.addFault({ kind: 'stuck_input', input: 'd0' });
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect(line()).toContainText(
    /Waits until base input 0 is on, but injected fault \d+ holds it/,
  );
  await line().getByRole('button', { name: 'Clear the fault' }).click();
  await expect(line()).toContainText('Waits until base input 0 is on;');
  await arm.pause();
  await arm.cancel();
});

test('shows where the tool touched what, with its force beside limits for people', async () => {
  await arm.setCollisionDetection({ enabled: true, sensitivity: 'medium' });
  await arm.setInputs({ values: { d0: true, ee_a0: 8 } });
  const half = { x: 0.06, y: 0.06, z: 0.06 };
  const { obstacle } = await arm.addObstacle({
    ...{ name: 'crate', half },
    position: { x: 0.3, y: -0.15, z: 0.3 },
  });
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect(line()).toContainText(/Collision: \w+ touche[sd] “crate”, \d+ N at most/);
  const [contact] = (await arm.listContacts()).contacts.slice(-1);
  await expect(line()).toContainText(`${contact!.peak_force_n.toFixed(0)} N`);
  await expect(page.locator('.explain-marks .label')).toHaveText('Contact');
  await line().getByRole('button', { name: 'Show the place' }).click();
  await page.locator('.explain-more').click();
  await page.locator('.explain-panel summary').click();
  await expect(page.locator('.explain-panel')).toContainText('skull and forehead');
  await page.keyboard.press('Escape');
  await expect(page.locator('.explain-panel')).toBeHidden();
  await arm.removeObstacle({ obstacle_id: obstacle.id });
  await line().getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.locator('.explain')).toHaveAttribute('data-empty', '');
});

test('sets collision detection and the daily schedule', async () => {
  await page.locator('.explain-more').click();
  await page.getByLabel('Collision detection').selectOption('high');
  await expect
    .poll(async () => (await arm.getSnapshot()).snapshot.collision_detection)
    .toEqual({ enabled: true, sensitivity: 'high' });
  await page.getByLabel('Daily schedule', { exact: true }).check();
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.scheduler.enabled).toBe(true);
  await expect(line()).toContainText('The daily schedule runs the loaded toolpath from 08:00:00');
  await page.getByLabel('Daily schedule', { exact: true }).uncheck();
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.scheduler.enabled).toBe(false);
  await page.locator('.explain-more').click();
});

test('names what moves the arm, and has a tool only where it knows one', async () => {
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  const readout = page.locator('.readout-name').first();
  const saved = await arm.createToolpath({ name: 'Tool', toolpath: SORTER });
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await expect(readout).toHaveText('Tool at base');
  await arm.goTo({ mode: 'teach', joints: [0.4, 0, 0, 0, 0, 0] });
  await expect(page.locator('.run-loop')).toContainText('Moves to a pose');
  await expect(page.locator('.path .sub')).toHaveText('Moves to a pose');
  await expect(page.getByRole('button', { name: 'Stop after loop' })).toBeDisabled();
  await arm.pause();
  await arm.cancel();
  await arm.cyclePower();
  await expect(page.locator('.path')).toContainText('No toolpath loaded');
  await expect(readout).toHaveText('Flange at base');
  await expect(page.locator('.tool-fact')).toHaveCount(0);
  await arm.takeLock();
  await arm.deleteToolpath({ toolpath_id: saved.toolpath.id });
});

test('lights the step that the arm runs', async () => {
  const saved = await arm.createToolpath({ name: 'Lit', toolpath: SORTER });
  await page.getByRole('button', { name: 'Paths', exact: true }).click();
  await page.getByRole('button', { name: 'Lit', exact: true }).click();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.setInputs({ values: { d0: false } });
  await arm.run({ mode: 'automatic', loop: 1 });
  await expect(page.locator('.row[data-running]')).toHaveText(/Wait until base input 0 is on/);
  await arm.setInputs({ values: { d0: true } });
  await expect(page.locator('.row[data-running]')).toHaveText(/cell/);
  await arm.pause();
  await arm.cancel();
  await expect(page.locator('.row[data-running]')).toHaveCount(0);
});

/** What is seen of a page that fits into its window. */
const WHOLE = { wide: 0, long: 0, inside: true, covered: 0 };

for (const [name, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop at 200 %', { width: 720, height: 450 }],
  ['a phone on its side', { width: 844, height: 390 }],
  ['a tablet', { width: 1000, height: 800 }],
  ['a laptop', { width: 1280, height: 720 }],
  ['a tablet at 200 %', { width: 1000, height: 400 }],
] as const) {
  test(`keeps the motion row in view and nothing too wide on ${name}`, async () => {
    await page.setViewportSize(viewport);
    for (const entry of ['Live', 'Paths', 'Teach', 'Workflow', 'Simulation', 'Users']) {
      await page.getByRole('navigation').getByRole('button', { name: entry, exact: true }).click();
      await expect(page.locator('.page')).toHaveAttribute('data-page', entry.toLowerCase());
      for (const scrollTop of [0, 10_000]) {
        const seen = await page.evaluate((top) => {
          const frame = document.querySelector('.page')!;
          const root = document.documentElement;
          for (const each of [frame, root]) each.scrollTo(10_000, top);
          const buttons = [...document.querySelectorAll('.motion button, .rail-entry')].filter(
            (each) => each.checkVisibility(),
          );
          return {
            wide: root.scrollLeft + frame.scrollLeft,
            long: innerHeight > 600 ? root.scrollTop : 0,
            inside: buttons.every((each) => {
              // Entries have the width of a finger: the last of them are a swipe away.
              if (each.closest('.rail')) each.scrollIntoView({ inline: 'nearest' });
              const { left, top: y, right, bottom } = each.getBoundingClientRect();
              // Scrolled to its end, a row may stand out by a part of a pixel.
              return (
                left > -0.5 && y > -0.5 && right < innerWidth + 0.5 && bottom < innerHeight + 0.5
              );
            }),
            covered: buttons
              .filter((each) => each.closest('.motion'))
              .filter((each) => {
                const { left, top: y, width, height } = each.getBoundingClientRect();
                const at = document.elementFromPoint(left + width / 2, y + height / 2);
                return !each.contains(at) && at !== each;
              }).length,
          };
        }, scrollTop);
        expect({ entry, ...seen }).toEqual({ entry, ...WHOLE });
      }
    }
    await page.getByRole('navigation').getByRole('button', { name: 'Live' }).click();
  });
}

test('keeps the button of the panel beside the remedies in a window of 320 px', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await arm.addFault({ kind: 'driver', joint: 3, fault: 'overheated' });
  const remedy = line().getByRole('button', { name: 'Clear fault and reset' });
  await expect(remedy).toBeVisible();
  const [box, more, beside] = await page.evaluate(() =>
    ['.explain', '.explain-more span', '.explain-remedies button'].map((part) =>
      document.querySelector(part)!.getBoundingClientRect().toJSON(),
    ),
  );
  expect([more.left >= box.left, more.right <= box.right]).toEqual([true, true]);
  expect(more.top).toBeLessThan(beside.bottom);
  await remedy.click();
  await expect(remedy).toBeHidden();
});

test('a touch phone has the way to the help, and hears nothing of dropped files', async ({
  browser,
}) => {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const phone = await context.newPage();
  // Nothing is loaded there, which Paths would show.
  const fresh = await startServer(['--driver', 'fast']);
  await phone.goto(`${fresh.baseUrl}/#token=${fresh.token}`);
  await expect(phone.locator('.hint p')).toHaveText(/^Run runs the loaded toolpath/);
  await phone.getByRole('button', { name: 'Help', exact: true }).tap();
  await expect(phone.getByRole('dialog', { name: 'Help' })).toBeVisible();
  await phone.keyboard.press('Escape');
  await phone.getByRole('button', { name: 'Paths', exact: true }).tap();
  await expect(phone.getByText('Open a toolpath', { exact: true })).toBeVisible();
  await expect(phone.getByText('Drop')).toHaveCount(0);
  await context.close();
  await fresh.stop();
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 720, height: 450 },
]) {
  test(`the arm stands beside the open panel of causes at ${viewport.width} px`, async () => {
    await page.setViewportSize(viewport);
    await open();
    await page.locator('.explain-more').click();
    await expect.poll(isBesidePanel).toBe(true);
    // What had the focus may go with its cause.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('Escape');
    await expect(page.locator('.explain-panel')).toBeHidden();
  });
}

test('follows the theme of the system until the user chooses one', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const root = page.locator('html');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(root).toHaveAttribute('data-theme', colorScheme);
  }
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  for (const colorScheme of ['dark', 'light'] as const) await page.emulateMedia({ colorScheme });
  await expect(root).toHaveAttribute('data-theme', 'dark');
});
