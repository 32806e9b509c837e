#!/usr/bin/env node
/**
 * Compares the kinematics with an oracle in numpy, over random arms of the arrangement with spherical
 * and offset wrists: `node --import tsx tools/random-arms.mjs [ARMS]`. A process has one arm, so the
 * kinematics are bundled, and run anew for each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'vite';

const { randomArm } = await import('../arms/random-arm.cases.ts');
const { createPrng } = await import('../physics/math/prng.ts');

const ARMS = Number(process.argv[2] ?? 10_000);
const root = fileURLToPath(new URL('..', import.meta.url));

/** The kinematics of the arm in `globalThis.arm`, as a script. */
async function kinematicsScript() {
  const entry = `
    import { createFrames, forward, FLANGE_FRAME } from '${root}physics/kinematics/forward.ts';
    import { allSolutions, SOLUTIONS_MAX, searchStatus } from '${root}physics/kinematics/solution-search.ts';
    import { FLANGE_TOOL } from '${root}physics/kinematics/tool.ts';
    export const pose = (q) => {
      const frames = createFrames();
      forward(q, frames);
      return frames.slice(12 * FLANGE_FRAME, 12 * FLANGE_FRAME + 12);
    };
    export const all = (goal, near) => {
      const out = new Float64Array(6 * SOLUTIONS_MAX);
      const count = allSolutions(goal, FLANGE_TOOL, near, out);
      const found = Array.from({ length: count }, (_, i) => Array.from(out.slice(6 * i, 6 * i + 6)));
      return { found, continuum: searchStatus.continuum || searchStatus.exhausted > 0 };
    };`;
  const given = 'export const givenArm = () => globalThis.arm;';
  const sources = { '\0entry': entry, '\0given': given };
  const [{ output }] = [
    await build({
      configFile: false,
      logLevel: 'error',
      plugins: [
        {
          name: 'arm-of-the-script',
          enforce: 'pre',
          resolveId: (/** @type {string} */ source) =>
            source.endsWith('random-arms-entry')
              ? '\0entry'
              : source.endsWith('/given-arm.ts')
                ? '\0given'
                : null,
          load: (/** @type {keyof typeof sources} */ id) => sources[id] ?? null,
        },
      ],
      build: {
        write: false,
        minify: false,
        target: 'node20',
        lib: { entry: 'random-arms-entry', formats: ['iife'], name: 'kinematics' },
      },
    }),
  ].flat();
  return new Script(`${output[0].code}\nkinematics`);
}

/** Joint angles of an arm: anywhere, at a wrist that is singular, or at the ends of ranges. */
function anglesOf(arm, kind, random) {
  return arm.chain.joints.map(({ software_limit_rad: [low, high], zero_rad = 0 }, j) => {
    if (kind === 'singular' && j === 4) return 0 - zero_rad;
    if (kind === 'limit' && j % 2 === 0) return random() < 0.5 ? low : high;
    return low + (high - low) * random();
  });
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-arms-'));
const file = join(folder, 'arms.jsonl');
const script = await kinematicsScript();
const kinds = ['free', 'free', 'free', 'singular', 'limit'];
const lines = Array.from({ length: ARMS }, (_, seed) => {
  const arm = randomArm(seed);
  globalThis.arm = { name: 'random', arm, fingerprint: String(seed) };
  const { pose, all } = script.runInThisContext();
  const q = anglesOf(arm, kinds[seed % kinds.length], createPrng(seed + 1e6));
  const goal = pose(Float64Array.from(q));
  const { chain, flange } = arm;
  const answer = all(goal, Float64Array.from(q));
  return JSON.stringify({ seed, chain, flange, q, pose: Array.from(goal), ...answer });
});
writeFileSync(file, lines.join('\n'));
const oracle = fileURLToPath(new URL('random-arms/oracle.py', import.meta.url));
const child = spawn('python3', [oracle, file], { stdio: 'inherit' });
const [code] = await once(child, 'close');
rmSync(folder, { recursive: true });
process.exitCode = code;
