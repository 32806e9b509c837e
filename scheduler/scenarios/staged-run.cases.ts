/** A run of plates that are washed and read, on a twin of its own, and the story of its events. */
import type { ArmClient } from '../../contract/client.ts';
import type { RunEvent } from '../../contract/types.generated.ts';
import {
  type TwinAndClient,
  withTwinClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { moment_s, startedRun } from './assay.cases.ts';

type Options = Parameters<typeof washAndRead>[0];

/** Saves and starts the workflow of plates that are washed and read. */
export async function begun(arm: ArmClient, options: Options = {}, body = {}) {
  return startedRun(arm, washAndRead(options), body);
}

function line(event: RunEvent): string {
  const { hook_type, body } = event;
  const state = 'state' in body ? ` ${body.state}` : '';
  const what = 'task_id' in body ? body.task_id : 'labware_id' in body ? body.labware_id : '';
  const message = 'message' in body && body.message ? ` (${body.message})` : '';
  const left = 'remaining_worktime' in body ? ` ${body.remaining_worktime}` : '';
  const kind = hook_type.replace(/(StateChange|Movement)?Hook$/, '');
  return `${moment_s(event)} ${kind}${what && ` ${what}`}${state}${message}${left}`;
}

/** Every event of a run as a line: second, kind, object, state, message, rest of work. */
export async function story(arm: ArmClient, run: { run_id: number }): Promise<string[]> {
  return (await arm.listRunEvents(run)).events.map(line);
}

/** A test on a twin of its own. */
export const staged = (use: (stage: TwinAndClient) => Promise<void>) => () =>
  withTwinClient({ webhooks: 'off' }, use);
