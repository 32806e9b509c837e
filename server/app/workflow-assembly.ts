/** Assembles the workflow scheduler and its webhooks, the second system of the twin (D8). */

import type { Config } from '../cli/config.ts';
import type { Handlers, Services } from '../http/handler.ts';
import type { Log } from '../metrics/metrics.ts';
import type { Simulation } from '../simulation/simulation.ts';
import { webhookHandlers } from '../webhooks/handlers.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { definitionHandlers } from '../workflow/definition-handlers.ts';
import { RunArchive } from '../workflow/run-archive.ts';
import { instrumentHandlers, runHandlers, workcellHandlers } from '../workflow/run-handlers.ts';
import { reportHandlers } from '../workflow/run-reports.ts';
import { Runs } from '../workflow/runs.ts';
import { Workcells } from '../workflow/workcells.ts';
import { Workflows } from '../workflow/workflows.ts';
import type { RobotAssembly } from './services.ts';

/** The workflow system as the HTTP application and the shutdown use it. */
export interface WorkflowSystem {
  readonly handlers: Handlers;
  /** Deliveries by state, for /metrics. */
  readonly webhookCounts: () => Readonly<Record<string, number>>;
  close(): Promise<void>;
}

interface WorkflowSystemOptions {
  readonly config: Config;
  readonly robotAssembly: RobotAssembly;
  readonly services: Services;
  readonly simulation: Simulation | null;
  readonly log: Log;
  readonly port: number;
}

/** Opens the stores and the scheduler; runs that a crash interrupted are stopped. */
export async function createWorkflowSystem(
  options: WorkflowSystemOptions,
): Promise<WorkflowSystem> {
  const { config, robotAssembly, services, simulation, log, port } = options;
  const { robot, loop, timers, clock } = robotAssembly;
  const { planner, wall } = services;
  const onUnsaved = (error: unknown) => log.error('Could not save a webhook delivery', error);
  const { store } = services.database;
  const webhooks = new Webhooks({
    store,
    profile: config.webhooks,
    rules: { allowPrivate: config.privateHooks, ownPort: () => port },
    wall,
    onUnsaved,
  });
  services.documents.addresses = { allowPrivate: config.privateHooks, ownPort: port };
  const workcells = new Workcells(store);
  const workflows = new Workflows({ ...services, workcells });
  const archive = new RunArchive(store);
  const addDeliveries: Webhooks['addDeliveries'] = (...given) => webhooks.addDeliveries(...given);
  const cell = () => robotAssembly.world?.cell ?? null;
  const shared = { archive, workcells, robot, loop, timers, clock, planner, wall, cell };
  const runs = new Runs({ ...shared, addDeliveries, onUnsaved });
  await runs.flush();
  simulation?.resetHooks.push(async (scopes) => {
    if (!scopes.has('workflows')) return;
    await runs.reset();
    await workcells.reset();
    await workflows.reset();
    await webhooks.reset();
  });
  services.users.onDeleted.push(async (user_id) => {
    runs.stopAllOf(user_id);
    await workflows.removeAllOf(user_id);
    await workcells.removeAllOf(user_id);
    await webhooks.removeSecret(user_id);
  });
  const nextPlanId = () => runs.nextPlanId();
  return {
    webhookCounts: () => webhooks.outbox.figures(),
    handlers: {
      ...definitionHandlers({ workflows, planner, wall, nextPlanId }),
      ...runHandlers(runs, workflows),
      ...workcellHandlers(runs, workcells),
      ...reportHandlers(runs),
      ...webhookHandlers(webhooks, loop),
      ...(config.sim && instrumentHandlers(runs)),
    },
    async close() {
      await runs.flush();
      webhooks.close();
    },
  };
}
