import type { Toolpath } from '../../contract/types.generated.ts';
import type { BuildReply, BuildRequest, OpenedToolpath } from './build-messages.ts';

/** The path of a toolpath and its findings, from a worker that ends; null if it cannot be built. */
export function buildOnce(worker: Worker, toolpath: Toolpath): Promise<OpenedToolpath | null> {
  worker.postMessage({ kind: 'open', text: JSON.stringify(toolpath) } satisfies BuildRequest);
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<BuildReply>) => {
      worker.terminate();
      resolve(data.kind === 'opened' ? data : null);
    });
  });
}
