/** Reset of the toolpaths to those at start-up, without holding their bodies in memory. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JOURNAL_FOLDER } from '../../store/data-folder.ts';
import { openStore } from '../../store/open-store.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { withTwinClient } from './twin-client.cases.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'armtwin-origin-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const token = 'a token that outlives the process';
const countBodies = async () => {
  const store = await openStore(data);
  const { size } = store.table('bodies');
  await store.close();
  return size;
};

/** A toolpath that differs from others by its speed. */
function toolpathOf(default_max_speed: number) {
  const toolpath = smallToolpath();
  return { ...toolpath, metadata: { ...toolpath.metadata, default_max_speed } };
}

it('restores removed and changed toolpaths and leaves no unused body', async () => {
  const wanted = [0.1, 0.2, 0.3].map((speed) => toolpathOf(speed));
  await withTwinClient({ data, token }, async ({ arm }) => {
    for (const [i, toolpath] of wanted.entries()) {
      await arm.createToolpath({ name: `toolpath ${i}`, toolpath });
    }
  });
  await withTwinClient({ data, token }, async ({ arm }) => {
    const { toolpaths } = await arm.listToolpaths();
    const [first, second] = toolpaths.map(({ id }) => ({ toolpath_id: id }));
    for (let round = 0; round < 2; round++) {
      await arm.deleteToolpath(first!);
      await arm.updateToolpath(second!, { name: 'changed', toolpath: toolpathOf(0.4) });
      await arm.createToolpath({ name: 'new', toolpath: toolpathOf(0.5) });
      await arm.resetTwin({});
      expect((await arm.listToolpaths()).toolpaths).toEqual(toolpaths);
      for (const [i, { id }] of toolpaths.entries()) {
        const shown = await arm.getToolpath({ toolpath_id: id });
        expect(shown.toolpath.toolpath).toEqual(wanted[i]);
      }
    }
    await arm.deleteToolpath(first!);
  });
  expect(await countBodies()).toBe(3);
  await withTwinClient({ data, token }, async () => {});
  expect(await countBodies()).toBe(2);
});

it.each(['disk', 'memory'])('keeps no toolpath that is removed meanwhile, in %s', async (where) => {
  const flags = where === 'disk' ? { data, token } : { token };
  await withTwinClient(flags, async ({ arm }) => {
    const ids: number[] = [];
    for (let i = 0; i < 8; i++) {
      const { toolpath } = await arm.createToolpath({ name: `${i}`, toolpath: toolpathOf(0.1) });
      ids.push(toolpath.id);
    }
    const last = { toolpath_id: ids.at(-1)! };
    await Promise.all([arm.keepState({ name: 'kept' }), arm.deleteToolpath(last)]);
    // What has not changed since is shared with the state before.
    await arm.updateToolpath({ toolpath_id: ids[0]! }, { name: 'new', toolpath: toolpathOf(0.3) });
    await arm.keepState({ name: 'later' });
    for (const name of ['kept', 'later']) {
      await arm.restoreState({ name });
      const { toolpaths } = await arm.listToolpaths();
      expect(toolpaths.length).toBeGreaterThanOrEqual(7);
      const speeds = [];
      for (const { id } of toolpaths) {
        const { toolpath } = await arm.getToolpath({ toolpath_id: id });
        speeds.push(toolpath.toolpath.metadata.default_max_speed);
      }
      expect(speeds[0]).toBe(name === 'kept' ? 0.1 : 0.3);
    }
  });
});

it('starts with the others when the body of one is damaged', async () => {
  await withTwinClient({ data, token }, async ({ arm }) => {
    for (const name of ['one', 'two'])
      await arm.createToolpath({ name, toolpath: toolpathOf(0.1) });
  });
  const journal = join(data, JOURNAL_FOLDER);
  const [name] = readdirSync(journal).filter((file) => file.endsWith('.log'));
  const text = readFileSync(join(journal, name!), 'utf8');
  writeFileSync(
    join(journal, name!),
    text.replace('"default_max_speed":0.1', '"default_max_speed":0.2'),
  );
  await withTwinClient({ data, token }, async ({ arm }) => {
    expect((await arm.listToolpaths()).toolpaths.length).toBe(1);
  });
});

it('resets a twin whose disk is full by an injected fault', () =>
  withTwinClient({}, async ({ arm }) => {
    await arm.addFault({ kind: 'disk_full' });
    await arm.resetTwin({});
    await arm.createToolpath({ name: 'one', toolpath: smallToolpath() });
  }));
