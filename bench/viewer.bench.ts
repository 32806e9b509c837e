/**
 * Costs of the page against their goals: first useful rendering, bytes until the Live page shows
 * the arm, draw calls and triangles with ten zones and a path of 5,000 points, and planning in the
 * browser against planning in Node. Run: npm run build && npm run bench viewer
 * [loads]. The browser is ARMTWIN_BROWSER or that of Playwright; without a graphics processor
 * rendering is slow, which the first line reports.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { AvoidanceZone, Toolpath } from '../contract/types.generated.ts';
import { startTwinProcess, TOKEN } from '../e2e/robustness/twin-process.ts';
import { openToolpath } from '../viewer/toolpath/open-toolpath.ts';

const PAGE = fileURLToPath(new URL('../dist/viewer/', import.meta.url));
const PATH = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const SOFTWARE = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const VIEWPORT = { width: 1440, height: 900 };
const LOADS = Number(process.argv[2] ?? 5);
const BUILDS = 7;
const ZONES = 10;
const POINTS = 5000;
const TIMEOUT_MS = 120_000;
const LOOK_MS = 50;

declare global {
  interface Window {
    /** Time when the panels first show the robot state (ms after navigation start). */
    firstNumbers_ms: number;
    /** Time when the robot pose is first drawn (ms after navigation start). */
    firstPicture_ms: number;
    /** Duration of a build and number of path points, from the build worker. */
    builds: { took_ms: number; points: number }[];
  }
}

/** Records the first rendering and the worker messages; runs before the page scripts. */
function watch(): void {
  window.firstNumbers_ms = 0;
  window.firstPicture_ms = 0;
  window.builds = [];
  // Functions are anonymous, because the bundler names functions by a helper missing in the page.
  const timer = setInterval(() => {
    const { armtwin } = window;
    const shown = document.querySelector('.pill')?.textContent === 'Ready';
    if (shown) window.firstNumbers_ms ||= performance.now();
    if (!shown || armtwin?.state() !== 'ready' || armtwin.frames() === 0) return;
    window.firstPicture_ms = performance.now();
    clearInterval(timer);
  }, 5);
  const Plain = Worker;
  window.Worker = class extends Plain {
    constructor(...args: ConstructorParameters<typeof Plain>) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (data?.kind !== 'opened') return;
        window.builds.push({ took_ms: data.took_ms, points: data.way.track.count });
      });
    }
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Compressed bytes of everything that the Live page loads, and of three alone. */
function weight(): { readonly whole: number; readonly three: number } {
  const read = (name: string) => readFileSync(`${PAGE}${name}`);
  const html = read('index.html').toString();
  const named = [...html.matchAll(/(?:src|href)="\.?\/(assets\/[^"]+)"/g)].map(([, name]) => name!);
  const inner = named.flatMap((name) => [
    ...read(name)
      .toString('latin1')
      .matchAll(/inter-[\w-]+\.woff2|mesh-worker-[\w-]+\.js/g),
  ]);
  const names = new Set([...named, ...inner.map(([name]) => `assets/${name}`)]);
  const sizes = [...names].map((name) => [name, gzipSync(read(name)).length] as const);
  const three = sizes.find(([name]) => name.includes('three'))?.[1] ?? 0;
  return { whole: sizes.reduce((sum, [, size]) => sum + size, gzipSync(html).length), three };
}

/** A toolpath with ten zones and alternating moves until its path has enough points. */
function longToolpath(): Toolpath {
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const [zone] = toolpath.metadata.avoidance_zones!;
  toolpath.metadata.avoidance_zones = Array.from({ length: ZONES }, (_, i): AvoidanceZone => {
    const position = { ...zone!.position, y: -0.6 + i * 0.12 };
    const kind = i % 2 === 0 ? 'inside' : 'outside';
    const inside: AvoidanceZone = { ...zone!, name: `Zone ${i}`, position, avoid: kind };
    const outside = { x: -1, y: -1, z: 0 };
    const size = { x: 2, y: 2, z: 2 };
    return kind === 'inside' ? inside : { ...inside, position: outside, dimensions: size };
  });
  const [home] = toolpath.timeline;
  toolpath.timeline = [home!];
  for (let i = 0; i < 60; i++) {
    for (const waypoint_id of [4, 6, 4, 0]) {
      toolpath.timeline.push({ type: 'trajectory', trajectory: 'joint_space', waypoint_id });
    }
  }
  return toolpath;
}

/** Polls the page until it returns a value; its policy forbids waitForFunction. */
async function until<Value>(page: Page, expression: () => Value): Promise<Value> {
  for (let since_ms = performance.now(); ; ) {
    const value = (await page.evaluate(expression)) as Value;
    if (value) return value;
    if (performance.now() - since_ms > TIMEOUT_MS)
      throw new Error(`the page has no value of ${expression} after the timeout`);
    await page.waitForTimeout(LOOK_MS);
  }
}

async function freshPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.addInitScript(watch);
  return page;
}

/** Time until the panels show the state and the arm is drawn, without a cache (ms). */
async function firstPicture(browser: Browser, url: string) {
  const page = await freshPage(browser);
  await page.goto(`${url}/#token=${TOKEN}`);
  const drawn_ms = await until(page, () => window.firstPicture_ms);
  const shown_ms = await page.evaluate(() => window.firstNumbers_ms);
  await page.close();
  return { shown_ms, drawn_ms };
}

async function drop(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'long.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Builds in page and process alternately, so that other load affects both. */
async function builds(page: Page, text: string) {
  const [there, here]: [number[], number[]] = [[], []];
  let points = 0;
  for (let i = 0; i < BUILDS; i++) {
    await drop(page, text);
    const built = (await until(page, () => window.builds.pop() ?? null))!;
    there.push(built.took_ms);
    points = built.points;
    const since_ms = performance.now();
    const opened = openToolpath(text);
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    opened.value.preview.path({});
    here.push(performance.now() - since_ms);
  }
  return { there: median(there), here: median(here), points };
}

function report(what: string, value: string, goal: string): void {
  console.log(`${what.padEnd(44)}${value.padStart(12)}   goal ${goal}`);
}

const path = process.env['ARMTWIN_BROWSER'];
const browser = await chromium.launch({ args: SOFTWARE, ...(path && { executablePath: path }) });
const server = await startTwinProcess(['--driver', 'fast']);
try {
  const firsts: { readonly shown_ms: number; readonly drawn_ms: number }[] = [];
  for (let i = 0; i < LOADS; i++) firsts.push(await firstPicture(browser, server.url));
  const shown_ms = median(firsts.map((first) => first.shown_ms));
  const drawn_ms = median(firsts.map((first) => first.drawn_ms));
  report('first numbers in the panels', `${shown_ms.toFixed(0)} ms`, '');
  report('first useful picture, software graphics', `${drawn_ms.toFixed(0)} ms`, '1000 ms');
  const { whole, three } = weight();
  report('live view, compressed', `${(whole / 1000).toFixed(1)} kB`, '250 kB');
  report('  three within it', `${(three / 1000).toFixed(1)} kB`, 'split out');
  const page = await freshPage(browser);
  // Signed in: the scene shows the arm and the ghost of the plan.
  await page.goto(`${server.url}/#token=${TOKEN}`);
  await until(page, () => window.armtwin?.cost().triangles);
  const text = JSON.stringify(longToolpath());
  const { there, here, points } = await builds(page, text);
  // The detailed meshes of arm and ghost are loaded when two samples a second apart are equal.
  const cost = () => page.evaluate(() => window.armtwin.cost());
  for (let last = 0, now = 1; last !== now; ) {
    await page.waitForTimeout(2000);
    [last, now] = [now, (await cost()).triangles];
  }
  const { calls, triangles } = await cost();
  report(`draw calls, ${ZONES} zones, ${points} points`, `${calls}`, '60');
  report('triangles, shadows included', `${triangles}`, '150000');
  report(`planning ${points} points in the browser`, `${there.toFixed(0)} ms`, '');
  report('  the same in Node', `${here.toFixed(0)} ms`, '');
  report('  browser / Node', (there / here).toFixed(2), '1.50');
  if (points < POINTS) throw new Error(`a path of ${points} points is too short`);
} finally {
  await browser.close();
  await server.stop();
}
