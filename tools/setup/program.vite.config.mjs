/**
 * Vite build of the program: few large modules in place of hundreds of small ones, which halves the
 * time that a start spends on imports. Packages stay outside. Each entry keeps the path of its
 * source below dist/; what several of them need is in dist/chunks.
 */
import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const ENTRIES = [
  // The command and its threads.
  'server/main',
  'server/app/run-worker',
  'server/cli/commands/toolpath-report',
  'server/documents/document-worker',
  'server/planning/plan-worker',
  // What package.json exports.
  'server/index',
  'contract/client',
  'contract/webhook-receiver',
  'testing/index',
  // What the tools of a clone run.
  'contract/rules/catalogue',
  'contract/rules/data-rules',
  'contract/rules/runner',
  'server/cli/commands/verify',
  'testing/demo',
];

const PLACE = /__placeOf\("([^"]+)"\)/g;

/**
 * A module in a chunk finds files (threads, fixtures, the viewer) from the place that it would have
 * by itself.
 */
const ownPlaces = {
  name: 'own-places',
  enforce: 'pre',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const place = JSON.stringify(relative(root, id).replace(/\.ts$/, '.js'));
    return code.replaceAll('import.meta.url', `__placeOf(${place})`);
  },
  /** @param {string} code @param {{ fileName: string }} chunk */
  renderChunk(code, { fileName }) {
    return code.replace(PLACE, (_, /** @type {string} */ place) => {
      const from = JSON.stringify(relative(dirname(fileName), place));
      return `new URL(${from}, import.meta.url).href`;
    });
  },
};

export default {
  root,
  configFile: false,
  publicDir: false,
  plugins: [ownPlaces],
  build: {
    ssr: true,
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, `${root}/${name}.ts`])),
      external: (/** @type {string} */ id) => !id.startsWith('.') && !isAbsolute(id),
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
};
