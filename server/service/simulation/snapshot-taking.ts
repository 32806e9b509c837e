/** Takes snapshots of the whole twin, between two ticks. */
import type { Simulation } from './simulation.ts';
import { type ToolpathsSnapshot, takeToolpaths } from './toolpaths-snapshot.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

/** Takes a snapshot of the twin. Precondition: the driver has a simulated world. */
export async function takeTwinSnapshot(simulation: Simulation): Promise<TwinSnapshot> {
  return twinSnapshotWith(simulation, await takeToolpaths(simulation.parts.services));
}

/** Takes a snapshot of the twin with the given saved toolpaths. */
export function twinSnapshotWith(
  { parts, obstacles, faults, forces }: Simulation,
  library: ToolpathsSnapshot,
): TwinSnapshot {
  const { services, driver, world } = parts;
  const { name } = services.database;
  return {
    driver: driver.name,
    tick: services.loop.tick,
    robot: services.robot.save(services.loop.tick),
    world: world!.snapshot(),
    disturbance: parts.driverFaults!.save(),
    obstacles: obstacles.list(),
    faults: faults.list(),
    update: services.updates.save(),
    push_end_tick: forces.endTick,
    status: parts.status.save(),
    digest: parts.digest.save(),
    name,
    software_version: services.updates.version,
    library,
  };
}
