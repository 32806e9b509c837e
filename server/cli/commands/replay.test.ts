/** `armtwin replay`: a recording of a served twin replays equally, and exports to MCAP. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTwinClient } from '../../service/simulation/twin-client.cases.ts';
import { runReplay } from './replay.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-replay-'));
const file = join(folder, 'run.tape');

async function replay(path: string, flags: Record<string, unknown> = {}) {
  const written = { out: '', err: '' };
  const code = await runReplay(path, flags, {
    out: { write: (text) => (written.out += text) },
    err: { write: (text) => (written.err += text) },
  });
  return { code, ...written };
}

beforeAll(async () => {
  await withTwinClient({ record: file }, async ({ twin, arm }) => {
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [0.3, 0.2, 0, 0, 0, 0] });
    await twin.advance(3);
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('replay', () => {
  it.skipIf(!existsSync('/dev/full'))('names an export that cannot be written', async () => {
    for (const flags of [{ mcap: '/dev/full' }, { html: '/dev/full' }]) {
      const { code, err } = await replay(file, flags);
      expect([code, err]).toEqual([2, expect.stringContaining('Cannot write /dev/full: ENOSPC')]);
    }
  });

  it('reports that a recording replays equally', async () => {
    expect(await replay(file)).toMatchObject({ code: 0, out: expect.stringContaining('equal') });
  });

  it('names the first tick and field that differ', async () => {
    const text = readFileSync(file, 'utf8').replace('"state":"running"', '"state":"paused"');
    const changed = join(folder, 'changed.tape');
    writeFileSync(changed, text);
    const { code, out } = await replay(changed);
    expect([code, out]).toEqual([
      1,
      'different from tick 0 on: state was "paused", is "running"\n',
    ]);
  });

  it('overwrites neither the recording nor another export', async () => {
    const before = readFileSync(file, 'utf8');
    const both = join(folder, 'both');
    for (const flags of [{ mcap: file }, { html: file }, { mcap: both, html: both }]) {
      const { code, err } = await replay(file, flags);
      expect([code, err]).toEqual([2, expect.stringMatching(/would overwrite .*name another/)]);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(both)).toBe(false);
  });

  it('calls a recording without a tick neither equal nor different', async () => {
    const short = join(folder, 'short.tape');
    writeFileSync(short, `${readFileSync(file, 'utf8').split('\n', 2).join('\n')}\n`);
    const { code, out } = await replay(short);
    expect([code, out]).toEqual([2, expect.stringMatching(/^nothing was compared: /)]);
  });

  it('refuses a recording without one of its lines', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"kind":"mark"'));
    const gap = join(folder, 'gap.tape');
    writeFileSync(gap, lines.toSpliced(at, 1).join('\n'));
    const { code, err } = await replay(gap);
    expect([code, err]).toEqual([2, expect.stringContaining('a line is missing')]);
  });

  it('rejects a file that is not a recording, and a missing file', async () => {
    const other = join(folder, 'other.tape');
    writeFileSync(other, 'nothing');
    expect((await replay(other)).code).toBe(2);
    expect((await replay(join(folder, 'absent'))).code).toBe(2);
  });

  it('replaces no file where a recording cannot be replayed', async () => {
    const [real, kept] = [join(folder, 'real.tape'), join(folder, 'kept.mcap')];
    const text = readFileSync(file, 'utf8');
    writeFileSync(real, text.replace('"driver":"fast"', '"driver":"servos"'));
    writeFileSync(kept, 'an export');
    const { code, err } = await replay(real, { mcap: kept });
    expect([code, err]).toEqual([2, expect.stringContaining('its arm is real')]);
    expect(readFileSync(kept, 'utf8')).toBe('an export');
  });

  it('writes MCAP with joints at 50 Hz of motion, poses, signals and log', async () => {
    const target = join(folder, 'run.mcap');
    expect((await replay(file, { mcap: target })).code).toBe(0);
    const bytes = readFileSync(target);
    const readable = {
      size: async () => BigInt(bytes.length),
      read: async (offset: bigint, size: bigint) =>
        new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
    };
    const reader = await McapIndexedReader.Initialize({ readable });
    const counts = new Map<string, number>();
    for await (const { channelId } of reader.readMessages()) {
      const { topic } = reader.channelsById.get(channelId)!;
      counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
    expect(counts.get('/joints')).toBeGreaterThan(75);
    expect(counts.get('/flange')).toBe(counts.get('/joints'));
    expect(counts.get('/signals')).toBeGreaterThanOrEqual(2);
    expect(counts.get('/log')).toBeGreaterThanOrEqual(2);
  });
});
