/** Connects the robot to its driver, clock, event streams and monitors. */

import { timingOf } from '../../physics/motion/arm-profile.ts';
import type { Config } from '../cli/config.ts';
import { Pacer } from '../clock/pacer.ts';
import { Timers } from '../clock/timers.ts';
import { STEPPED_EPOCH_MS } from '../clock/twin-time.ts';
import { InvariantMonitor } from '../robot/invariant-monitor.ts';
import { recordViolation } from '../robot/invariant-violations.ts';
import { LockKeeper } from '../robot/lock-keeper.ts';
import { ControlLoop } from '../robot/loop.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import { Robot } from '../robot/robot.ts';
import type { Log } from '../service/logging/log.ts';
import { Digest } from '../service/simulation/digest.ts';
import { FaultInjectingHub } from '../service/simulation/faults/fault-injecting-hub.ts';
import { EVERYONE } from '../service/stream/audience.ts';
import { Hub, type HubOptions } from '../service/stream/hub.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Connects the robot to its driver; the event stream and the digest subscribe to the loop. */
export function assembleRobot(config: Config, infrastructure: Infrastructure, log: Log) {
  const { wall, database, driver, driverFaults, injectedFaults, world, feedback } = infrastructure;
  const timers = new Timers();
  const stepped = config.pace.kind === 'stepped';
  const epoch_ms = stepped ? STEPPED_EPOCH_MS : wall.epoch_ms();
  const robot = new Robot({
    feedback,
    epoch_ms,
    timezone: config.timezone,
    seed: config.noise_seed,
    settings: database.armSettings,
    recover: () => driver.recover(),
    timing: config.profile && timingOf(config.profile),
    range: driver.range_rad ?? null,
    guidingRefusal: () => driver.guidingRefusal ?? null,
  });
  const digest = new Digest({ robot, world, loop: () => loop });
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
      for (const event of events) {
        if (event.kind === 'log') log[event.level === 'info' ? 'info' : 'warn'](event.text);
      }
    },
  };
  const invariants = new InvariantMonitor({
    robot,
    feedback,
    onViolation(violation) {
      recordViolation(violation);
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
  loop.subscribe(new LockKeeper({ robot, loop, timers, clock, wall }));
  return { timers, robot, world, digest, hub, simHub, loop, clock, invariants };
}

export type RobotAssembly = ReturnType<typeof assembleRobot>;
