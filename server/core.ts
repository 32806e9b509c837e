/**
 * The twin below its doors: what is kept, the joints, and the robot in its loop. Apart from the
 * composition root because it knows nothing of HTTP.
 */
import { DisturbedArm } from '../bridge/disturbed-arm.ts';
import { Pacer } from './clock/pacer.ts';
import { Timers } from './clock/timers.ts';
import { STEPPED_EPOCH_MS } from './clock/twin-time.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import { drivers } from './drivers.ts';
import { robotName, SOFTWARE_VERSION } from './identity.ts';
import type { Log } from './metrics/log.ts';
import { Digest } from './recording/digest.ts';
import { Loop, type LoopListener } from './robot/loop.ts';
import { Robot } from './robot/robot.ts';
import { Database } from './store/database.ts';
import { emptyRecords } from './store/records.ts';
import { Hub } from './stream/hub.ts';

/** What is kept, and the joints: everything that takes time before go_to works. */
export async function openBelow(config: Config, log: Log) {
  const fresh = emptyRecords(config.name ?? robotName(config.noise_seed), SOFTWARE_VERSION);
  const database = await Database.open(config.data, fresh);
  for (const finding of await database.inspect()) log.warn(finding);
  const { driver: inner, world, instruments, busFigures } = drivers[config.driver](config);
  const driver = new DisturbedArm(inner);
  const feedback = await driver.start();
  const figures = busFigures ?? (() => ({}));
  return { database, driver, world, instruments, feedback, busFigures: figures };
}

export type Below = Awaited<ReturnType<typeof openBelow>>;

/** The robot in its loop, with the stream and the digest listening. */
export function assembleRobot(config: Config, below: Below, log: Log) {
  const { driver, world, feedback } = below;
  const timers = new Timers();
  const stepped = config.pace.kind === 'stepped';
  const epoch_ms = stepped ? STEPPED_EPOCH_MS : systemClock.epoch_ms();
  const robot = new Robot({
    feedback,
    epoch_ms,
    timezone: config.timezone,
    seed: config.noise_seed,
    recover: () => driver.recover(),
  });
  const digest = new Digest(() => robot.memory);
  const hub = new Hub({
    onListening: (somebody) => robot.listen(somebody),
    lockHolder: () => robot.lockHolder,
    wall: systemClock,
  });
  const simHub = new Hub({
    onListening: () => {},
    lockHolder: () => robot.lockHolder,
    wall: systemClock,
  });
  const stream: LoopListener = {
    onEvents(events) {
      hub.publish(events);
      for (const event of events) if (event.kind === 'log') log.info(event.text);
    },
  };
  const loop = new Loop({
    robot,
    driver,
    reach: { world, disturbance: driver },
    timers,
    feedback,
    epoch_ms,
    listeners: [stream, digest],
  });
  const clock = new Pacer(config.pace, systemClock);
  return { timers, robot, world, digest, hub, simHub, loop, clock };
}

export type Core = ReturnType<typeof assembleRobot>;
