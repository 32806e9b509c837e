/** What an emergency stop meets on its way, and how it keeps its path: log and status. */
import { describe, expect, it } from 'vitest';
import type { Nearby } from '../../../bridge/arm-world.ts';
import type { AvoidanceZone, Joints } from '../../../contract/types.generated.ts';
import { planEmergencyStop } from '../../../physics/motion/emergency-stop.ts';
import { planJointMove } from '../../../physics/motion/joint-move.ts';
import { PROTECTIVE_LIMITS } from '../../../physics/motion/limits.ts';
import type { LoadedToolpath } from '../../robot/loaded-toolpath.ts';
import { StopWatch } from './stop-watch.ts';
import { openSimulationStream, pollUntilDefined, withTwinClient } from './twin-client.cases.ts';

const CAPS = { tool_speed_m_s: 1, tool_offset_m: [0, 0, 0] as const };

/** A stop in the middle of a move from upright to a side. */
function aStop() {
  const end = Float64Array.of(1.2, 0.6, -0.8, 0.2, -0.6, 0.3);
  const { path, profile } = planJointMove({
    ...{ start: new Float64Array(6), end, caps: CAPS, waypoints: [] },
  });
  const elapsed_s = profile.duration_s / 2;
  return planEmergencyStop(path, { profile, elapsed_s }, PROTECTIVE_LIMITS);
}

/** The lines about a stop in a world, with the zones of the loaded toolpath. */
function linesOf(near: Nearby | null, zones: readonly AvoidanceZone[] = []): string[] {
  const lines: string[] = [];
  const loaded = { metadata: { avoidance_zones: zones } } as Partial<LoadedToolpath>;
  const watch = new StopWatch({
    memory: () => ({ loaded: loaded as LoadedToolpath }),
    world: { nearestTo: () => near },
    report: (level, text) => lines.push(`${level}: ${text}`),
  });
  watch.onEvents([{ kind: 'emergency_stop', stop: aStop() }]);
  return lines;
}

describe('the way of an emergency stop', () => {
  it('names an obstacle that it meets, one that is near, and says what it has looked at', () => {
    const near = { link: 6, obstacle: 'a crate', distance_m: 0.0123 };
    expect(linesOf(near)).toEqual([
      'info: Nearest on the way of the emergency stop: link 6 and “a crate”, 12.3 mm',
    ]);
    expect(linesOf({ ...near, distance_m: -0.001 })).toEqual([
      'warning: The emergency stop meets: link 6 and “a crate”',
    ]);
    expect(linesOf(null)).toEqual([
      'info: The emergency stop meets neither the floor, the arm nor a zone; obstacles and the ' +
        'cell are more than 20 mm away',
    ]);
  });

  it('names a zone of the loaded toolpath that the arm enters', () => {
    const zone: AvoidanceZone = {
      ...{ name: 'press', avoid: 'inside' },
      position: { x: -2, y: -2, z: 0.2 },
      orientation: { w: 1, x: 0, y: 0, z: 0 },
      dimensions: { x: 4, y: 4, z: 3 },
    };
    const [line, ...others] = linesOf(null, [zone]);
    expect(line).toMatch(/^warning: On the way of the emergency stop: .*"press"/);
    expect(others).toEqual([]);
  });

  it.each(['fast', 'rapier'] as const)('is in the log and the status of %s', async (driver) => {
    await withTwinClient({ driver }, async (client) => {
      const { arm, twin } = client;
      const { seen, close } = await openSimulationStream(client);
      expect((await arm.getStatus()).last_stop).toBeNull();
      await arm.takeLock();
      const joints: Joints = [1.2, 0.6, -0.8, 0.2, -0.6, 0.3];
      await arm.goTo({ mode: 'automatic', joints });
      await twin.advance(0.6);
      await arm.setEmergencyStop({ engaged: true });
      await twin.advance(0.5);
      const { last_stop } = await arm.getStatus();
      expect(last_stop).toMatchObject({ deviation_m: 0, joints: [] });
      expect(last_stop!.duration_s).toBeGreaterThan(0.05);
      const texts = () => seen.flatMap((event) => (event.type === 'log' ? [event.text] : []));
      await pollUntilDefined(() => texts().find((text) => text.includes('keeps to the path')));
      await pollUntilDefined(() => texts().find((text) => text.includes('meets neither')));
      close();
    });
  });
});
