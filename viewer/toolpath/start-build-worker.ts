/**
 * Starts the worker that validates and builds toolpaths. The build of the exported page replaces
 * this module with one that carries the worker's code inline (export/vite.config.ts).
 */
export function startBuildWorker(): Worker {
  return new Worker(new URL('./build-worker.ts', import.meta.url), { type: 'module' });
}
