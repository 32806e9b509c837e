/**
 * Faults can be injected only where the simulation control API is on and the arm is simulated; the
 * plain parts are composed otherwise.
 */
import { describe, expect, it } from 'vitest';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { type Config, TWIN_DEFAULTS } from '../cli/config.ts';
import { createLog } from '../service/logging/log.ts';
import { Hub } from '../service/stream/hub.ts';
import { Updates } from '../service/updates/updates.ts';
import { createInfrastructure } from './infrastructure.ts';
import { assembleRobot } from './robot-assembly.ts';
import { createServices } from './services.ts';
import { createSimulation } from './simulation-assembly.ts';

/** Class names of the composed parts, and the targets of injected faults. */
async function composed(settings: Partial<Config>) {
  const config: Config = { ...TWIN_DEFAULTS, pace: { kind: 'scaled', factor: 1 }, ...settings };
  const log = createLog(config.logLevel, { instance: 'test', version: '0' });
  const infrastructure = await createInfrastructure(config, log);
  const robotAssembly = assembleRobot(config, infrastructure, log);
  const services = createServices(infrastructure, robotAssembly, { log, config });
  const simulation = createSimulation({ config, infrastructure, robotAssembly, services, log });
  const { driver, driverFaults, injectedFaults, database } = infrastructure;
  const { planner, updates } = services;
  const parts = { driver, planner, updates, hub: robotAssembly.hub };
  await services.planner.close();
  await driver.stop();
  await database.close();
  return {
    parts,
    classes: Object.values(parts).map((part) => part.constructor.name),
    fault_targets: [driverFaults, injectedFaults, simulation?.parts.injectedFaults ?? null],
  };
}

const PLAIN = ['ThreadedPlanner', 'Updates', 'Hub'];

describe('composition', () => {
  it.each([
    ['a simulated arm with --no-sim', { driver: 'fast', sim: false }, 'SimulatedArm'],
    ['servos', { driver: 'servo', bus: 'memory', sim: true }, 'ServoArm'],
    ['servos with --no-sim', { driver: 'servo', bus: 'memory', sim: false }, 'ServoArm'],
    ['a mirrored arm', { driver: 'mirrored', bus: 'memory', sim: true }, 'MirroredArm'],
  ] as const)('uses the plain parts for %s', async (_, settings, driverClass) => {
    const { parts, classes, fault_targets } = await composed(settings);
    expect(classes).toEqual([driverClass, ...PLAIN]);
    expect(Object.getPrototypeOf(parts.hub)).toBe(Hub.prototype);
    expect(Object.getPrototypeOf(parts.updates)).toBe(Updates.prototype);
    expect(fault_targets).toEqual([null, null, null]);
  });

  it('uses the fault-injecting parts for a simulated arm with the simulation API', async () => {
    const { parts, classes } = await composed({ driver: 'fast', sim: true });
    expect(parts.driver).toBeInstanceOf(FaultInjectingDriver);
    expect(classes).toEqual(
      ['Driver', 'Planner', 'Updates', 'Hub'].map((name) => `FaultInjecting${name}`),
    );
  });
});
