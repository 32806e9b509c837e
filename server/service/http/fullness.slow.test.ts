/** Limits on stored objects: the last one accepted, and the first one refused. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { shareAlone, shares } from '../../../contract/shares.ts';
import { washAndRead } from '../../../scheduler/definition/workflow.cases.ts';
import { Database } from '../../store/database.ts';
import { openStore } from '../../store/open-store.ts';
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
async function filledFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-full-'));
  const store = await openStore(folder);
  const database = Database.over(store);
  const definition = washAndRead();
  const body = JSON.stringify(definition);
  const workflow = { owner_id: OWNER, name: definition.name, warnings: [] };
  const saved = { hash: 'a'.repeat(64), modified_at: '2020-01-01T00:00:00.000Z', bytes: 2 };
  await store.change((draft) => {
    for (let count = 1; count < limits.toolpaths_per_user; count++) {
      const id = draft.nextNumber('toolpath');
      const row = { id, owner_id: OWNER, name: `toolpath ${id}`, ...saved };
      draft.put(database.toolpaths, id, { row });
    }
    for (let count = 1; count < limits.workflows_per_user; count++) {
      draft.put(store.table('workflows'), draft.nextNumber('workflows'), { row: workflow, body });
    }
  });
  await database.close();
  return folder;
}

it('limits the toolpaths and workflows of a user', async () => {
  const data = await filledFolder();
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
    for (let count = 1; count < shareAlone(shares.live_runs); count++) await start();
    await expect(start()).rejects.toMatchObject({
      status: 429,
      details: expect.stringContaining('100 runs that are on'),
    });
    await arm.stopRun({ run_id: run.id });
    await start();
  }));
