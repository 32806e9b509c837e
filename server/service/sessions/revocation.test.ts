/** After an acknowledged revocation nothing that the user began happens any more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import type { CheckStored } from '../../../scheduler/definition/definition-task.ts';
import type { WorkflowDocument } from '../../../scheduler/definition/workflow-document.ts';
import { Workflows } from '../../../scheduler/definition/workflows.ts';
import { Workcells } from '../../../scheduler/workcell/workcells.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import type { ReadBody } from '../../documents/body-task.ts';
import { DocumentReader } from '../../documents/document-reader.ts';
import { toolpathText } from '../../documents/toolpath-text.ts';
import { Database } from '../../store/database.ts';
import { openStore } from '../../store/open-store.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { ToolpathLibrary } from '../../toolpaths/toolpath-library.ts';
import { PasswordChecks } from './password-checks.ts';
import { REVOCATIONS, type Revocation, RevocationModel, ROUNDS } from './revocation.cases.ts';
import { ACTIONS } from './revocation-calls.cases.ts';
import { type PublicUser, Users } from './users.ts';

const data = mkdtempSync(join(tmpdir(), 'armtwin-revocation-'));
let model: RevocationModel;
beforeAll(async () => {
  model = await RevocationModel.start(join(data, 'data'));
});
afterAll(async () => {
  await model.close();
  rmSync(data, { recursive: true, force: true });
});

it.each(Object.keys(REVOCATIONS) as Revocation[])(
  'has no effect of a call whose body is slow: %s',
  async (revocation) => {
    const calls = ACTIONS.map((_, action) => ({ action, isSlow: true }));
    expect(await model.play({ revocation, calls, turns: 3 })).toEqual([]);
  },
);

it('has no effect of calls that wait for plans, hashes or the disk', async () => {
  for (const round of fc.sample(ROUNDS, { numRuns: 3, seed: 20 })) {
    expect(await model.play(round)).toEqual([]);
  }
});

it('deletes a user together with what is being saved', async () => {
  const database = await Database.open(await openStore(':memory:'), {
    name: 'a',
    software_version: '4.9.0',
  });
  const options = { wall: systemClock, keepsTime: () => false };
  const documents = new DocumentReader(options);
  const checkStored: CheckStored = (task) => documents.workflow(task);
  const library = new ToolpathLibrary(database, documents, () => '2020');
  const workcells = new Workcells(database.store);
  const workflows = new Workflows({ database, checkStored, workcells });
  const users = new Users({
    database,
    passwords: new PasswordChecks(systemClock),
    timestamp: () => '2020',
    onUnsaved: () => {},
  });
  await users.create('admin@example.org', null);
  const user = (await users.create('gone@example.org', null)) as PublicUser;
  const bytes = new TextEncoder().encode(JSON.stringify(sampleWorkflow()));
  const task = {
    route: 'createWorkflow',
    schema: 'WorkflowDocument',
    dialect: 'documented',
  } as const;
  const body = { ...task, pieces: [bytes], needsHash: false, isUsers: true };
  const read = (await documents.body(body, { owner: user.id })) as ReadBody;
  const toolpath = toolpathText(smallToolpath());
  const saved = await Promise.all([
    users.remove(user.id),
    library.create({ owner_id: user.id, name: 'late', toolpath }),
    workflows.create(user.id, read.body as WorkflowDocument),
    users.createToken(user.id, 'late'),
  ]);
  expect(saved.slice(1).map((one) => 'refused' in one)).toEqual([true, true, true]);
  for (const table of ['toolpaths', 'bodies', 'workflows', 'tokens']) {
    expect([...database.store.table(table).rows()], table).toEqual([]);
  }
  await database.close();
});
