/** The order of disk calls in a durable write: a power cut leaves the old or the new file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { Database } from './database.ts';
import { DISK_STEPS, observeDisk } from './disk-steps.cases.ts';
import { emptyRecords } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-order-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('writes a temporary file, syncs, renames, syncs the folder, then acknowledges', async () => {
  const place = join(folder, 'data');
  const database = await Database.open(place, emptyRecords('Order', '4.9.0'));
  await database.change(() => {});
  const seen: string[] = [];
  const end = observeDisk((step, name) => seen.push(`${step} ${name}`));
  await database.change((draft) => {
    draft.name = 'New';
  });
  seen.push('acknowledged');
  const body = { id: 1, owner_id: 1, name: 't', hash: 'a'.repeat(64) };
  await database.saveBody(body, smallToolpath());
  seen.push('acknowledged');
  end();
  await database.close();
  const index = ['open index.json.new', 'write index.json.new', 'sync index.json.new'];
  const named = [...index, 'rename index.json', 'sync folder data', 'acknowledged'];
  expect(seen.slice(0, named.length)).toEqual(named);
  // The first body creates the folder of bodies, which must be durable too.
  expect(seen[named.length]).toBe('sync folder data');
  const steps = seen
    .slice(named.length + 1)
    .map((one) => DISK_STEPS.findLast((s) => one.startsWith(s)));
  expect(steps).toEqual([...DISK_STEPS, undefined]);
});
