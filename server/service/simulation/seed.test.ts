/** What a seed checks before it changes anything, what it leaves, and how it enters a state. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERROR_ROWS } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { refuse, refuseLimitReached } from '../../../contract/refusal.ts';
import type { ArmProfile, ProfileMotion } from '../../../contract/types.generated.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../../physics/arm/arm-model.ts';
import { ARM_MODEL, timingOf } from '../../../physics/motion/arm-profile.ts';
import type { CheckedSeed } from '../../documents/checked-seed.ts';
import { applySeed } from './seed.ts';
import { ADMIN, SMALL_TEXT, smallTwin } from './small-twin.cases.ts';

const POSE = [0, 0.5, -1.7, 0, -1.2, 0] as const;
const ADA = { email: 'ada@example.org', password: 'for Ada' };

let twin: Awaited<ReturnType<typeof smallTwin>>;
const seeded = (seed: object) => applySeed(twin.simulation, seed as CheckedSeed);
/** A refusal with these problems, and no others. */
const problems = (...found: readonly object[]) => ({
  refused: 'invalid_arguments',
  details: found,
});
/** The kinds of the actions on the simulated world. */
const actions = () => {
  const kinds: string[] = [];
  twin.services.loop.subscribe({ onAction: ({ kind }) => void kinds.push(kind) });
  return kinds;
};

beforeEach(async () => {
  twin = await smallTwin();
});

afterEach(() => twin.services.clock.stop());

describe('a seed', () => {
  it('is checked before anything changes, with all that is wrong at its place', async () => {
    const invalid = refuse('invalid_arguments', [{ path: '/toolpath/x', problem: 'is wrong' }]);
    const toolpaths = [
      { name: 'one', toolpath: SMALL_TEXT },
      { name: 'two', toolpath: invalid },
    ];
    const pose = [...POSE.slice(0, 4), JOINT_MIN_RAD[4]! - 0.01, JOINT_MAX_RAD[5]! + 0.01];
    const change = vi.spyOn(twin.database.store, 'change');
    expect(await seeded({ users: [ADA], toolpaths, pose })).toMatchObject(
      problems(
        { path: '/toolpaths/1/toolpath/x', problem: 'is wrong' },
        { path: '/pose/4', problem: expect.stringMatching(/^must lie between/) },
        { path: '/pose/5', problem: expect.stringMatching(/^must lie between/) },
      ),
    );
    expect(change).not.toHaveBeenCalled();
  });

  it('of parts leaves clock, schedule, arm and profile as they are', async () => {
    const { clock, robot } = twin.services;
    const { schedule } = robot.memory;
    Object.assign(schedule, { enabled: true, start_time: '08:00:00', next_start_ms: 7e12 });
    const set = vi.spyOn(clock, 'set');
    const seen = actions();
    expect(await seeded({ inputs: { d0: true } })).toBe(null);
    expect(robot.memory.schedule).toMatchObject({ next_start_ms: 7e12 });
    expect([seen, set.mock.calls]).toEqual([[], []]);
    expect(await seeded({ state: 'ready', clock: { pace: 5 } })).toBe(null);
    expect(seen).toEqual(['place']);
    expect(set).toHaveBeenCalledOnce();
    await seeded({ clock: { paused: true } });
    expect(clock).toMatchObject({ pace: { factor: 5 }, paused: true });
  });

  it('with the present name writes none', async () => {
    const change = vi.spyOn(twin.database, 'change');
    expect(await seeded({ name: twin.database.name })).toBe(null);
    expect(change).not.toHaveBeenCalled();
    expect(await seeded({ name: 'left arm' })).toBe(null);
    expect(twin.database.name).toBe('left arm');
  });

  it('of a cell in which the arm stands is refused with the place', async () => {
    const { world } = twin.simulation.parts;
    const met = { path: '/objects/0', problem: 'is in the arm' };
    vi.spyOn(world!, 'metByArm').mockReturnValue([met]);
    const cell = { name: 'empty' };
    expect(await seeded({ cell })).toMatchObject(problems({ ...met, path: '/cell/objects/0' }));
  });

  it('that is refused late begins the schedule of the clock at the time before', async () => {
    const set = vi.spyOn(twin.services.clock, 'set');
    const refused = problems({ path: '/state', problem: expect.stringMatching(/timeline/) });
    expect(await seeded({ inputs: { d0: true }, state: 'running' })).toMatchObject(refused);
    expect(twin.services.robot.memory.io.inputs['d0']).toBe(false);
    expect(set.mock.calls).toEqual([[{}]]);
  });
});

describe('a user of a seed', () => {
  it('that is refused ends it with the place and the reason', async () => {
    const { users } = twin.services;
    const full = refuseLimitReached('users', limits.users);
    vi.spyOn(users, 'create').mockResolvedValueOnce(full);
    const [{ problem }] = full.details as [{ problem: string }];
    expect(await seeded({ users: [ADA] })).toMatchObject(problems({ path: '/users/0', problem }));
    vi.spyOn(users, 'createToken').mockResolvedValueOnce(full);
    const tokens = [{ name: 'a', token: 'a token of sixteen characters' }];
    const second = { ...ADA, tokens };
    expect(await seeded({ users: [{ email: ADMIN }, second] })).toMatchObject(
      problems({ path: '/users/1', problem }),
    );
    expect(users.named(ADA.email)).toBe(null);
  });

  it('that must stay an admin is refused with the title where there are no details', async () => {
    const problem = ERROR_ROWS.last_admin.title;
    expect(await seeded({ users: [{ email: ADMIN, role: 'user' }] })).toMatchObject(
      problems({ path: '/users/0', problem }),
    );
  });
});

describe('a refused seed', () => {
  it('keeps what another call has changed of a user while it hashed the password', async () => {
    const { users } = twin.services;
    await users.create(ADA.email, null);
    const { id } = users.named(ADA.email)!;
    const update = users.update.bind(users);
    vi.spyOn(users, 'update').mockImplementationOnce(async (...seed) => {
      await update(id, { role: 'admin', email: 'Ada@example.org' });
      return update(...seed);
    });
    expect(await seeded({ users: [ADA], selected: 'none' })).not.toBe(null);
    const now = { id, email: 'Ada@example.org', role: 'admin', password: null };
    expect(users.find(id)).toEqual(now);
  });

  it('keeps a user whom another call has made meanwhile', async () => {
    const { users } = twin.services;
    await users.create(ADA.email, null);
    vi.spyOn(users, 'named').mockReturnValueOnce(null);
    const seed = { users: [ADA], selected: 'none' };
    expect(await seeded(seed)).toMatchObject({ refused: 'invalid_arguments' });
    expect(users.named(ADA.email)).toMatchObject({ role: 'user', password: null });
  });
});

describe('a toolpath of a seed', () => {
  it('is created where another call removes it meanwhile', async () => {
    const { library } = twin.services;
    const toolpaths = [{ name: 'one', toolpath: SMALL_TEXT }];
    await seeded({ toolpaths });
    const { id } = library.named(1, 'one')!;
    vi.spyOn(library, 'update').mockImplementationOnce(async () => {
      await library.remove(id);
      return null;
    });
    const changed = { ...SMALL_TEXT, hash: 'another content' };
    expect(await seeded({ toolpaths: [{ name: 'one', toolpath: changed }] })).toBe(null);
    expect(library.named(1, 'one')).toMatchObject({ hash: 'another content' });
  });

  it('that cannot be saved ends it with the place and the reason', async () => {
    const full = refuseLimitReached('toolpaths of yours', limits.toolpaths_per_user);
    vi.spyOn(twin.services.library, 'create').mockResolvedValueOnce(full);
    const [{ problem }] = full.details as [{ problem: string }];
    const toolpaths = [{ name: 'one', toolpath: SMALL_TEXT }];
    expect(await seeded({ toolpaths })).toMatchObject(problems({ path: '/toolpaths/0', problem }));
    expect(await seeded({ toolpaths })).toBe(null);
  });
});

describe('a profile of a seed', () => {
  const six = (value: number) => [value, value, value, value, value, value];
  const motion = {
    law: 'double_s',
    velocity_rad_s: six(1),
    acceleration_rad_s2: six(2),
    jerk_rad_s3: six(30),
  } as ProfileMotion;
  const profile: ArmProfile = { armtwin_profile: 1, arm: ARM_MODEL, motion };

  it('times the motions that are planned, and is given to the arm', async () => {
    const { robot, loop } = twin.services;
    const seen: unknown[] = [];
    loop.subscribe({ onAction: (action) => void seen.push(action) });
    expect(await seeded({ profile })).toBe(null);
    expect(robot.memory.timing).toEqual(timingOf(profile));
    expect(seen).toContainEqual({ kind: 'profile', profile });
  });

  it('of another arm is refused with its place', async () => {
    const refused = problems({ path: '/profile/arm', problem: expect.stringMatching(/another/) });
    expect(await seeded({ profile: { ...profile, arm: 'other' } })).toMatchObject(refused);
  });
});

describe('a clock of a seed', () => {
  it('with a date sets the next start and stop after that date', async () => {
    const { robot } = twin.services;
    const times = { start_time: '08:00:00', stop_time: '17:30:00' };
    Object.assign(robot.memory.schedule, { enabled: true, ...times, next_start_ms: 1 });
    expect(await seeded({ clock: { date: '2030-01-01T07:59:58Z' } })).toBe(null);
    expect(robot.memory.schedule).toMatchObject({
      next_start_ms: Date.parse('2030-01-01T08:00:00Z'),
      next_stop_ms: Date.parse('2030-01-01T17:30:00Z'),
    });
  });
});

describe('a seed that fails', () => {
  it('is taken back as a refused one is, and the error goes on', async () => {
    const { updates, users, robot } = twin.services;
    vi.spyOn(updates, 'apply').mockImplementation(() => {
      throw new Error('a defect');
    });
    const seed = { name: 'other', users: [ADA], inputs: { d0: true }, state: 'updating' };
    await expect(seeded(seed)).rejects.toThrow('a defect');
    expect(users.named(ADA.email)).toBe(null);
    expect(twin.database.name).not.toBe('other');
    expect(robot.memory.io.inputs['d0']).toBe(false);
  });
});

describe('a state of a seed', () => {
  const selected = { toolpaths: [{ name: 'one', toolpath: SMALL_TEXT }], selected: 'one' };

  it('runs the selected toolpath for ever, which a later seed without one leaves', async () => {
    expect(await seeded({ ...selected, state: 'running' })).toBe(null);
    const { memory } = twin.services.robot;
    expect(memory).toMatchObject({ state: 'running', loop_target: 0 });
    expect(memory.activity).toMatchObject({ kind: 'run', mode: 'automatic' });
    expect(await seeded({ inputs: { d0: true } })).toBe(null);
    expect(twin.services.robot.memory).toMatchObject({ loaded: { name: 'one' }, state: 'running' });
  });

  it('is ready where a seed of a running arm gives a pose alone', async () => {
    await seeded({ ...selected, state: 'running' });
    expect(await seeded({ pose: POSE })).toBe(null);
    expect(twin.services.robot.memory).toMatchObject({ state: 'ready', activity: null });
    expect([...twin.services.robot.restPose]).toEqual(POSE);
  });

  it('is entered as soon as the arm stands, not later', async () => {
    const toolpaths = [{ name: 'one', toolpath: SMALL_TEXT }];
    expect(await seeded({ toolpaths, selected: 'one', state: 'paused', pose: POSE })).toBe(null);
    const { robot, loop } = twin.services;
    expect(robot.memory.state).toBe('paused');
    expect(loop.now_s).toBeLessThan(limits.standstill_wait_s / 2);
  });

  it('that is refused by an update is named', async () => {
    vi.spyOn(twin.services.updates, 'apply').mockReturnValue(refuse('wrong_state', 'not now'));
    const refused = problems({ path: '/state', problem: 'not now' });
    expect(await seeded({ state: 'updating' })).toMatchObject(refused);
    vi.mocked(twin.services.updates.apply).mockReturnValue(
      refuse('invalid_arguments', [{ path: '/version', problem: 'is old' }]),
    );
    expect(await seeded({ state: 'updating' })).toMatchObject(
      problems({ path: '/state/version', problem: 'is old' }),
    );
  });
});
