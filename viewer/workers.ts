/**
 * Starts the page's web workers. The build of the exported page replaces this module with one that
 * carries the workers' code inline (export/vite.config.ts).
 */

/** Starts the worker that validates and builds toolpaths. */
export function startBuildWorker(): Worker {
  return new Worker(new URL('./toolpath/build-worker.ts', import.meta.url), { type: 'module' });
}

/** Starts the worker that meshes the arm's shells. */
export function startMeshWorker(): Worker {
  return new Worker(new URL('./scene/mesh-worker.ts', import.meta.url), { type: 'module' });
}
