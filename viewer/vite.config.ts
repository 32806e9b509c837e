/**
 * Vite build of the viewer: a page with hashed assets and no code of its own, so that it runs under
 * the content-security policy 'self'. One script holds all that the first screen needs, also its
 * styles, font and worker, so that a first visit makes few requests before the arm shows.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { pageArm } from '../arms/page-arm.config.ts';
import { kernelsAhead } from '../physics/kernels.config.ts';
import { inlineWorkers } from './export/vite.config.ts';
import { tightThree } from './three.config.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Target of the development server's API proxy. */
const server = process.env['ARMTWIN_URL'] ?? 'http://127.0.0.1:8080';

/**
 * What the Live page loads by itself, each with all that it imports: a file costs a request, and a
 * kilobyte for the head of its reply.
 */
const LIVE_PARTS = [
  { name: 'around-live', test: /\/(explain-panel|hints|run-log|sim-link|cause-link)\.tsx?$/ },
  { name: 'cell-layer', test: /\/cell-layer\.ts$/ },
];

export default defineConfig({
  root,
  base: './',
  publicDir: false,
  // The first picture waits for this worker.
  plugins: [pageArm, tightThree, { ...inlineWorkers(['startMeshWorker']), apply: 'build' }],
  // Text of JSON.parse, which engines read faster than an object literal.
  json: { namedExports: false, stringify: true },
  build: {
    outDir: fileURLToPath(new URL('../dist/viewer', import.meta.url)),
    // `npm run build` empties dist first; the exported page is built into the same folder.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    // For the budget of the first visit; the build removes it.
    manifest: 'parts.json',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'first-screen', tags: ['$initial'] }, ...LIVE_PARTS],
        },
      },
    },
  },
  // Builds of toolpaths in the page compute torques.
  worker: { format: 'es', plugins: () => [pageArm, kernelsAhead] },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/sim': { target: server, ws: true },
    },
  },
});
