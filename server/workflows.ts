/**
 * Puts the workflow scheduler and its notifications together, for the composition root: the two
 * rooms know nothing of each other. Apart because they join only here.
 */
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import type { Core } from './core.ts';
import type { Handlers } from './http/handler.ts';
import type { Rooms } from './http/rooms.ts';
import type { Log } from './metrics/log.ts';
import type { Simulation } from './sim/simulation.ts';
import { Documents } from './store/documents.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { definitionHandlers } from './workflow/definition-handlers.ts';
import { RunArchive } from './workflow/run-archive.ts';
import { instrumentHandlers, runHandlers } from './workflow/run-handlers.ts';
import { Runs } from './workflow/runs.ts';
import { type StoredDefinition, Workflows } from './workflow/workflows.ts';

/** The second system of the twin (decision D8). */
export interface WorkflowSystem {
  readonly handlers: Handlers;
  /** Notifications by what became of them, for /metrics. */
  readonly hookFigures: () => Readonly<Record<string, number>>;
  close(): Promise<void>;
}

interface WorkflowParts {
  readonly config: Config;
  readonly core: Core;
  readonly rooms: Rooms;
  readonly simulation: Simulation | null;
  readonly log: Log;
  readonly port: number;
}

/** Opens the scheduler over a twin; runs that a crash cut off are stopped. */
export async function openWorkflows(parts: WorkflowParts): Promise<WorkflowSystem> {
  const { config, core, rooms, simulation, log, port } = parts;
  const { robot, loop, timers, clock } = core;
  const { planner, wall } = rooms;
  const onUnsaved = (error: unknown) => log.error('A notification could not be saved', error);
  const webhooks = await Webhooks.open({
    place: config.data,
    profile: config.webhooks,
    rules: { allowPrivate: config.privateHooks, ownPort: () => port },
    wall: systemClock,
    onUnsaved,
  });
  const documents = await Documents.open<StoredDefinition>(config.data, 'workflows');
  const workflows = new Workflows(documents);
  const archive = await RunArchive.open(config.data, onUnsaved);
  const notify: Webhooks['notify'] = (sender, event) => webhooks.notify(sender, event);
  const runs = new Runs({ archive, robot, loop, timers, clock, planner, wall, notify });
  simulation?.onReset.push(async (scopes) => {
    if (!scopes.has('workflows')) return;
    runs.reset();
    await workflows.reset();
    await webhooks.reset();
  });
  rooms.people.onGone.push(async (user_id) => {
    runs.stopOf(user_id);
    await workflows.forget(user_id);
    await webhooks.forgetSecret(user_id);
  });
  const nextPlanId = () => runs.nextPlanId();
  return {
    hookFigures: () => webhooks.outbox.figures(),
    handlers: {
      ...definitionHandlers({ workflows, planner, wall, nextPlanId }),
      ...runHandlers(runs, workflows),
      ...webhookHandlers(webhooks, loop),
      ...(config.sim && instrumentHandlers(runs)),
    },
    async close() {
      await webhooks.close();
      await runs.close();
    },
  };
}
