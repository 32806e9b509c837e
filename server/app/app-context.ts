import type { Config } from '../cli/config.ts';
import type { HttpServer } from '../service/http/http-server.ts';
import type { Services } from '../service/http/services.ts';
import type { Log } from '../service/logging/log.ts';
import type { HealthMonitor } from '../service/metrics/health-monitor.ts';
import type { Simulation } from '../service/simulation/simulation.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { RobotAssembly } from './robot-assembly.ts';
import type { WorkflowSystem } from './workflow-assembly.ts';

/** Everything that the HTTP side needs of the application. */
export interface AppContext {
  readonly config: Config;
  readonly log: Log;
  readonly infrastructure: Infrastructure;
  readonly robotAssembly: RobotAssembly;
  readonly services: Services;
  readonly simulation: Simulation | null;
  readonly workflows: WorkflowSystem;
  readonly server: HttpServer;
  readonly health: HealthMonitor;
}
