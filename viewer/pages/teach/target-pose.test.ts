import { effect } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Joints } from '../../../contract/types.generated.ts';
import { JOINT_MAX_RAD } from '../../../physics/arm/arm-model.ts';
import { TargetPose } from './target-pose.ts';

const READY: Joints = [0, 0.5, -1.7, 0, -1.2, 0];
const DOWN = { kind: 'move', along: [0, 0, -1] } as const;
const OUT = { kind: 'move', along: [1, 0, 0] } as const;
const SPIN = { kind: 'turn', along: [0, 0, 1] } as const;

let target: TargetPose;
beforeEach(() => {
  target = new TargetPose(READY);
});

function height(): number {
  return target.pose()[11]!;
}

describe('a drag', () => {
  it('moves the tool and keeps its orientation', () => {
    const [from, z] = [target.pose(), height()];
    target.begin(DOWN);
    target.dragTo(0.05);
    expect(height()).toBeCloseTo(z - 0.05, 9);
    expect(target.pose()[0]).toBeCloseTo(from[0]!, 9);
    expect(target.view()).toMatchObject({ detached: true, problem: null, valid: true });
  });

  it('measures the amount from its start', () => {
    const z = height();
    target.begin(DOWN);
    for (const amount of [0.01, 0.05, 0.02]) target.dragTo(amount);
    expect(height()).toBeCloseTo(z - 0.02, 9);
  });

  it('rotates about the tool point', () => {
    const from = target.pose();
    target.begin(SPIN);
    target.dragTo(0.3);
    expect(target.view().joints[5]).not.toBeCloseTo(READY[5], 2);
    for (const i of [9, 10, 11]) expect(target.pose()[i]).toBeCloseTo(from[i]!, 9);
  });

  it('stops above the ground and reports it', () => {
    target.attach([0, -0.8, -1.6, 0, -0.74, 0]);
    target.begin(DOWN);
    target.dragTo(0.5);
    const { joints, problem, valid } = target.view();
    expect([problem?.code, valid]).toEqual(['plane_collision', true]);
    expect(height()).toBeGreaterThan(0);
    target.dragTo(0.6);
    expect(target.view().joints).toEqual(joints);
  });

  it('stops within reach, and returns when dragged back', () => {
    const x = target.pose()[9]!;
    target.begin(OUT);
    target.dragTo(3);
    expect(target.view().problem?.message).toMatch(/reach|range/);
    target.dragTo(0.03);
    expect(target.view().problem).toBeNull();
    expect(target.pose()[9]).toBeCloseTo(x + 0.03, 6);
  });

  it('stops before a zone and names it', () => {
    const z = height();
    const at = target.pose();
    target.setEnvironment({
      avoidance_zones: [
        {
          name: 'rack',
          position: { x: at[9]! - 0.1, y: at[10]! - 0.1, z: z - 0.3 },
          orientation: { w: 1, x: 0, y: 0, z: 0 },
          dimensions: { x: 0.2, y: 0.2, z: 0.2 },
          avoid: 'inside',
        },
      ],
    });
    target.begin(DOWN);
    target.dragTo(0.25);
    expect(target.view().problem).toMatchObject({ code: 'object_collision' });
    expect(target.view().problem!.message).toContain('rack');
    expect(height()).toBeGreaterThan(z - 0.1);
  });
});

describe('joints', () => {
  it('stay inside their limits, with a message', () => {
    const beyond = READY.with(1, JOINT_MAX_RAD[1]! + 0.1) as Joints;
    expect(target.tryJoints(beyond)).toBe(false);
    expect(target.view()).toMatchObject({ joints: READY, detached: false });
    const { code, message } = target.view().problem!;
    expect(code).toBe('j1_boundary_limit');
    expect(message).toMatch(/^J2 cannot be at [\d.]+°. Stay between −[\d.]+° and [\d.]+°.$/);
  });

  it('may move from one invalid pose to another', () => {
    const wrong = READY.with(1, JOINT_MAX_RAD[1]! + 0.1) as Joints;
    target.show(wrong);
    expect(target.view()).toMatchObject({ joints: wrong, valid: false });
    const nearer = READY.with(1, JOINT_MAX_RAD[1]! + 0.05) as Joints;
    target.tryJoints(nearer);
    expect(target.view().joints).toEqual(nearer);
    expect(target.tryJoints(READY)).toBe(true);
    expect(target.view()).toMatchObject({ joints: READY, valid: true, problem: null });
  });
});

describe('the arm', () => {
  const moved = READY.with(0, 1) as Joints;

  it('is followed until the ghost is detached, and again after it is attached', () => {
    target.follow(moved);
    expect(target.view().joints).toEqual(moved);
    target.tryJoints(READY);
    target.follow(moved);
    expect(target.view().joints).toEqual(READY);
    target.attach(moved);
    expect(target.view()).toMatchObject({ joints: moved, detached: false });
  });

  it('tells what follows it, of its parts only when they change', () => {
    const heard: boolean[] = [];
    const parts: boolean[] = [];
    effect(() => void heard.push(target.view().detached));
    target.detached.subscribe((detached) => void parts.push(detached));
    target.follow(moved);
    target.follow(moved);
    target.tryJoints(READY);
    expect(heard).toEqual([false, false, true]);
    expect(parts).toEqual([false, true]);
  });
});
