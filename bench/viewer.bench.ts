/**
 * What the page costs, against its goals: the first useful picture, bytes until the live view
 * shows, draw calls and triangles with ten zones and a path of 5,000 points, and planning in the
 * browser against planning in Node.
 *
 *   npm run build && npm run bench -- bench/viewer.bench.ts [loads]
 *
 * The browser is ARMTWIN_BROWSER or Playwright's own; without a graphics processor its pictures
 * come late, which the first line says.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { AvoidanceZone, Toolpath } from '../contract/types.ts';
import { startProgram, TOKEN } from '../e2e/hard/program.ts';
import { openToolpath } from '../viewer/toolpath/open-toolpath.ts';

const PAGE = fileURLToPath(new URL('../dist/viewer/', import.meta.url));
const PATH = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const SOFTWARE = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const VIEWPORT = { width: 1440, height: 900 };
const LOADS = Number(process.argv[2] ?? 5);
const BUILDS = 7;
const ZONES = 10;
const POINTS = 5000;
const PATIENCE_MS = 120_000;
const LOOK_MS = 50;

declare global {
  interface Window {
    /** When the panels first told the robot's state (ms after the navigation began). */
    firstNumbers_ms: number;
    /** When the robot's pose was first drawn (ms after the navigation began). */
    firstPicture_ms: number;
    /** What the build worker said: how long a build took, and how many points its path has. */
    builds: { took_ms: number; points: number }[];
  }
}

/** Notes when the first picture is drawn, and what the workers say; runs before the page does. */
function watch(): void {
  window.firstNumbers_ms = 0;
  window.firstPicture_ms = 0;
  window.builds = [];
  // No function here has a name: its bundler would name it by a helper that the page has not.
  const timer = setInterval(() => {
    const { armtwin } = window;
    const told = document.querySelector('.pill')?.textContent === 'Ready';
    if (told) window.firstNumbers_ms ||= performance.now();
    if (!told || armtwin?.state() !== 'ready' || armtwin.frames() === 0) return;
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

/** Bytes, compressed, of everything that the live view needs, and of three within it. */
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

/** A toolpath with ten zones, and moves to and fro until its path has enough points. */
function longToolpath(): Toolpath {
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const [zone] = toolpath.metadata.avoidance_zones!;
  toolpath.metadata.avoidance_zones = Array.from({ length: ZONES }, (_, i): AvoidanceZone => {
    const position = { ...zone!.position, y: -0.6 + i * 0.12 };
    const kind = i % 2 === 0 ? 'inside' : 'outside';
    const inside: AvoidanceZone = { ...zone!, name: `Zone ${i}`, position, avoid: kind };
    const room = { x: -1, y: -1, z: 0 };
    const size = { x: 2, y: 2, z: 2 };
    return kind === 'inside' ? inside : { ...inside, position: room, dimensions: size };
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

/** Asks the page until it says something; its policy forbids the evaluation of waitForFunction. */
async function until<Value>(page: Page, ask: () => Value): Promise<Value> {
  for (let since_ms = performance.now(); ; ) {
    const said = (await page.evaluate(ask)) as Value;
    if (said) return said;
    if (performance.now() - since_ms > PATIENCE_MS) throw new Error(`the page never says: ${ask}`);
    await page.waitForTimeout(LOOK_MS);
  }
}

async function freshPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(watch);
  return page;
}

/** Milliseconds until the panels tell the state and the arm is drawn, with nothing cached. */
async function firstPicture(browser: Browser, url: string) {
  const page = await freshPage(browser);
  await page.goto(`${url}/#token=${TOKEN}`);
  const drawn_ms = await until(page, () => window.firstPicture_ms);
  const told_ms = await page.evaluate(() => window.firstNumbers_ms);
  await page.close();
  return { told_ms, drawn_ms };
}

async function drop(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'long.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Builds in page and process by turns, so that whatever else runs here hits both. */
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
    opened.value.preview.way({});
    here.push(performance.now() - since_ms);
  }
  return { there: median(there), here: median(here), points };
}

function tell(what: string, value: string, goal: string): void {
  console.log(`${what.padEnd(44)}${value.padStart(12)}   goal ${goal}`);
}

const path = process.env['ARMTWIN_BROWSER'];
const browser = await chromium.launch({ args: SOFTWARE, ...(path && { executablePath: path }) });
const server = await startProgram(['--driver', 'fast']);
try {
  const firsts: { readonly told_ms: number; readonly drawn_ms: number }[] = [];
  for (let i = 0; i < LOADS; i++) firsts.push(await firstPicture(browser, server.url));
  const told_ms = median(firsts.map((first) => first.told_ms));
  const drawn_ms = median(firsts.map((first) => first.drawn_ms));
  tell('first numbers in the panels', `${told_ms.toFixed(0)} ms`, '');
  tell('first useful picture, software graphics', `${drawn_ms.toFixed(0)} ms`, '1000 ms');
  const { whole, three } = weight();
  tell('live view, compressed', `${(whole / 1000).toFixed(1)} kB`, '250 kB');
  tell('  three within it', `${(three / 1000).toFixed(1)} kB`, 'split out');
  const page = await freshPage(browser);
  // Signed in: the arm stands there besides the ghost of the plan.
  await page.goto(`${server.url}/#token=${TOKEN}`);
  await until(page, () => window.armtwin?.cost().triangles);
  const text = JSON.stringify(longToolpath());
  const { there, here, points } = await builds(page, text);
  // The finer shells of arm and ghost have come when two looks a second apart are alike.
  const cost = () => page.evaluate(() => window.armtwin.cost());
  for (let last = 0, now = 1; last !== now; ) {
    await page.waitForTimeout(2000);
    [last, now] = [now, (await cost()).triangles];
  }
  const { calls, triangles } = await cost();
  tell(`draw calls, ${ZONES} zones, ${points} points`, `${calls}`, '60');
  tell('triangles, shadows included', `${triangles}`, '150000');
  tell(`planning ${points} points in the browser`, `${there.toFixed(0)} ms`, '');
  tell('  the same in Node', `${here.toFixed(0)} ms`, '');
  tell('  browser / Node', (there / here).toFixed(2), '1.50');
  if (points < POINTS) throw new Error(`a path of ${points} points is too short`);
} finally {
  await browser.close();
  await server.stop();
}
