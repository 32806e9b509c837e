/** The MCAP file of a recorded run, read back: its channels, their last messages and the tool. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPoseReader, createTool } from '../../physics/kinematics/tool.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { runReplay } from '../cli/commands/replay.ts';
import { flangeOf, type Json } from '../service/foxglove/studio.cases.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-mcap-'));
const tcp_config = {
  offsets: { x: 0.05, y: 0.02, z: 0.12 },
  rotations: { x: 0.3, y: 0.5, z: -0.7 },
  radius: 0.02,
};

interface Message {
  readonly topic: string;
  readonly at_s: number;
  readonly message: Json;
}

const topics: string[] = [];
const messages: Message[] = [];
/** When the recording ends, and what the API reported then. */
let end_s = 0;
let inputs: Json = {};

async function readFile(path: string): Promise<void> {
  const bytes = readFileSync(path);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset: bigint, size: bigint) =>
      new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  topics.push(...[...reader.channelsById.values()].map(({ topic }) => topic));
  for await (const { channelId, logTime, data } of reader.readMessages()) {
    const { topic } = reader.channelsById.get(channelId)!;
    const message = JSON.parse(new TextDecoder().decode(data));
    messages.push({ topic, at_s: Number(logTime) / 1e9 - Date.UTC(2020) / 1000, message });
  }
}

beforeAll(async () => {
  const tape = join(folder, 'run.tape');
  await withTwinClient({ record: tape }, async ({ twin, arm }) => {
    await arm.takeLock();
    const toolpath = smallToolpath();
    const metadata = { ...toolpath.metadata, tcp_config };
    await arm.useUnsavedToolpath({ name: 'turned', toolpath: { ...toolpath, metadata } });
    await arm.goTo({ mode: 'automatic', joints: [0.3, 0.2, 0, 0, 0, 0] });
    // It ends between two messages of poses, after a rest that the replay skips.
    await twin.advance(3.608);
    end_s = (await arm.getClock()).now_s;
    inputs = { ...(await arm.getSnapshot()).snapshot['global.inputs'] };
  });
  const file = join(folder, 'run.mcap');
  const quiet = { write() {} };
  expect(await runReplay(tape, { mcap: file }, { out: quiet, err: quiet })).toBe(0);
  await readFile(file);
});
afterAll(() => rmSync(folder, { recursive: true }));

const last = (topic: string) => messages.findLast((one) => one.topic === topic)!;

describe('the MCAP file of a recording', () => {
  it('declares no channel that it never fills', () => {
    expect(topics.toSorted()).toEqual([...new Set(messages.map(({ topic }) => topic))].toSorted());
  });

  it.each(['/joints', '/tf', '/flange', '/temperatures'])(
    'has %s up to the end of the recording',
    (topic) => expect(last(topic).at_s).toBeCloseTo(end_s, 6),
  );

  it('has the analog inputs that the API reports', () => {
    expect(last('/signals').message).toMatchObject({
      'inputs.a0': inputs['a0'],
      'inputs.a1': inputs['a1'],
    });
    expect(inputs['a0']).not.toBe(0);
  });

  it('turns the frame of the tool', () => {
    const joints = last('/joints').message['joints'] as { position: number }[];
    const q = joints.map(({ position }) => position);
    const tool = createPoseReader()(q, createTool(tcp_config));
    expect(largestDifference(flangeOf(last('/tf').message), tool)).toBeLessThan(1e-9);
  });
});
