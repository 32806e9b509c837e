/** A twin of an arm that comes with the program and is not the default one, as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHIPPED_ARMS } from '../arms/shipped-arms.ts';
import { type ArmClient, connect } from '../contract/client.ts';
import { flangeAt } from '../physics/kinematics/dense-search.cases.ts';
import { PROGRAM } from './service/http/service-process.cases.ts';

const NAME = 'viperx-300';
const ARM = SHIPPED_ARMS[NAME]!;
const GOAL = [0.5, -0.4, 0.3, 0.6, 0.7, -0.2] as const;
const TOKEN = 'token-of-the-other-arm';
/** A start from sources loads a compiler first. */
const START_MS = 240_000;

async function startTwin(): Promise<{ child: ChildProcess; url: string }> {
  const loaders = PROGRAM.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const flags = ['--arm', NAME, '--port', '0', '--token', TOKEN, '--driver', 'fast'];
  const args = [...loaders, PROGRAM, ...flags, '--clock', 'stepped', '--log-level', 'silent'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    const url = /ready (\S+)\n/.exec(text)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`the twin did not start: ${text}`);
}

describe(`a twin of ${NAME}`, () => {
  let child: ChildProcess;
  let arm: ArmClient;
  beforeAll(async () => {
    const started = await startTwin();
    child = started.child;
    arm = connect({ baseUrl: started.url, token: TOKEN });
  }, START_MS);
  afterAll(async () => {
    child.kill();
    await once(child, 'close');
  });

  it('moves, and records which arm moved', async () => {
    await arm.startRecording();
    await arm.takeLock();
    await arm.goTo({ mode: 'automatic', joints: [...GOAL], max_speed: 0.8 });
    await arm.advanceClock({ seconds: 10 });
    const { snapshot } = await arm.getSnapshot();
    expect(snapshot.control.state).toBe('ready');
    snapshot['servos.telemetry.position'].forEach((angle, j) => {
      expect(angle).toBeCloseTo(GOAL[j]!, 2);
    });
    await arm.stopRecording();
    const [head = ''] = (await arm.getTape()).tape.split('\n');
    expect(JSON.parse(head).arm.name).toBe(NAME);
  });

  it('refuses a profile of the default arm', async () => {
    const profile = { armtwin_profile: 1, arm: 'automata-eva', latency_s: 0.01 } as const;
    await expect(arm.seedTwin({ profile })).rejects.toThrow('the profile is of another arm');
    await arm.seedTwin({ profile: { ...profile, arm: NAME } });
  });

  it('refuses a seed for the default arm', async () => {
    await expect(arm.seedTwin({ arm: 'default' })).rejects.toThrow(
      'the seed is for another arm; this twin has viperx-300, start it with --arm default',
    );
    await arm.seedTwin({ arm: NAME });
  });

  it('has the kinematics of its arm', async () => {
    const { fk } = await arm.forwardKinematics({ joints: [...GOAL] });
    const [x, y, z] = flangeAt(ARM, GOAL).slice(9);
    const position = {
      x: expect.closeTo(x!, 9),
      y: expect.closeTo(y!, 9),
      z: expect.closeTo(z!, 9),
    };
    expect(fk).toMatchObject({ position });
  });
});
