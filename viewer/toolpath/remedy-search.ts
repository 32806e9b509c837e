import type { RemedyRequest } from './build-messages.ts';
import type { FindingReply } from './remedies.ts';

/** Errors that have a depth and remedies. */
const COLLISIONS: ReadonlySet<string> = new Set([
  'object_collision',
  'plane_collision',
  'self_collision',
]);

export interface RemedySearch {
  /** Looks for remedies of a collision; a new search ends the one before. */
  find(wanted: Omit<RemedyRequest, 'kind'>, onFound: (reply: FindingReply) => void): void;
}

/** Searches in a worker of its own: each remedy is built, which takes a while. */
export function createRemedySearch(startWorker: () => Worker): RemedySearch {
  let running: Worker | null = null;
  return {
    find(wanted, onFound) {
      running?.terminate();
      running = null;
      if (!COLLISIONS.has(wanted.finding.code)) return;
      const worker = startWorker();
      running = worker;
      worker.addEventListener('message', ({ data }: MessageEvent<FindingReply>) => {
        worker.terminate();
        onFound(data);
      });
      worker.postMessage({ kind: 'remedy', ...wanted } satisfies RemedyRequest);
    },
  };
}
