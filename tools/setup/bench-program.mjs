/**
 * A benchmark as a program: bundled with the options of the program itself, so that its figures are
 * those of what users run. A bundle optimises differently from single modules: constants at the top
 * level of a module, calls between modules.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRAM = 'server/vite.config.ts';
/** Beside dist/, so that the files which the program finds from its own place are found. */
const BUNDLE = 'dist.bench';

/** The file of a benchmark in a tree: `go-to` → bench/go-to.bench.ts, `fleet` → bench/fleet.ts. */
function sourceOf(/** @type {string} */ tree, /** @type {string} */ name) {
  const files = [`bench/${name}.bench.ts`, `bench/${name}.ts`];
  return files.find((file) => existsSync(resolve(tree, file)));
}

/**
 * Files of bench/ keep the place of their source, from which they find the built program and their
 * helpers; the program's own plugin has given them one in the bundle by then.
 * @param {string} tree
 */
function placesOf(tree) {
  const place = /__placeOf\("(bench\/[^"]+)\.js"\)/g;
  return {
    name: 'places-of-benchmarks',
    /** @type {'pre'} */ enforce: 'pre',
    transform(/** @type {string} */ code) {
      return code.replace(place, (_, /** @type {string} */ name) =>
        JSON.stringify(pathToFileURL(resolve(tree, `${name}.ts`)).href),
      );
    },
  };
}

/**
 * Bundles the benchmark `name` of the sources in the folder `tree` with the bundler and the options
 * of that tree. Returns the arguments for Node, to be run in `tree`; null when it has no such
 * benchmark. A tree from before there was a bundle shipped its modules one by one, and its
 * benchmarks run so.
 * @param {string} tree
 * @param {string} name
 */
export async function benchProgram(tree, name) {
  const source = sourceOf(tree, name);
  if (source === undefined) return null;
  if (!existsSync(resolve(tree, PROGRAM))) return ['--import', 'tsx', source];
  const bundler = resolve(tree, 'node_modules/vite/dist/node/index.js');
  const { build } = await import(pathToFileURL(bundler).href);
  const entry = source.replace(/\.ts$/, '');
  await build({
    configFile: resolve(tree, PROGRAM),
    logLevel: 'error',
    plugins: [placesOf(tree)],
    build: {
      outDir: resolve(tree, BUNDLE),
      rolldownOptions: { input: { [entry]: resolve(tree, source) } },
    },
  });
  return [`${BUNDLE}/${entry}.js`];
}
