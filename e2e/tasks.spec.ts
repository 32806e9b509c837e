/**
 * The seven tasks of a first-time user with the mouse, clicks counted, with the keyboard only and
 * reduced motion, and with a finger on a phone. Each is judged by the twin and not by what the page
 * says.
 */
import { expect as baseExpect, type Locator, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { skipRasterization } from './plan-page.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });
const MOVED_RAD = 0.05;
/** The longest way by Tab from where the focus is. */
const TABS_MAX = 400;

// What cannot be pressed is named, before the time of the test is over.
test.use({ trace: 'off', actionTimeout: 30_000 });
test.describe.configure({ mode: 'serial', timeout: 300_000 });

/** A toolpath that passes through a zone on its way. */
const COLLIDING: Toolpath = {
  metadata: {
    version: 2,
    default_max_speed: 0.25,
    payload: 0,
    next_label_id: 2,
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    avoidance_zones: [
      {
        name: 'Balance',
        avoid: 'inside',
        position: { x: 0.2, y: -0.05, z: 0 },
        orientation: { w: 1, x: 0, y: 0, z: 0 },
        dimensions: { x: 0.2, y: 0.1, z: 0.42 },
      },
    ],
  },
  timeline: [
    { type: 'home', waypoint_id: 0 },
    { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 },
  ],
  waypoints: [
    { label_id: 0, joints: [-0.9, 0.2, -1.9, 0, -1.4, 0] },
    { label_id: 1, joints: [0.9, 0.2, -1.9, 0, -1.4, 0] },
  ],
} as unknown as Toolpath;

interface Hand {
  /** Clicks or key presses that carried something out. */
  count: number;
  press(target: Locator): Promise<void>;
}

/** A finger that counts its taps. */
function finger(): Hand {
  return {
    count: 0,
    async press(target) {
      await target.tap();
      this.count++;
    },
  };
}

/** A mouse that counts its clicks. */
function mouse(): Hand {
  return {
    count: 0,
    async press(target) {
      await target.click();
      this.count++;
    },
  };
}

/** A keyboard: the way to each target is Tab alone. */
function keyboard(page: Page): Hand {
  return {
    count: 0,
    async press(target) {
      await expect(target).toBeEnabled();
      const isThere = () => target.evaluate((one) => one === document.activeElement);
      for (let tabs = 0; tabs < TABS_MAX && !(await isThere()); tabs++) {
        await page.keyboard.press('Tab');
      }
      await expect(target).toBeFocused();
      await page.keyboard.press('Enter');
      this.count++;
    },
  };
}

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Who does the tasks, and on what. */
const HANDS = [
  ['mouse', mouse, { ...DESKTOP, reducedMotion: 'no-preference' }],
  ['keyboard', keyboard, { ...DESKTOP, reducedMotion: 'reduce' }],
  ['finger', finger, PHONE],
] as const;

for (const [kind, take, screen] of HANDS) {
  test.describe(`with the ${kind}`, () => {
    let server: Server;
    let arm: ArmClient;
    let page: Page;
    let hand: Hand;
    const errors: string[] = [];

    test.beforeAll(async ({ browser }) => {
      server = await startServer(['--driver', 'fast']);
      arm = connect({ baseUrl: server.baseUrl, token: server.token });
      page = await browser.newPage(screen);
      await skipRasterization(page);
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${server.baseUrl}/#token=${server.token}`);
    });

    test.beforeEach(() => {
      hand = take(page);
    });

    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form of a fixture
    test.afterEach(({}, { title, status }) => {
      if (status === 'passed') console.log(`${title}: ${hand.count} with the ${kind}`);
    });

    test.afterAll(async () => {
      await page?.close();
      await server?.stop();
    });

    const joints = async () => (await arm.getSnapshot()).snapshot['servos.telemetry.position'];
    const control = async () => (await arm.getSnapshot()).snapshot.control;
    const rail = (name: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true });

    async function expectMotion(): Promise<void> {
      const before = await joints();
      await expect
        .poll(async () => {
          const now = await joints();
          return Math.max(...now.map((angle, j) => Math.abs(angle - before[j]!)));
        })
        .toBeGreaterThan(MOVED_RAD);
    }

    test('sees the arm move: 1', async () => {
      await hand.press(page.getByRole('button', { name: 'Run “Pick and place”' }).first());
      await expectMotion();
      expect(hand.count).toBe(1);
      await expect.poll(async () => (await control()).state).toBe('ready');
    });

    test('sees planned against run: at most 2', async () => {
      await hand.press(rail('Paths'));
      await hand.press(page.getByRole('button', { name: /^Replay Run 1 / }));
      await expect(page.locator('.program-name')).toHaveText('Run 1 of Pick and place');
      await expect(page.getByRole('region', { name: 'Runs' })).toContainText(/[\d.]+ mm off/);
      expect(hand.count).toBeLessThanOrEqual(2);
      await page.goto(`${server.baseUrl}/#live`);
    });

    test('gets a report: at most 2', async () => {
      await hand.press(rail('Paths'));
      const download = page.waitForEvent('download');
      await hand.press(page.getByRole('button', { name: /^Report of Run 1 / }));
      expect((await download).suggestedFilename()).toMatch(/\.html$/);
      expect(hand.count).toBeLessThanOrEqual(2);
    });

    test('teaches three waypoints with a zone and runs them: at most 8', async () => {
      await arm.removeCell();
      await hand.press(rail('Teach'));
      // The sample is open here as on Paths.
      const toolpaths = page.locator('[data-of="teach"].program');
      await hand.press(toolpaths.locator('.program-title'));
      await hand.press(toolpaths.getByRole('button', { name: 'New toolpath' }));
      const poses = [
        [0, 10, -90, 0, -80],
        [30, 10, -90, 0, -80],
        [30, -10, -90, 0, -80],
      ];
      for (const pose of poses) {
        // Typed, as dragging is: a gesture, and no click.
        for (const [joint, angle] of pose.entries()) {
          const field = page.getByLabel(`Joint ${joint + 1} (°)`);
          await field.fill(String(angle));
          await field.press('Enter');
        }
        await hand.press(page.getByRole('button', { name: 'Add waypoint' }));
      }
      await hand.press(page.getByRole('button', { name: 'Add zone' }));
      await hand.press(page.getByRole('button', { name: /^Load and run “New toolpath”/ }));
      await expect.poll(async () => (await control()).toolpath_name).toBe('New toolpath');
      await expectMotion();
      await expect.poll(async () => (await control()).state).toBe('ready');
      expect((await control()).loop_count).toBe(1);
      expect(hand.count).toBeLessThanOrEqual(8);
    });

    test('finds and fixes a collision: at most 3', async () => {
      await arm.createToolpath({ name: 'Colliding', toolpath: COLLIDING });
      await page.goto(`${server.baseUrl}/#live`);
      await page.reload();
      await page.locator('.explain').waitFor();
      await hand.press(rail('Paths'));
      await page.getByLabel('Find toolpath').waitFor();
      await hand.press(page.getByRole('button', { name: 'Colliding', exact: true }));
      const remedy = page.locator('.card-remedies button').first();
      await hand.press(remedy);
      await expect(page.locator('.program-count')).toBeHidden();
      await expect(page.getByRole('button', { name: /^Load and run/ })).toBeEnabled();
      expect(hand.count).toBeLessThanOrEqual(3);
    });

    test('injects a fault and sees its cause: at most 3', async () => {
      await hand.press(rail('Simulation'));
      await hand.press(page.locator('.situation', { hasText: 'Drive fails' }));
      await expect.poll(async () => (await arm.listFaults()).faults.length).toBe(1);
      await expect(page.locator('.explain .explain-row')).toContainText(
        /Stopped for 0:\d\d: J\d .*injected/,
      );
      expect(hand.count).toBeLessThanOrEqual(3);
      await arm.clearFaults();
      await arm.takeLock().catch(() => undefined);
      await arm.resetErrors();
    });

    test('runs a workflow with a moving arm: at most 2', async () => {
      await arm.releaseLock().catch(() => undefined);
      await hand.press(rail('Workflow'));
      await hand.press(page.getByRole('button', { name: 'Run a sample with the arm' }));
      await expectMotion();
      expect(hand.count).toBeLessThanOrEqual(2);
      expect((await arm.listRuns()).runs[0]?.state).toBe('started');
      expect(errors).toEqual([]);
    });
  });
}
