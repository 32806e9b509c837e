/**
 * How the viewer is built: one page, hashed assets, nothing inlined, so that it runs under a
 * content-security policy of 'self' alone. three stands in a chunk of its own: it changes least.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
/** The server that `vite` alone (development) passes API calls on to. */
const server = process.env['ARMTWIN_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root,
  base: './',
  publicDir: fileURLToPath(new URL('./public', import.meta.url)),
  build: {
    outDir: fileURLToPath(new URL('../dist/viewer', import.meta.url)),
    // The build empties it before: the exported page goes there too.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'three', test: /node_modules[\\/]three[\\/]/ }] },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/sim': { target: server, ws: true },
    },
  },
});
