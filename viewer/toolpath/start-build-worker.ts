/**
 * Starts the worker that validates and builds toolpaths, named with the text of its arm. The build of the exported page replaces
 * this module with one that carries the worker's code inline (export/vite.config.ts).
 */
import { armText } from '../../arms/page-arm.ts';

export function startBuildWorker(): Worker {
  return new Worker(new URL('./build-worker.ts', import.meta.url), {
    type: 'module',
    name: armText(),
  });
}
