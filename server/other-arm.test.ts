/** Twins of an arm that comes with the program and is not the default one, on both plants. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SHIPPED_ARMS } from '../arms/shipped-arms.ts';
import { flangeAt } from '../physics/kinematics/dense-search.cases.ts';
import type { withTwinClient } from './service/simulation/twin-client.cases.ts';

const NAME = 'viperx-300';
const ARM = SHIPPED_ARMS[NAME]!;
/** The whole server loads once more: on a busy machine that takes long. */
const LOADING_MS = 240_000;
const GOAL = [0.5, -0.4, 0.3, 0.6, 0.7, -0.2] as const;

describe(`a twin of ${NAME}`, () => {
  let withTwin: typeof withTwinClient;
  beforeAll(async () => {
    vi.stubEnv('ARMTWIN_ARM', NAME);
    vi.resetModules();
    ({ withTwinClient: withTwin } = await import('./service/simulation/twin-client.cases.ts'));
  }, LOADING_MS);
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  it.each(['fast', 'rapier'] as const)('moves on the plant %s', async (driver) => {
    await withTwin({ driver, arm: NAME }, async ({ twin, arm }) => {
      await arm.startRecording();
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [...GOAL], max_speed: 0.8 });
      expect(await twin.until('ready', 20)).toBe(true);
      await twin.advance(0.5);
      const { kinematics } = twin.snapshot();
      kinematics.joints.forEach((joint, j) => {
        expect(Math.abs(Number(joint) - GOAL[j]!)).toBeLessThan(2e-3);
      });
      await arm.stopRecording();
      const [head = ''] = (await arm.getTape()).tape.split('\n');
      expect(JSON.parse(head).arm.name).toBe(NAME);
    });
  });

  it('has the kinematics and the ratings of its arm', async () => {
    await withTwin({}, async ({ arm }) => {
      const { fk } = await arm.forwardKinematics({ joints: [...GOAL] });
      const flange = flangeAt(ARM, GOAL);
      const { position, orientation } = fk as Required<typeof fk>;
      expect([position.x, position.y, position.z]).toEqual(
        Array.from(flange.slice(9), (value) => expect.closeTo(value, 9)),
      );
      const { ik } = await arm.inverseKinematics({ position, orientation, guess: [...GOAL] });
      expect(ik).toMatchObject({ joints: GOAL.map((value) => expect.closeTo(value, 6)) });
    });
  });

  it('is the only arm of its process', async () => {
    const { createTwin } = await import('./index.ts');
    await expect(createTwin({ arm: 'default' })).rejects.toThrow(
      'It must be viperx-300, the arm of this process; for another, set ARMTWIN_ARM',
    );
  });
});
