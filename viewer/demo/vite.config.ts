/**
 * Vite build of the demo: static files that any server can serve, from any folder. `npm run
 * build:demo` runs it and embeds the recording.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { kernelsAhead } from '../../physics/kernels.config.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: false,
  json: { namedExports: false, stringify: true },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { input: [at('./index.html'), at('./edit.html')] },
  },
  worker: { format: 'es', plugins: () => [kernelsAhead] },
});
