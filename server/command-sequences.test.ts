/** Sequences of commands at zero delay that must not publish `ready` in motion. */
import { describe, expect, it } from 'vitest';
import { type RunningTwin, startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { BOX, COMMANDS, playSequence } from './command-sequences.cases.ts';
import { ADA } from './robot/robot-harness.cases.ts';

const speed = ({ robot }: RunningTwin) =>
  Math.max(...robot.source.feedback.velocity_rad_s.map(Math.abs));

/** Ticks until the robot is in a state; the speed of its fastest joint at that tick (rad/s). */
async function speedAt(twin: RunningTwin, state: string): Promise<number> {
  for (let i = 0; i < 250 && twin.robot.memory.state !== state; i++) await twin.clock.advance(1);
  expect(twin.robot.memory.state).toBe(state);
  return speed(twin);
}

describe.each(['fast', 'rapier'] as const)('at zero delay on %s', (driver) => {
  async function inMotion(
    mode: 'automatic' | 'teach',
    check: (twin: RunningTwin) => Promise<void>,
  ) {
    const twin = await startTwin({ ...TWIN_DEFAULTS, driver });
    await playSequence(twin, ['lock'], { phase: 'at rest', mode });
    twin.loop.apply(COMMANDS[mode === 'teach' ? 'go_to_teach' : 'go_to'](twin));
    await twin.clock.advance(60);
    expect(speed(twin)).toBeGreaterThan(0.1);
    await check(twin);
    await twin.close();
  }

  it('go_to, pause, cancel: ready at rest', () =>
    inMotion('automatic', async (twin) => {
      expect(twin.loop.apply({ kind: 'pause', caller: ADA })).toBeNull();
      expect(twin.loop.apply({ kind: 'cancel', caller: ADA })?.refused).toBe('wrong_state');
      expect(twin.robot.memory.state).toBe('running');
      expect(await speedAt(twin, 'paused')).toBeLessThan(1e-3);
      twin.loop.apply({ kind: 'cancel', caller: ADA });
      expect(await speedAt(twin, 'ready')).toBeLessThan(1e-3);
    }));

  it('collision, acknowledge: ready at rest', () =>
    inMotion('automatic', async (twin) => {
      twin.loop.applyWorldAction({ kind: 'contact', joint: 1 });
      await twin.clock.advance(2);
      expect(twin.robot.memory.state).toBe('collision');
      expect(speed(twin)).toBeGreaterThan(0.1);
      expect(twin.loop.apply({ kind: 'acknowledge_collision', caller: ADA })).toBeNull();
      expect(twin.robot.memory.state).toBe('collision');
      expect(await speedAt(twin, 'ready')).toBeLessThan(1e-3);
    }));

  it('teach go_to, pause, cancel, DELETE lock: unlocked at rest', () =>
    inMotion('teach', async (twin) => {
      twin.loop.apply({ kind: 'pause', caller: ADA });
      twin.loop.apply({ kind: 'cancel', caller: ADA });
      const release = () => twin.loop.apply({ kind: 'release_lock', caller: ADA });
      expect(release()?.refused).toBe('wrong_state');
      await speedAt(twin, 'paused');
      twin.loop.apply({ kind: 'cancel', caller: ADA });
      expect(release()).toBeNull();
      expect(speed(twin)).toBeLessThan(1e-3);
    }));

  it('power cycle, contact: ready once the arm has yielded', () =>
    inMotion('automatic', async (twin) => {
      twin.loop.apply({ kind: 'power_cycle' });
      twin.loop.applyWorldAction({ kind: 'obstacles', obstacles: [BOX] });
      expect(await speedAt(twin, 'ready')).toBeLessThan(1e-3);
    }));
});
