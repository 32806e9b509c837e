/**
 * Vite build of the program: few large modules in place of hundreds of small ones, which halves the
 * time that a start spends on imports. Packages stay outside. Each entry keeps the path of its
 * source below dist/; what several of them need is in dist/chunks.
 */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import { defineConfig, type Plugin } from 'vite';
import { ROUTES } from '../contract/routes.ts';
import { type SchemaId, schemaAddress } from '../contract/schemas.ts';
import { createCompiler } from '../contract/validator.ts';
import { kernelsAhead } from '../physics/kernels.config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const ENTRIES = [
  // The command and its threads.
  'server/main',
  'server/app/run-worker',
  'server/app/trial-process',
  'server/cli/commands/toolpath-report',
  'server/documents/document-worker',
  'server/planning/plan-worker',
  'server/rehearse-worker',
  // What package.json exports.
  'server/index',
  'contract/client',
  'contract/webhook-receiver',
  'testing/index',
  // What the tools and tests of a clone run.
  'contract/errors',
  'contract/routes',
  'conformance/catalogue',
  'conformance/allowed-page',
  'conformance/deviations',
  'conformance/runner',
  'conformance/unproven',
  'contract/schemas',
  'server/cli/commands/raw-tcp',
  'physics/math/portable',
  'testing/demo',
];

const COMPILER = 'ajv/dist/2020.js';
const LAZY_COMPILER = '\0lazy-compiler';
const THREAD = /threadFile\(import\.meta\.url, '([^']+)'\)/g;
const PLACE = /__placeOf\("([^"]+)"\)/g;

/**
 * A module in a chunk finds files (threads, fixtures, the viewer) from the place that it would have
 * by itself.
 */
const ownPlaces: Plugin = {
  name: 'own-places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const place = relative(root, id).replace(/\.ts$/, '.js');
    for (const [, name] of code.matchAll(THREAD)) {
      const thread = join(dirname(place), name!);
      if (!ENTRIES.includes(thread)) throw new Error(`${thread} is a thread, but no entry`);
    }
    return code.replaceAll('import.meta.url', `__placeOf(${JSON.stringify(place)})`);
  },
  renderChunk(code, { fileName }) {
    return code.replace(PLACE, (_, place: string) => {
      const from = JSON.stringify(relative(dirname(fileName), place));
      return `new URL(${from}, import.meta.url).href`;
    });
  },
};

/** What V8 stores with one byte a character: a single other one doubles the memory of a module. */
const WIDE = /(?<!\\)[^\0-\xff]/g;
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes wide characters, of which the texts for people have a few: a bundle of 2 MB is then read
 * faster and takes half of the memory.
 */
const narrowText: Plugin = {
  name: 'narrow-text',
  // After Vite's own printer, which writes them out again.
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk') part.code = part.code.replace(WIDE, escaped);
      }
    },
  },
};

/** Schemas whose validators the build compiles: of files, and of all bodies of requests. */
const AHEAD = [
  ...new Set(['Cell', 'Toolpath', ...ROUTES.flatMap((row) => ('body' in row ? row.body : []))]),
];
const HOOK = /^const compiledAhead = .*;$/m;

/**
 * Validators as files, one for each schema, read on their first use: to compile the schema of a
 * cell takes longer than to start a process. The compiler itself is loaded when something else
 * needs it.
 */
const checksAhead: Plugin = {
  name: 'checks-ahead',
  enforce: 'pre',
  resolveId: (id) => (id === COMPILER ? LAZY_COMPILER : null),
  load: (id) =>
    id === LAZY_COMPILER
      ? `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export function Ajv2020(options) {
  const { Ajv2020: Compiler } = require(${JSON.stringify(COMPILER)});
  return new Compiler(options);
}`
      : null,
  transform(code, id) {
    if (relative(root, id) !== 'contract/validator.ts') return null;
    if (!HOOK.test(code)) throw new Error('contract/validator.ts has no line for its validators');
    return code.replace(
      HOOK,
      `import { createRequire } from 'node:module';
const requireCheck = createRequire(import.meta.url);
const ahead = new Set(${JSON.stringify(AHEAD)});
const compiledAhead = (id) => (ahead.has(id) ? requireCheck('./checks/' + id + '.cjs') : null);`,
    );
  },
  generateBundle() {
    const compiler = createCompiler('all', true);
    for (const id of AHEAD) {
      const check = compiler.getSchema(schemaAddress(id as SchemaId));
      const source = standalone.default(compiler, check!);
      this.emitFile({ type: 'asset', fileName: `contract/checks/${id}.cjs`, source });
    }
  },
};

export default defineConfig({
  root,
  publicDir: false,
  plugins: [checksAhead, kernelsAhead, ownPlaces, narrowText],
  // Text of JSON.parse, which engines read faster than an object literal.
  json: { namedExports: false, stringify: true },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, `${root}/${name}.ts`])),
      external: (id) => id !== COMPILER && !/^[.\0]/.test(id) && !isAbsolute(id),
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // The engine folds the value of a `const` into code that it compiles, never that of a `var`.
        topLevelVar: false,
      },
    },
  },
});
