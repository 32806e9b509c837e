/**
 * Starts the worker that meshes the arm's shells. The builds replace this module with one that
 * carries the worker's code inline (export/vite.config.ts).
 */
export function startMeshWorker(): Worker {
  return new Worker(new URL('./mesh-worker.ts', import.meta.url), { type: 'module' });
}
