import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { limits } from '../../contract/limits.ts';
import { ballLoad } from '../../physics/dynamics/load.ts';
import { ArmRun } from './arm-run.cases.ts';
import { PLANTS } from './contact-choreography.cases.ts';

const POSE = [0.3, -0.8, -1.2, 0.2, -1, 0];

async function held(plant: (typeof PLANTS)[number]): Promise<ArmRun> {
  const arm = createSimulatedArm({ plant, start: POSE, realism: 'typical' });
  const run = new ArmRun(arm, await arm.start());
  run.watch(0.5);
  return run;
}

describe.each(PLANTS)('an arm at rest on %s', (plant) => {
  it('that loses its force is in error within 0.1 s of leaving its place, with the joint', async () => {
    const run = await held(plant);
    run.arm.world.setMotorsOff(true);
    const start = Float64Array.from(run.robot.restPose);
    let out_tick = Number.POSITIVE_INFINITY;
    run.until(() => {
      const { position_rad, velocity_rad_s } = run.feedback;
      const isOut = position_rad.some((angle, j) => Math.abs(angle - start[j]!) > limits.hold_rad);
      const isFast = velocity_rad_s.some((rate) => Math.abs(rate) > limits.hold_rad_per_s);
      if (isOut || isFast) out_tick = Math.min(out_tick, run.tick);
      return run.state !== 'ready';
    });
    expect(run.state).toBe('error');
    expect((run.tick - out_tick) * TICK_S).toBeLessThanOrEqual(limits.hold_s + 2 * TICK_S);
    expect(run.robot.memory.error).toMatch(/^J[23] is not held: .* rad from its place/);
    await run.arm.stop();
  });

  it('stays ready under pushes and loads that its drives hold', async () => {
    const run = await held(plant);
    run.arm.world.setLoad(ballLoad(1.25));
    run.watch(1);
    run.arm.world.push([25, -25, 20]);
    run.watch(1);
    run.arm.world.push([0, 0, 0]);
    run.watch(1);
    run.arm.world.setLoad(null);
    run.watch(1);
    expect(run.states).toEqual(['ready']);
    await run.arm.stop();
  });
});
