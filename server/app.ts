/**
 * The composition root: chooses the parts and joins them, and holds nothing else. The server
 * listens before the joints are ready, and answers 503 until go_to works.
 */
import type { ArmWorld } from '../bridge/arm-world.ts';
import type { Clock } from './clock/clock.ts';
import type { Timers } from './clock/timers.ts';
import { systemClock } from './clock/wall-clock.ts';
import type { Config } from './config.ts';
import { assembleRobot, openBelow } from './core.ts';
import { tellNetwork } from './discovery/discovery.ts';
import { endAll } from './ending.ts';
import { createFront, createStreamDoor, openDoors } from './front.ts';
import { furnish, openSimulation } from './furnishing.ts';
import { shut } from './http/server.ts';
import { BlackBox } from './metrics/black-box.ts';
import { createLog } from './metrics/log.ts';
import type { Digest } from './recording/digest.ts';
import type { Loop } from './robot/loop.ts';
import type { Robot } from './robot/robot.ts';
import { ensureAdmin, type MadeUp } from './sessions/first-admin.ts';
import { comeUp } from './sim/resetting.ts';
import { openWorkflows } from './workflows.ts';

/** A running twin, as the process and tests in it hold it. */
export interface RunningTwin {
  readonly url: string;
  readonly port: number;
  readonly robot: Robot;
  readonly loop: Loop;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly digest: Digest;
  /** The world around a simulated arm, or null. */
  readonly world: ArmWorld | null;
  /** Secrets that were made up at the start and must be told once. */
  readonly madeUp: MadeUp | null;
  readonly blackBox: BlackBox;
  close(): Promise<void>;
}

/** Starts a twin by its settings; resolves when go_to works. */
export async function startTwin(config: Config): Promise<RunningTwin> {
  const log = createLog(config.logLevel);
  const { gate, server, port } = await openDoors(config);
  const below = await openBelow(config, log);
  const core = assembleRobot(config, below, log);
  const rooms = furnish(below, core, log);
  const madeUp = await ensureAdmin(rooms.people, config);
  const { driver } = below;
  const simulation = openSimulation({ config, below, core, rooms });
  const workflows = await openWorkflows({ config, core, rooms, simulation, log, port });
  const hubs = [core.hub, ...(simulation ? [simulation.parts.hub] : [])];
  let closing: string | null = null;
  const blackBox = new BlackBox();
  const notReady = () => closing;
  const house = {
    ...{ config, log, below, core, rooms, simulation, workflows },
    ...{ server, blackBox, notReady },
  };
  core.loop.follow(blackBox);
  core.clock.start(core.loop);
  const endRecording = await comeUp(simulation, config);
  gate.open(createFront(house));
  server.on('upgrade', createStreamDoor(house));
  const leaveNetwork = await tellNetwork(config, {
    name: below.database.records.name,
    port,
    onError: (error) => log.error('The network was not told of the arm', error),
  });
  const stopPings = hubs.map((hub) => hub.keepAlive(systemClock));
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;

  const close = async () => {
    if (closing) return;
    closing = 'The twin is shutting down';
    core.loop.apply({ kind: 'shut_down' });
    core.clock.stop();
    await endAll([
      leaveNetwork,
      () => {
        for (const stop of stopPings) stop();
        for (const hub of hubs) hub.closeAll('The twin is shutting down');
      },
      () => shut(server, systemClock),
      endRecording,
      () => workflows.close(),
      () => rooms.planner.close(),
      () => driver.stop(),
      () => below.database.close(),
    ]);
  };
  return { ...core, url: `http://${host}:${port}`, port, madeUp, blackBox, close };
}
