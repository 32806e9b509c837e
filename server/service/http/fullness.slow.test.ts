/** Limits on stored objects: the last one accepted, and the first one refused. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { washAndRead } from '../../../scheduler/definition/workflow.cases.ts';
import { emptyRecords } from '../../store/records.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { withTwinClient } from '../simulation/twin-client.cases.ts';

const token = 'a token that outlives the process';
const OWNER = 1;
const full = (what: string) => ({
  status: 400,
  message: expect.stringContaining(what) as string,
});

it('limits the tokens of a user, and accepts one again after a deletion', () =>
  withTwinClient({}, async ({ arm }) => {
    const user = { user_id: OWNER };
    const { tokens } = await arm.listTokens(user);
    for (let count = tokens.length; count < limits.tokens_per_user - 1; count++) {
      await arm.createToken(user, { name: `token ${count}` });
    }
    const last = await arm.createToken(user, { name: 'the last' });
    const more = () => arm.createToken(user, { name: 'one more' });
    await expect(more()).rejects.toMatchObject(full('There are already 100 tokens'));
    await arm.deleteToken({ ...user, token_id: last.id });
    await more();
  }));

/** A data folder with one object of each kind below the limit. */
function filledFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-full-'));
  const records = emptyRecords('Full', '4.9.0');
  for (let id = 1; id < limits.toolpaths_per_user; id++) {
    records.toolpaths.push({ id, owner_id: OWNER, name: `toolpath ${id}`, hash: 'a'.repeat(64) });
  }
  records.last_ids.toolpath = limits.toolpaths_per_user;
  writeFileSync(join(folder, 'index.json'), JSON.stringify(records));
  mkdirSync(join(folder, 'workflows'));
  const definition = washAndRead();
  const stored = { owner_id: OWNER, name: definition.name, warnings: [], definition };
  for (let id = 1; id < limits.workflows_per_user; id++) {
    writeFileSync(join(folder, 'workflows', `${id}.json`), JSON.stringify(stored));
  }
  return folder;
}

it('limits the toolpaths and workflows of a user', async () => {
  const data = filledFolder();
  try {
    await withTwinClient({ data, token }, async ({ arm }) => {
      const create = (name: string) => arm.createToolpath({ name, toolpath: smallToolpath() });
      await create('the last');
      await expect(create('one more')).rejects.toMatchObject(
        full('There are already 10000 toolpaths'),
      );
      await arm.createWorkflow(washAndRead());
      const more = arm.createWorkflow(washAndRead());
      await expect(more).rejects.toMatchObject(full('There are already 1000 workflows'));
    });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

it('limits the active runs, and accepts one again after another has ended', () =>
  withTwinClient({ webhooks: 'off' }, async ({ arm }) => {
    const { workflow } = await arm.createWorkflow(washAndRead());
    const start = () => arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
    const { run } = await start();
    for (let count = 1; count < limits.live_runs; count++) await start();
    await expect(start()).rejects.toMatchObject(full('100 runs are on'));
    await arm.stopRun({ run_id: run.id });
    await start();
  }));
