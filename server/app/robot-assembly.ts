/** Assembles the robot: its control loop, clock, timers, event streams and digest. */

import { cellFingerprint } from '../../physics/cell/cell-events.ts';
import { timingOf } from '../../physics/motion/arm-profile.ts';
import type { Config } from '../cli/config.ts';
import { Pacer } from '../clock/pacer.ts';
import { STEPPED_EPOCH_MS, Timers } from '../clock/twin-time.ts';
import type { Log } from '../metrics/log.ts';
import { Digest } from '../recording/digest.ts';
import { InvariantMonitor } from '../robot/invariants.ts';
import { ControlLoop, type LoopListener } from '../robot/loop.ts';
import { Robot } from '../robot/robot.ts';
import { FaultInjectingHub } from '../simulation/faults/fault-list.ts';
import { EVERYONE, Hub, type HubOptions } from '../stream/hub.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Connects the robot to its driver; the event stream and the digest subscribe to the loop. */
export function assembleRobot(config: Config, infrastructure: Infrastructure, log: Log) {
  const { wall, driver, driverFaults, injectedFaults, world, feedback } = infrastructure;
  const timers = new Timers();
  const stepped = config.pace.kind === 'stepped';
  const epoch_ms = stepped ? STEPPED_EPOCH_MS : wall.epoch_ms();
  const robot = new Robot({
    feedback,
    epoch_ms,
    timezone: config.timezone,
    seed: config.noise_seed,
    recover: () => driver.recover(),
    timing: config.profile && timingOf(config.profile),
    guidingRefusal: () => driver.guidingRefusal ?? null,
  });
  const digest = new Digest(
    () => robot.memory,
    () => cellFingerprint(world?.cell),
  );
  const lockHolder = () => robot.lockHolder;
  const hubOptions: HubOptions = {
    onSubscribersChange: (hasSubscribers) => robot.trackChanges(hasSubscribers),
    lockHolder,
    onDelivery: (delivery) => invariants.onDelivery(delivery),
  };
  const hub = injectedFaults
    ? new FaultInjectingHub(hubOptions, wall, injectedFaults.messages)
    : new Hub(hubOptions);
  const simHub = new Hub({ onSubscribersChange: () => {}, lockHolder });
  const stream: LoopListener = {
    onEvents(events) {
      hub.publishRobotEvents(events);
      for (const event of events) if (event.kind === 'log') log.info(event.text);
    },
  };
  const invariants = new InvariantMonitor({
    robot,
    feedback,
    onViolation(violation) {
      const { statement, left, right, tick } = violation;
      log.error(`Violated at tick ${tick}: ${statement}; ${left}, but ${right}`);
      simHub.publish({ type: 'violation', ...violation }, EVERYONE);
    },
  });
  const loop = new ControlLoop({
    robot,
    driver,
    worldPorts: { world, driverFaults },
    timers,
    feedback,
    epoch_ms,
    listeners: [stream, digest, invariants],
  });
  const clock = new Pacer(config.pace, wall);
  return { timers, robot, world, digest, hub, simHub, loop, clock, invariants };
}

export type RobotAssembly = ReturnType<typeof assembleRobot>;
