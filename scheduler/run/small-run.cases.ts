/** A run of a hand-made model on an ideal arm, alone on its workcell. Test code. */
import type { RunEvent, RunFault } from '../../contract/types.generated.ts';
import { systemClock as wall } from '../../server/clock/wall-clock.ts';
import type { ToolpathLoader } from '../arm-port.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { ArmShare } from '../workcell/arm-share.ts';
import { loadingArm } from '../workcell/fake-moves.cases.ts';
import type { LabwareTransporter } from '../workcell/labware-transporter.ts';
import { SharedWorkcell } from '../workcell/shared-workcell.ts';
import { SmallArm } from '../workcell/small-arm.cases.ts';
import { TimedTransporter } from '../workcell/timed-transporter.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { RunProgress } from './progress.ts';
import { Run } from './run.ts';
import { RunLog } from './run-log.ts';
import { SimulatedResults } from './simulated-results.ts';

interface Options {
  readonly faults?: readonly RunFault[];
  /** By default moves take their time. */
  readonly transporter?: LabwareTransporter;
  readonly arm?: ToolpathLoader;
}

/** A run with what a test sees of it, and changes. */
export interface SmallRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  /** Names of the instruments that are down. */
  readonly down: Set<string>;
  /** Lets the time of the twin pass (s). */
  pass(duration_s: number): void;
}

/** Plans a run; nothing starts before `run.start` or an action. */
export async function smallRun(model: WorkflowModel, options: Options = {}): Promise<SmallRun> {
  const { faults = [], arm = loadingArm() } = options;
  const small = new SmallArm();
  const { loop, timers } = small;
  const transporter = options.transporter ?? new TimedTransporter(loop, timers);
  const down = new Set<string>();
  const downSince = (id: string) => (down.has(id) ? 0 : null);
  const [statics, stock] = [new Map(), new Map()];
  const workcell = { transporter, time: loop, timers, wall, downSince, statics, stock, seed: 1 };
  const shared = new SharedWorkcell({ ...workcell, onEmpty: () => {} });
  const moves = await PreparedMoves.prepare(model, { arm, wall });
  const progress = new RunProgress(model);
  const schedule = { priority: 5, start_after_s: 0, due_s: Number.POSITIVE_INFINITY };
  const limits = { violations: [], isBroken: () => false };
  const rest = { limits, plan: null, isActive: true, start_tick: loop.tick };
  const starting = { model, moves, progress, schedule, ...rest };
  const found = await shared.joint.planWith(starting, { tick: loop.tick, seed: 1, wall });
  if (!found.ok) throw new Error(found.error.messages.join('; '));
  const events: RunEvent[] = [];
  const log = new RunLog(1, loop, (event) => events.push(event));
  const share = { shared, transporter: new ArmShare(shared.arm), log, held: null, downSince };
  const cell = () => null;
  const parts = { ...starting, ...share, arm: small.port, time: loop, timers, wall, cell };
  const run = new Run(
    { ...parts, results: new SimulatedResults(model, faults, 1) },
    found.value.plans[0]!,
  );
  shared.add(run, found.value, loop.tick);
  const pass = (duration_s: number) => {
    const target = loop.tick + Math.round(duration_s * 250);
    loop.runTo(target, { jump: true, stop: () => false });
  };
  return { run, events, down, pass };
}
