/**
 * `npm run bench [name] [-- flags]`: runs a benchmark of bench/ on the built program; `compare` runs
 * those of several commits in turns.
 */
import { existsSync, readdirSync } from 'node:fs';
import { benchCompare } from './bench-compare.mjs';
import { benchProgram } from './bench-program.mjs';
import { runInForeground } from './process.mjs';
import { ensureProgram } from './start.mjs';

const FOLDER = 'bench';

/** The benchmark file of each name: `go-to` → bench/go-to.bench.ts, `fleet` → bench/fleet.ts. */
export function benchmarks() {
  const files = readdirSync(FOLDER).filter((file) => /\.bench\.ts$|^fleet\.ts$/.test(file));
  return new Map(
    files.sort().map((file) => [file.replace(/(\.bench)?\.ts$/, ''), `${FOLDER}/${file}`]),
  );
}

/** @param {string[]} flags */
export async function bench([name, ...flags]) {
  if (name === 'compare') return (await ensureProgram()) ? benchCompare(flags) : 1;
  const known = benchmarks();
  const given = name?.replace(/^bench\//, '').replace(/(\.bench)?\.ts$/, '') ?? '';
  const path = known.get(given);
  if (path === undefined || !existsSync(path)) {
    if (name !== undefined) console.error(`Unknown benchmark ${name}.`);
    console.error(
      `usage: npm run bench <name> [-- flags]; names:\n  ${[...known.keys()].join('\n  ')}\n` +
        'or: npm run bench compare -- COMMIT [COMMIT …]',
    );
    return 2;
  }
  if (!(await ensureProgram())) return 1;
  const program = await benchProgram(process.cwd(), given);
  return program === null ? 1 : runInForeground([...program, ...flags]);
}
