/**
 * Memory growth of the page in an hour of streaming: the built twin runs a toolpath in a loop on a
 * fast clock until the page has received as many messages as an hour at 50 Hz. At each tenth, after
 * garbage collection, the benchmark reads everything that could grow. Run: npm run build && npm run
 * bench -- bench/viewer-memory.bench.ts [messages] [pace] [page]. `page` is the label of a page in
 * the navigation; the browser is ARMTWIN_BROWSER or that of Playwright.
 */
import { readFileSync } from 'node:fs';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { ArmClient } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { startTwinProcess, TOKEN } from '../e2e/robustness/twin-process.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const PATIENCE_MS = 120_000;
const LOOK_MS = 200;
const TENTHS = 10;
const HOUR_S = 3600;
const STREAM_HZ = 50;
const SOFTWARE = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

const target = Number(process.argv[2] ?? HOUR_S * STREAM_HZ);
const pace = Number(process.argv[3] ?? 20);
const word = process.argv[4];

declare global {
  interface Window {
    /** Stream messages so far, counted by this benchmark. */
    streamed: number;
  }
}

/** Sizes of everything that could grow, after garbage collection. */
interface Reading {
  readonly messages: number;
  readonly heap_kb: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly geometries: number;
  readonly textures: number;
}

async function startRun(arm: ArmClient): Promise<void> {
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: 'Pick and place', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.run({ mode: 'automatic', loop: 0 });
  await arm.setClock({ pace });
}

/** Counts every message of the web socket. */
function countMessages(): void {
  window.streamed = 0;
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...args: ConstructorParameters<typeof Plain>) {
      super(...args);
      this.addEventListener('message', () => window.streamed++);
    }
  };
}

async function read(page: Page, session: CDPSession): Promise<Reading> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  const { geometries, textures } = await page.evaluate(() => window.armtwin.cost());
  return {
    messages: await page.evaluate(() => window.streamed),
    heap_kb: Math.round(of('JSHeapUsedSize') / 1000),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    geometries,
    textures,
  };
}

async function measure(page: Page): Promise<readonly Reading[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const readings = [await read(page, session)];
  console.log(line(Object.keys(readings[0]!)));
  console.log(line(Object.values(readings[0]!)));
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    const due = readings[0]!.messages + (target * tenth) / TENTHS;
    while ((await page.evaluate(() => window.streamed)) < due) await page.waitForTimeout(LOOK_MS);
    readings.push(await read(page, session));
    console.log(line(Object.values(readings.at(-1)!)));
  }
  return readings;
}

function line(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).padStart(11)).join('');
}

/** Growth of a linear fit from the first reading to the last. */
function trend(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [up, across] = values.reduce(
    ([a, b], value, i) => [a + (i - middle) * (value - mean), b + (i - middle) ** 2],
    [0, 0],
  );
  return (up / across) * (values.length - 1);
}

const path = process.env['ARMTWIN_BROWSER'];
const browser = await chromium.launch({ args: SOFTWARE, ...(path && { executablePath: path }) });
const server = await startTwinProcess(['--driver', 'fast']);
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 420 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(countMessages);
  await page.goto(`${server.url}/#token=${TOKEN}`);
  await page.getByRole('button', { name: 'Run' }).waitFor();
  if (word) await page.getByRole('button', { name: word }).click();
  await startRun(server.arm);
  const began_ms = performance.now();
  // The ring buffers of plots and log fill in the first tenth; later growth is a leak.
  const settled = (await measure(page)).slice(1);
  const grown = (of: (reading: Reading) => number) => Math.round(trend(settled.map(of)));
  const took_s = Math.round((performance.now() - began_ms) / 1000);
  console.log(`${target} messages in ${took_s} s; from the first tenth to the last:`);
  console.log(`heap ${grown((one) => one.heap_kb)} kB, nodes ${grown((one) => one.nodes)}`);
} finally {
  await browser.close();
  await server.stop();
}
