/**
 * Where the page's workers start. Apart because the page that is exported to one file carries their
 * code within itself (export/vite.config.ts puts another module in this one's place).
 */

/** The worker that checks and builds toolpaths. */
export function startBuildWorker(): Worker {
  return new Worker(new URL('./toolpath/build-worker.ts', import.meta.url), { type: 'module' });
}

/** The worker that meshes the shells of the arm. */
export function startMeshWorker(): Worker {
  return new Worker(new URL('./scene/mesh-worker.ts', import.meta.url), { type: 'module' });
}
