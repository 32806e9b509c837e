/** Each statement of the invariant monitor is violated by one fault of the robot, and noticed. */
import { afterEach, describe, expect, it } from 'vitest';
import { STATEMENTS } from './invariant-statements.ts';
import { takeViolations } from './invariant-violations.ts';
import type { RobotMemory } from './memory.ts';
import { ADA, BEN, RobotHarness, thereAndBack } from './robot-harness.cases.ts';

type Writable = { -readonly [Key in keyof RobotMemory]: RobotMemory[Key] };

const memoryOf = (harness: RobotHarness) => harness.robot.memory as Writable;

function running(mode: 'automatic' | 'teach' = 'automatic'): RobotHarness {
  const harness = new RobotHarness().prepare(thereAndBack());
  harness.apply({ kind: 'run', caller: ADA, mode, loop: 2 });
  harness.advance(0.3);
  return harness;
}

const WRONG_DELIVERY = {
  type: 'toolpath_created',
  audience: { kind: 'user', user_id: 1 },
  receiver: BEN,
};

/** Puts the robot into the state that a bug would lead to, then lets one tick pass. */
const FAULTS: Record<keyof typeof STATEMENTS, () => RobotHarness> = {
  'ready and paused are entered at standstill': () => {
    const harness = running();
    memoryOf(harness).state = 'paused';
    return harness;
  },
  'ready and paused have no motion': () => {
    const harness = running();
    memoryOf(harness).state = 'ready';
    memoryOf(harness).activity = null;
    return harness;
  },
  'running, stopping and paused have an activity, other states none': () => {
    const harness = running();
    memoryOf(harness).activity = null;
    return harness;
  },
  'a motion that runs moves, waits or comes to rest': () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'home', caller: ADA });
    harness.advance(0.1);
    memoryOf(harness).state = 'running';
    memoryOf(harness).activity = { kind: 'home' } as NonNullable<RobotMemory['activity']>;
    return harness;
  },
  'a teach-mode motion has an owner or is being dropped': () => {
    const harness = running('teach');
    memoryOf(harness).lock = null;
    return harness;
  },
  'a held lock is not expired': () => {
    const harness = running();
    memoryOf(harness).lock!.expires_tick = harness.tick - 10;
    return harness;
  },
  'the flange keeps to the cap of the mode': () => {
    const harness = running();
    Object.assign(memoryOf(harness).activity!, { mode: 'teach' });
    return harness;
  },
  'setpoints keep to the joint speeds': () => {
    const harness = running();
    harness.robot.reference[2]! += 0.1;
    return harness;
  },
  'setpoints lie on the planned path': () => {
    const harness = running();
    harness.robot.reference[4]! += 0.001;
    return harness;
  },
  'loops are counted one by one, up to the target': () => {
    const harness = running();
    memoryOf(harness).loop_count = 3;
    return harness;
  },
  'an error has a cause': () => {
    const harness = new RobotHarness();
    memoryOf(harness).state = 'error';
    return harness;
  },
  'an emergency stop disables the robot': () => {
    const harness = new RobotHarness();
    memoryOf(harness).estop = true;
    return harness;
  },
  'an awaited command is allowed': () => {
    const harness = new RobotHarness();
    memoryOf(harness).awaited = 'acknowledge_collision';
    return harness;
  },
  'the stream and the snapshot agree': () => {
    const harness = new RobotHarness();
    harness.robot.trackChanges(true);
    const changes = { control: { state: 'running' } };
    harness.monitor.onEvents([{ kind: 'state_change', changes }]);
    return harness;
  },
  'the changes on the stream add up to the snapshot': () => {
    const harness = new RobotHarness();
    harness.robot.trackChanges(true);
    const changes = { global: { estop: true } };
    harness.monitor.onEvents([{ kind: 'state_change', changes }]);
    return harness;
  },
  'an event reaches its audience alone': () => {
    const harness = new RobotHarness();
    const audience = { kind: 'user', user_id: 1 };
    harness.monitor.onDelivery({ type: 'toolpath_created', audience, receiver: ADA });
    expect(harness.monitor.counts).toEqual({});
    return harness;
  },
};

afterEach(() => {
  takeViolations();
});

describe('a statement that a fault violates is noticed', () => {
  it.each(Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[])('%s', (statement) => {
    const harness = FAULTS[statement]();
    expect(harness.monitor.counts[statement] ?? 0).toBe(0);
    if (statement.includes('flange')) harness.advance(0.3);
    if (statement.includes('audience')) harness.monitor.onDelivery(WRONG_DELIVERY);
    for (let i = 0; i < 252; i++) harness.monitor.onTick(harness.arm.feedback, harness.tick + i);
    expect(harness.monitor.counts[statement]).toBeGreaterThan(0);
    const found = takeViolations().find((each) => each.statement === statement);
    expect(found?.left).not.toBe(found?.right);
  });
});

describe('the flange of servos', () => {
  /** Ticks in which readings of the bus that lie several ticks apart come in one burst. */
  function afterStall(speedUp: number) {
    const harness = running();
    const { monitor, tick, arm } = harness;
    const { velocity_rad_s } = arm.feedback;
    const read = (ticks: number) => ({
      ...arm.feedback,
      age_s: 0.002,
      position_rad: arm.feedback.position_rad.map(
        (at, j) => at + ticks * 0.004 * velocity_rad_s[j]!,
      ),
      velocity_rad_s: velocity_rad_s.map((rate) => speedUp * rate),
    });
    const sampled = Math.ceil(tick / 25) * 25;
    monitor.onTick(read(0), sampled);
    monitor.onTick(read(20), sampled + 1);
    return harness.monitor.counts['the flange keeps to the cap of the mode'] ?? 0;
  }

  it('is not taken for fast after a stall of this machine', () => {
    expect(afterStall(1)).toBe(0);
  });

  it('is noticed when one reading says that it is fast', () => {
    expect(afterStall(20)).toBe(1);
  });
});
