/** An instrument that goes down while a run has a task for it. */

import { expect, it } from 'vitest';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { startedRun } from './assay.cases.ts';

const stage = sharedTwinClient({ webhooks: 'off' });

it('waits with a task without labware until the instrument is up again', async () => {
  const { arm, twin } = stage;
  const taskOf = (id: string, type: string, dependencies: string[]) => ({
    ...{ id, dependencies, instrument: { type }, action: 'act', time_estimate: 10 },
    labware_sources: {},
  });
  const tasks = { read: taskOf('read', 'reader', []), film: taskOf('film', 'camera', ['read']) };
  const instruments = ['reader', 'camera'].map((id) => ({ id, type: id }));
  const run = await startedRun(arm, {
    name: 'film',
    workflow: { labware: [], tasks },
    workcell: {
      workcell_id: 'film',
      instruments: [...instruments, { id: 'arm', type: 'transport' }],
    },
  });
  await twin.advance(5);
  await arm.setInstrument({ instrument_id: 'camera', is_up: false });
  await twin.advance(10);
  const film = async () => (await arm.getRun(run)).run.tasks.find(({ id }) => id === 'film');
  expect(await film()).toMatchObject({ state: 'waiting', instrument_id: null });
  await arm.setInstrument({ instrument_id: 'camera', is_up: true });
  await twin.advance(15);
  expect(await film()).toMatchObject({ state: 'succeeded', instrument_id: 'camera' });
});
