/** The fit of a twin's own captures: its recording, its public stream, and MCAP. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import type { Joints } from '../../contract/types.generated.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { profileProblems } from '../../physics/motion/arm-profile.ts';
import { runFit } from '../cli/commands/fit.ts';
import { runRecord } from '../cli/commands/record.ts';
import { runReplay } from '../cli/commands/replay.ts';
import { createTwin } from '../index.ts';
import { fitArm } from './arm-fit.ts';
import { readCapture } from './capture-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-fit-'));
const at = (name: string) => join(folder, name);
const noTarget = () => {
  throw new Error('this file is not replayed');
};

afterAll(() => rmSync(folder, { recursive: true }));

const POSE: Joints = [0, 0.5, -1.7, 0, -1.2, 0];

describe('captures of a twin', () => {
  let recording = '';
  let stream = '';

  /** Motions of single joints and of all, recorded by the twin and by its public stream. */
  beforeAll(async () => {
    recording = at('own.jsonl');
    stream = at('own.capture');
    const seed = { pose: POSE };
    const twin = await createTwin({ seed, record: recording, clock: 1, realism: 'typical' });
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    await arm.setLoad({ mass_kg: 0.7, centre_of_mass_m: { x: 0.01, y: 0.02, z: 0.05 } });
    const abort = new AbortController();
    const quiet = { write: () => {} };
    const recorded = runRecord(
      twin.url,
      { token: twin.token, out: stream },
      { out: quiet, err: quiet, signal: abort.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    await arm.takeLock();
    const random = createPrng(5);
    const reach = [1.6, 0.5, 0.6, 1.6, 0.8, 1.6];
    for (let i = 0; i < 26; i++) {
      const joints = POSE.map((angle, j) =>
        i % 7 === 6 || j === i % 7 ? angle + reach[j]! * (2 * random() - 1) : angle,
      ) as Joints;
      const motion = { mode: 'automatic', joints, max_speed: 1.5 } as const;
      const isFree = await arm.goTo(motion).then(
        () => true,
        () => false,
      );
      const state = async () => (await arm.getSnapshot()).snapshot.control.state;
      while (isFree && (await state()) !== 'ready') {
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    abort.abort();
    expect(await recorded).toBe(0);
    await twin.close();
  }, 180_000);

  it('give back limits, friction and load of its model, from a recording', async () => {
    let text = '';
    const out = { write: (more: string) => (text += more) };
    const flags = { out: at('own.profile.json'), json: true };
    expect(await runFit([recording], flags, { out, err: out })).toBe(0);
    const profile = JSON.parse(readFileSync(at('own.profile.json'), 'utf8'));
    expect(profileProblems(profile)).toEqual([]);
    expect(Math.abs(profile.load.mass_kg - 0.7)).toBeLessThan(0.05);
    // Typical friction is 1.1 of the nominal one when cold.
    const [coulomb, viscous] = [profile.friction.coulomb_n_m[0], profile.friction.viscous_n_m_s[0]];
    expect((coulomb + viscous) / (1.1 * (0.8 + 1.2))).toBeCloseTo(1, 0);
    const report = JSON.parse(text);
    expect(report.after.duration_p95).toBeLessThan(0.02);
    expect(report.used).toBeGreaterThan(15);
  });

  it('say what a public stream does not hold', async () => {
    const { profile, motions, timing } = fitArm([await readCapture(stream, noTarget)]);
    expect(motions.length).toBeGreaterThan(15);
    expect(timing?.residuals.double_s).toBeLessThan(2e-3);
    expect(profile.friction).toBeUndefined();
    expect(profile.load).toBeUndefined();
    const gap = profile.not_identifiable?.find(({ value }) => value === 'friction, load');
    expect(gap?.reason).toContain('no capture has motor torques');
  });

  it('give the same from MCAP', async () => {
    const quiet = { write: () => {} };
    await runReplay(recording, { mcap: at('own.mcap') }, { out: quiet, err: quiet });
    const { profile } = fitArm([await readCapture(at('own.mcap'), noTarget)]);
    expect(Math.abs((profile.load?.mass_kg ?? 0) - 0.7)).toBeLessThan(0.05);
  });
});
