/** What users use of all shares of the twin. */
import { planningUsage } from '../planning/planning-pool.ts';
import { streamsOf } from '../shares/stream-share.ts';
import type { Usage } from '../shares/usage.ts';
import type { AppContext } from './app-context.ts';

/** What each owner uses now of what all share. */
export function usageOf(context: AppContext): Usage {
  const { server, services, simulation, workflows, config, robotAssembly } = context;
  const { documents, passwords, database } = services;
  const stored = database.store.bytes.share.owners;
  return {
    connections: server.connections.share.owners,
    streams: streamsOf(robotAssembly.hub.owners),
    ...planningUsage(),
    document_thread: documents.queue.running.owners,
    document_queue: documents.queue.waiting.owners,
    ...(simulation && {
      run_replays: simulation.parts.replayQueue.running.owners,
      run_replay_queue: simulation.parts.replayQueue.waiting.owners,
    }),
    ...passwords.usage,
    ...(config.data === ':memory:' ? { stored_in_memory: stored } : { stored_on_disk: stored }),
    ...workflows.usage(),
  };
}
