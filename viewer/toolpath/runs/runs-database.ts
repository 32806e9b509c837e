import type { KeptRun } from '../../link/kept-run.ts';

function asked<Reply>(request: IDBRequest<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** The runs of an arm that keeps none, in the browser's database; a browser without one keeps them until a reload. */
export async function openRuns(): Promise<{
  read(): Promise<KeptRun[]>;
  write(runs: readonly KeptRun[]): void;
}> {
  const opening = indexedDB.open('armtwin-runs', 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('runs'));
  const database = await asked(opening);
  const runs = (mode: IDBTransactionMode) => database.transaction('runs', mode).objectStore('runs');
  return {
    // Earlier versions kept the runs of twins, too.
    read: async () =>
      ((await asked<KeptRun[] | undefined>(runs('readonly').get('all'))) ?? []).filter(
        (run) => !('twin' in run || run.isExact),
      ),
    write: (kept) => void runs('readwrite').put(kept, 'all'),
  };
}
