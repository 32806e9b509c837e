/** Moves of the arm that pause, begin in a station, or carry a piece of a simulated cell. */
import { describe, expect, it } from 'vitest';
import { ADA } from '../../server/robot/robot-harness.cases.ts';
import { CONFIG, pose } from '../definition/small-model.cases.ts';
import { PUT_DOWN, Stage } from './arm-stage.cases.ts';
import { jointsAt, rangeTowards } from './small-arm.cases.ts';
import { bodyOf, grip, put, smallCell } from './small-cell.cases.ts';

describe('a paused move of the arm', () => {
  function paused(): Stage {
    const stage = new Stage();
    stage.transporter.pause();
    expect(stage.kinds).toEqual([]);
    stage.start();
    stage.small.run(20);
    stage.transporter.pause();
    expect([stage.kinds.at(-1), stage.transporter.isAtRest]).toEqual(['pause', false]);
    stage.until(() => stage.transporter.isAtRest);
    expect(stage.state).toBe('paused');
    return stage;
  }

  it('goes on with the profile that was planned for its rest', async () => {
    const stage = paused();
    const { transporter } = stage;
    expect(await transporter.prepareResume({ isHolding: false })).toBeNull();
    expect(transporter.resume()).toBeNull();
    const last = stage.commands.at(-1)!;
    expect(last).toMatchObject({ kind: 'resume', caller: ADA });
    expect('profile' in last && last.profile).toMatchObject({ duration_s: expect.any(Number) });
    stage.until(() => !transporter.isBusy);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('does not go on with the profile of an earlier pause', async () => {
    const stage = paused();
    const { transporter } = stage;
    await transporter.prepareResume({ isHolding: false });
    transporter.resume();
    stage.small.run(20);
    transporter.pause();
    stage.until(() => transporter.isAtRest);
    expect(transporter.resume()).toMatch(/^the arm cannot resume: .+/);
    expect(stage.commands.at(-1)).toMatchObject({ kind: 'resume', profile: null });
    await transporter.prepareResume({ isHolding: false });
    expect(transporter.resume()).toBeNull();
  });

  it('forgets the profile where the resumption is prepared again and refused', async () => {
    const stage = paused();
    const { transporter } = stage;
    await transporter.prepareResume({ isHolding: false });
    expect(await transporter.prepareResume({ isHolding: true })).toMatch(/^the arm cannot move/);
    expect(transporter.resume()).toMatch(/^the arm cannot resume/);
  });

  it('is refused without the lock', async () => {
    const stage = paused();
    await stage.transporter.prepareResume({ isHolding: false });
    stage.apply({ kind: 'release_lock', caller: ADA });
    expect(stage.transporter.resume()).toBe('the arm cannot resume: lock not held');
  });

  it('resumes nothing where the arm does not pause, or no move is in progress', async () => {
    const stage = new Stage();
    expect(await stage.transporter.prepareResume({ isHolding: false })).toBeNull();
    expect(stage.transporter.resume()).toBeNull();
    stage.start();
    stage.small.run(10);
    expect(stage.transporter.resume()).toBeNull();
    expect(stage.kinds).not.toContain('resume');
    const idle = paused();
    idle.transporter.detach();
    await idle.transporter.prepareResume({ isHolding: false });
    expect([idle.transporter.resume(), idle.kinds.includes('resume')]).toEqual([null, false]);
  });

  it('is not prepared with an arm in an error', async () => {
    const stage = new Stage();
    const { transporter, small } = stage;
    expect(await transporter.prepareResume({ isHolding: true })).toBeNull();
    small.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
    small.run(2);
    for (const isHolding of [true, false]) {
      expect(await transporter.prepareResume({ isHolding })).toMatch(/^the arm cannot move: .+/);
    }
  });
});

describe('an arm that stands in a station', () => {
  const [x, y, top] = [0.35, -0.2, 0.3] as const;
  const station = {
    name: 'hotel slot 1',
    approach: jointsAt([x, y, top]),
    grip: jointsAt([x, y, top - 0.1]),
  };
  const joints = jointsAt([x, y, top - 0.02]);

  it('leaves it once the jaws are at rest, before the motion of the move', () => {
    const stage = new Stage({ joints, stations: [station] });
    expect(stage.start()).toBeNull();
    expect(stage.kinds).toEqual(['lock', 'renew_lock']);
    stage.small.run(124);
    expect(stage.kinds.length).toBe(2);
    stage.small.run(1);
    expect(stage.commands.slice(2)).toMatchObject([
      { kind: 'go_to', mode: 'automatic', caller: ADA },
    ]);
    stage.until(() => stage.kinds.length > 3);
    expect(stage.kinds.slice(3)).toEqual(['load', 'run']);
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('waits while the move is paused', () => {
    const stage = new Stage({ joints, stations: [station] });
    stage.start();
    stage.small.run(50);
    stage.transporter.pause();
    stage.small.run(500);
    expect(stage.kinds).not.toContain('go_to');
    expect(stage.transporter.isBusy).toBe(true);
    expect(stage.transporter.resume()).toBeNull();
    stage.small.run(2);
    expect(stage.kinds.at(-1)).toBe('go_to');
  });

  it('does not begin where another has moved it', () => {
    const moved = (turn_rad: number) => {
      const stage = new Stage({ joints, stations: [station] });
      stage.start();
      const [first, ...others] = joints;
      stage.apply({ kind: 'stand_at', joints: [first + turn_rad, ...others] });
      stage.small.run(130);
      return stage.events;
    };
    expect(moved(0.0011)).toEqual(['the arm was moved, or its motion was cancelled']);
    expect(moved(1e-9)).toEqual([]);
  });

  it('does not begin without a straight way out', () => {
    const range = rangeTowards(joints, station.approach);
    const stage = new Stage({ joints, stations: [station], range });
    expect(stage.start()).toMatch(/^the arm cannot move: it stands in hotel slot 1 /);
    expect([stage.transporter.isBusy, stage.kinds]).toEqual([false, ['lock', 'renew_lock']]);
  });

  it('does not begin without a way home', () => {
    const config = { ...CONFIG, home: pose(9) };
    const stage = new Stage({ joints, stations: [station], config });
    const fault = stage.start({ isHolding: true, toolpath: null });
    expect(fault).toMatch(/^the arm cannot go home: .+/);
    expect(stage.transporter.isBusy).toBe(false);
  });
});

describe('a move in a simulated cell', () => {
  it('is picked once the gripper holds the piece, and placed once it rests in its slot', () => {
    const cell = smallCell();
    const stage = new Stage({ cell: () => cell });
    stage.start();
    stage.until(() => stage.isClosed === true);
    stage.small.run(5);
    expect(stage.events).toEqual([]);
    grip(cell, true);
    stage.small.run(1);
    expect(stage.events).toEqual(['picked']);
    stage.until(() => stage.isClosed === false);
    stage.small.run(2);
    expect(stage.events).toEqual(['picked']);
    put(cell, 'plate_1', 'hotel nest 2');
    stage.small.run(1);
    expect(stage.events).toEqual(['picked', 'placed']);
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('does not fail by a grasp after its piece was placed', () => {
    const cell = smallCell();
    const stage = new Stage({ cell: () => cell });
    stage.start();
    grip(cell, true);
    stage.until(() => stage.events.includes('picked') && stage.isClosed === false);
    put(cell, 'plate_1', 'hotel nest 2');
    stage.small.run(1);
    expect(stage.events.at(-1)).toBe('placed');
    stage.apply({ kind: 'globals', caller: ADA, changes: [{ key: 'outputs.ee_d0', value: true }] });
    const about = { body: null, by: 'cup', at: null, text: 'it missed', steps: 0 };
    cell.events.add({ kind: 'missed', ...about });
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('does not end before its piece rests', () => {
    const cell = smallCell();
    const stage = new Stage({ cell: () => cell });
    stage.start();
    grip(cell, true);
    stage.until(() => stage.state === 'ready');
    stage.small.run(100);
    expect([stage.events, stage.transporter.isBusy]).toEqual([['picked'], true]);
    put(cell, 'plate_1', 'hotel nest 2');
    stage.small.run(1);
    expect(stage.events).toEqual(['picked', 'placed', 'done']);
  });

  it('fails with the motion where its piece drops or is missed', () => {
    for (const kind of ['missed', 'dropped'] as const) {
      const cell = smallCell();
      const body = bodyOf(cell, 'plate_1');
      const stage = new Stage({ cell: () => cell });
      stage.start();
      if (kind === 'dropped') grip(cell, true);
      stage.until(() => stage.isClosed === true);
      stage.small.run(3);
      cell.events.add({ kind, body, by: 'cup', at: null, text: `it ${kind}`, steps: 0 });
      stage.small.run(1);
      expect(stage.events.at(-1)).toContain(`it ${kind}`);
      expect([stage.kinds.at(-1), stage.transporter.isBusy]).toEqual(['abort_motion', false]);
      const { length } = stage.events;
      stage.small.run(500);
      expect([stage.events.length, stage.state]).toEqual([length, 'ready']);
    }
  });

  it('only goes home where its piece stands in its slot already', () => {
    const cell = smallCell();
    put(cell, 'plate_1', 'hotel nest 2');
    const stage = new Stage({ cell: () => cell, joints: pose(0.3) });
    stage.start({ isHolding: true, toolpath: PUT_DOWN });
    expect(stage.kinds).toEqual(['lock', 'renew_lock', 'go_to']);
    stage.small.run(1);
    expect(stage.events).toEqual(['placed']);
    stage.until(() => !stage.transporter.isBusy);
    expect(stage.events).toEqual(['placed', 'done']);
    expect(stage.small.robot.restPose[0]).toBeCloseTo(0, 6);
  });
});
