/** Reset of the toolpaths to those at start-up, without holding their bodies in memory. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { withTwinClient } from './twin-client.cases.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'armtwin-origin-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const token = 'a token that outlives the process';
const files = () => readdirSync(join(data, 'toolpaths'));

/** A toolpath that differs from others by its speed. */
function toolpathOf(default_max_speed: number) {
  const toolpath = smallToolpath();
  return { ...toolpath, metadata: { ...toolpath.metadata, default_max_speed } };
}

it('restores removed and changed toolpaths and leaves no unused file', async () => {
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
  expect(files().length).toBe(3);
  await withTwinClient({ data, token }, async () => {});
  expect(files().length).toBe(2);
});

it('does not read bodies at the start: a damaged one is reported and the twin starts', async () => {
  await withTwinClient({ data, token }, async ({ arm }) => {
    await arm.createToolpath({ name: 'one', toolpath: smallToolpath() });
  });
  writeFileSync(join(data, 'toolpaths', files()[0]!), '{');
  await withTwinClient({ data, token }, async ({ arm }) => {
    expect((await arm.listToolpaths()).toolpaths.length).toBe(1);
  });
});
