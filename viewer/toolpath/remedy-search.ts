import type { RemedyRequest } from './build-messages.ts';
import type { FindingReply } from './remedies.ts';

export interface RemedySearch {
  /** Looks for remedies of an error or a warning; a new search ends the one before. */
  find(wanted: Omit<RemedyRequest, 'kind'>, onFound: (reply: FindingReply) => void): void;
}

/** Searches in a worker of its own: each remedy is built, which takes a while. */
export function createRemedySearch(startWorker: () => Worker): RemedySearch {
  let running: Worker | null = null;
  return {
    find(wanted, onFound) {
      running?.terminate();
      running = null;
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
