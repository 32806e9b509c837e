/**
 * What it costs to rehearse many toolpaths: a slice of 1,000 variants of the pick-and-place
 * example, each with 20 variations of its cell, by `armtwin shard` on all cores; the data of
 * docs/fleets.md. Run: npm run bench rehearse -- [--json FILE]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrng } from '../physics/math/prng.ts';
import { usedByChildren_s } from './figure-table.ts';

const TOOLPATHS = 1000;
const SLICE = 20;
const VARIATIONS = 20;
/** Greatest change of a joint (rad) at the waypoints beside those where parts are gripped. */
const CHANGE_RAD = 0.02;
const SEED = 24;

interface Waypoint {
  readonly label: string;
  joints: number[];
}

/** Writes every so-manieth variant, so that the slice is spread over all. */
function writeSlice(folder: string): void {
  const text = readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8');
  const random = createPrng(SEED);
  for (let i = 0; i < TOOLPATHS; i++) {
    const toolpath = JSON.parse(text) as { readonly waypoints: Waypoint[] };
    for (const waypoint of toolpath.waypoints) {
      const change = waypoint.joints.map(() => CHANGE_RAD * (2 * random() - 1));
      if (/^(pick|place)$/.test(waypoint.label)) continue;
      waypoint.joints = waypoint.joints.map((joint, j) => joint + change[j]!);
    }
    const name = `variant-${String(i + 1).padStart(4, '0')}.json`;
    if (i % (TOOLPATHS / SLICE) === 0) writeFileSync(join(folder, name), JSON.stringify(toolpath));
  }
}

interface Rehearsed {
  readonly report: { readonly problems: readonly string[] };
  readonly variations: readonly Rehearsed[];
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-bench-'));
try {
  writeSlice(folder);
  const cores = availableParallelism();
  const cell = ['--cell', 'fixtures/cells/trays.json', '--driver', 'fast'];
  const varied = ['--variations', String(VARIATIONS)];
  const command = [
    'dist/server/main.js',
    'shard',
    String(cores),
    '--',
    'rehearse',
    folder,
    ...cell,
    ...varied,
  ];
  const used_s = usedByChildren_s();
  const start_ms = performance.now();
  const out = execFileSync(process.execPath, [...command, '--json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const wall_s = (performance.now() - start_ms) / 1000;
  const processor_s = usedByChildren_s() - used_s;
  // Each shard prints a list.
  const done = out.split(/^(?=\[)/m).flatMap((text) => JSON.parse(text) as Rehearsed[]);
  const variations = done.flatMap((one) => one.variations);
  const worked = variations.filter(({ report }) => report.problems.length === 0).length;
  const date = new Date().toISOString().slice(0, 10);
  const figures = { toolpaths: done.length, variations: variations.length, worked };
  const costs = { ...figures, processor_s, wall_s, cores, date };
  console.log(
    `${done.length} toolpaths, ${variations.length} variations, of which ${worked} worked: ` +
      `${processor_s.toFixed(1)} s of processor time, ${wall_s.toFixed(1)} s on ${cores} cores, ` +
      `machine load ${loadavg()[0]!.toFixed(1)}`,
  );
  const at = process.argv.indexOf('--json');
  const path = process.argv[at + 1];
  if (at > 0 && path) writeFileSync(path, `${JSON.stringify(costs, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
