/** Connects the second system of the twin (D8), workflows and webhooks, to the arm. */

import { shares } from '../../contract/shares.ts';
import { RunArchive } from '../../scheduler/archive/run-archive.ts';
import type { CheckStored } from '../../scheduler/definition/definition-task.ts';
import { Workflows } from '../../scheduler/definition/workflows.ts';
import { definitionHandlers } from '../../scheduler/handlers/definition-handlers.ts';
import { instrumentHandlers } from '../../scheduler/handlers/instrument-handlers.ts';
import { reportHandlers } from '../../scheduler/handlers/report-handlers.ts';
import { runHandlers } from '../../scheduler/handlers/run-handlers.ts';
import { workcellHandlers } from '../../scheduler/handlers/workcell-handlers.ts';
import { Runs } from '../../scheduler/run/runs.ts';
import { Workcells } from '../../scheduler/workcell/workcells.ts';
import type { Config } from '../cli/config.ts';
import type { Handlers } from '../service/http/handler.ts';
import type { Services } from '../service/http/services.ts';
import type { Log } from '../service/logging/log.ts';
import type { Simulation } from '../service/simulation/simulation.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import { Share } from '../shares/share.ts';
import type { Usage } from '../shares/usage.ts';
import { webhookHandlers } from '../webhooks/handlers.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { RobotArm } from './robot-arm.ts';
import type { RobotAssembly } from './robot-assembly.ts';

/** The second system of the twin (D8), workflows and webhooks, as calls and the shutdown use it. */
export interface WorkflowSystem {
  readonly handlers: Handlers;
  /** Deliveries by state, for /metrics. */
  readonly webhookCounts: () => Readonly<Record<string, number>>;
  /** What users use of its shares. */
  readonly usage: () => Usage;
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
  const checkStored: CheckStored = (task, owner_id) => services.documents.workflow(task, owner_id);
  const workflows = new Workflows({ database: services.database, checkStored, workcells });
  const archive = new RunArchive(store);
  const addDeliveries: Webhooks['addDeliveries'] = (...given) => webhooks.addDeliveries(...given);
  const cell = () => robotAssembly.world?.cell ?? null;
  const arm = new RobotArm({ robot, loop, planner });
  const shared = { archive, workcells, arm, time: loop, timers, clock, wall, cell };
  const deliveryRefusal = (owner_id: number) => webhooks.roomRefusal(owner_id);
  const planning = new FairQueue(
    new Share(shares.workflow_plans),
    new Share(shares.workflow_plan_queue),
  );
  const runs = new Runs({ ...shared, planning, addDeliveries, deliveryRefusal, onUnsaved });
  await runs.flush();
  simulation?.resetHooks.push(async (scopes) => {
    if (!scopes.has('workflows')) return;
    // Each adds its transaction in this turn, so that no other call's comes between them.
    const resets = [runs.reset(), workcells.reset(), workflows.reset(), webhooks.reset()];
    await Promise.all([...resets, services.idempotency.forgetWorkflows()]);
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
    usage: () => ({
      ...runs.usage,
      workflow_plans: planning.running.owners,
      workflow_plan_queue: planning.waiting.owners,
      ...webhooks.usage,
    }),
    handlers: {
      ...definitionHandlers({ workflows, arm, wall, time: loop, nextPlanId, planning }),
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
