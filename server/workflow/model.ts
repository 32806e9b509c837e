/**
 * A checked workflow definition: names resolved to indices, defaults filled in. What planner, runs
 * and replies are made from; the wire shape stays in the definition that was sent.
 */
import type { Hook, TransportConfig, WorkflowTimeConstraint } from '../../contract/types.ts';
import type { Place, PlanInstrument, PlanLabware, PlanTask } from './plan/problem.ts';

export interface ModelInstrument extends PlanInstrument {
  readonly type: string;
  readonly bench: string;
  readonly mappings: readonly string[];
}

/** What may be done when a task has failed. */
export interface FailureActions {
  readonly retry: boolean;
  /** By ignoring the failure, or because somebody did the task by hand. */
  readonly skip: boolean;
}

export interface ModelTask extends Omit<PlanTask, 'duration_s'> {
  readonly action: string;
  /** Time that the plan allows (s). */
  readonly estimate_s: number;
  /** Time that the simulated instrument takes (s). */
  readonly execution_s: number;
  readonly succeeds: boolean;
  readonly skip: boolean;
  readonly failureActions: FailureActions;
}

/** Poses of the arm for one slot (rad). */
export interface Station {
  readonly approach: readonly number[];
  readonly grip: readonly number[];
}

/** How the twin's own arm moves labware. */
export interface ArmTransport {
  readonly config: TransportConfig;
  /** Poses by place, as `stationKey` names it. */
  readonly stations: ReadonlyMap<string, Station>;
}

export interface WorkflowModel {
  readonly name: string;
  /** All but those of type transport. */
  readonly instruments: readonly ModelInstrument[];
  readonly tasks: readonly ModelTask[];
  readonly labware: readonly PlanLabware[];
  readonly constraints: readonly WorkflowTimeConstraint[];
  readonly hooks: readonly Hook[];
  /** Null where moves only take the time of the transport matrix. */
  readonly arm: ArmTransport | null;
  readonly default_move_s: number;
  /** Times between benches (s), as `source destination`. */
  readonly benchTimes_s: ReadonlyMap<string, number>;
}

/** Names a place among the stations. */
export function stationKey({ instrument, slot }: Place): string {
  return `${instrument}/${slot}`;
}

/** Time of a move by the transport matrix (s). */
export function matrixTime_s(model: WorkflowModel, from: Place, to: Place): number {
  const source = model.instruments[from.instrument]!.bench;
  const destination = model.instruments[to.instrument]!.bench;
  return model.benchTimes_s.get(`${source} ${destination}`) ?? model.default_move_s;
}
