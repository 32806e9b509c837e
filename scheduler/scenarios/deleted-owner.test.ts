/**
 * Workflows and runs of a deleted user.
 * @module-tag ci
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import type { RunHead } from '../../contract/types.generated.ts';
import { withTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { openStore } from '../../server/store/open-store.ts';
import { washAndRead } from '../definition/workflow.cases.ts';

const PASSWORD = 'a long test password';

it('deletes the data of a deleted user and stops the runs', async () => {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-gone-'));
  try {
    await withTwinClient({ data, webhooks: 'off' }, async ({ twin, arm }) => {
      const kept = await arm.createWorkflow(washAndRead());
      const logIn = { email: 'gone@armtwin.test', password: PASSWORD };
      const { user } = await arm.createUser(logIn);
      const other = connect({ baseUrl: twin.url, logIn });
      const { workflow } = await other.createWorkflow(washAndRead());
      await other.startRun({ workflow_id: workflow.id }, {});
      await other.getSecret();
      const own = await arm.startRun({ workflow_id: kept.workflow.id }, {});
      await arm.deleteUser({ user_id: user.id });
      const { run } = await arm.getRun({ run_id: own.run.id });
      expect(run.state).toBe('started');
    });
    const store = await openStore(data);
    expect([...store.table('workflows').rows()].length).toBe(1);
    expect([...store.table('webhook_secrets').rows()]).toEqual([]);
    const heads = [...store.table<{ head: RunHead }>('runs').rows()].map(([, { head }]) => head);
    expect(heads.map(({ message }) => message)).toContain('stopped by user');
    await store.close();
    const again = await withTwinClient(
      { data, token: 'a token of later', webhooks: 'off' },
      async (s) => s.arm.listWorkflows(),
    );
    expect(again.workflows.length).toBe(1);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

it('hides workflows from a later user with the same id after a reset', () =>
  withTwinClient({ webhooks: 'off' }, async ({ twin, arm }) => {
    const invite = async (email: string) => {
      const { user } = await arm.createUser({ email, password: PASSWORD });
      return { user, client: connect({ baseUrl: twin.url, logIn: { email, password: PASSWORD } }) };
    };
    const first = await invite('first@armtwin.test');
    await first.client.createWorkflow(washAndRead());
    await arm.resetTwin({ scopes: ['users'] });
    const second = await invite('second@armtwin.test');
    expect((await second.client.listWorkflows()).workflows).toEqual([]);
    await arm.resetTwin({});
    const third = await invite('third@armtwin.test');
    expect(third.user.id).toBe(first.user.id);
    expect((await third.client.listWorkflows()).workflows).toEqual([]);
  }));
