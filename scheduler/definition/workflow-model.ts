/**
 * The workflow model: a checked definition with names resolved to indices and defaults filled in.
 * Planner, runs and replies use it; the stored definition keeps the wire format.
 */

import type {
  DataOutputs,
  Hook,
  OnFailure,
  SimulatedOutput,
  TransportConfig,
  WorkflowTask,
  WorkflowTimeConstraint,
} from '../../contract/types.generated.ts';
import type { PlanInstrument, PlanLabware, PlanTask } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { Supply, Taking } from './supplies.ts';
import type { ModelCondition } from './task-condition.ts';

/** An instrument; its shifts are times of day (s since midnight, UTC). */
export interface ModelInstrument extends PlanInstrument {
  /** Number of slots, from 1; one piece in each. */
  readonly slots: number;
  /** Time from the start of the first of the active runs to the first task (s). */
  readonly warm_up_s?: number;
  readonly type: string;
  readonly bench: string;
  readonly mappings: readonly string[];
  /** What it returns by name where a task does not say it. */
  readonly outputs?: Readonly<Record<string, SimulatedOutput>>;
}

/** A piece of labware; what is printed on it, if the definition says it. */
export interface ModelLabware extends PlanLabware {
  readonly barcode?: string;
}

/** Operator actions that are allowed after a task has failed. */
export interface FailureActions {
  readonly retry: boolean;
  /** The operator did the task by hand: it has succeeded. */
  readonly complete: boolean;
  /** The failure is ignored: the task is not done. */
  readonly skip: boolean;
  /** Whether any of them is offered. */
  readonly isOffered: boolean;
  /** Infinity for no limit. */
  readonly max_retries: number;
}

/** What follows a failure of a task without an operator. */
export interface FailurePolicy {
  /** How often it is tried again by itself. */
  readonly retries: number;
  /** Time between a failure and the next try (s). */
  readonly delay_s: number;
  readonly action: NonNullable<OnFailure['action']>;
}

export interface ModelTask extends Omit<PlanTask, 'duration_s'> {
  readonly action: string;
  /** Time that the plan allows (s). */
  readonly estimate_s: number;
  /** Time that the simulated instrument takes (s); Infinity where a person says when it is done. */
  readonly execution_s: number;
  /** What a person is asked to do; absent where an instrument does the task. */
  readonly prompt?: string;
  /** Time after which it fails that a person has not said to be done (s); Infinity for never. */
  readonly time_out_s: number;
  readonly succeeds: boolean;
  /** What it returns by name, before what its instrument says. */
  readonly outputs?: DataOutputs;
  /** Units that it takes as it starts; absent: none. */
  readonly takes?: readonly Taking[];
  /** The piece whose barcode it reads; absent: none. */
  readonly reads?: number;
  /** All must hold for it to be done; absent: it is done in any case. */
  readonly conditions?: readonly ModelCondition[];
  readonly skip: boolean;
  /** How another run has ended the task; absent for a task of this run. */
  readonly ended?: 'succeeded' | 'completed_manually' | 'skipped' | 'cancelled';
  readonly failureActions: FailureActions;
  readonly onFailure: FailurePolicy;
}

/** Joint poses of the arm for one slot (rad). */
export interface ArmStation {
  readonly approach: readonly number[];
  readonly grip: readonly number[];
}

/** Configuration of labware transport by the twin's own arm. */
export interface ArmTransportSetup {
  readonly config: TransportConfig;
  /** Poses by `locationKey`. */
  readonly stations: ReadonlyMap<string, ArmStation>;
}

export interface WorkflowModel {
  readonly name: string;
  /** All instruments except those of type transport. */
  readonly instruments: readonly ModelInstrument[];
  readonly tasks: readonly ModelTask[];
  /** The pieces that are carried. */
  readonly labware: readonly ModelLabware[];
  /** Labware whose units are counted. */
  readonly supplies: readonly Supply[];
  readonly constraints: readonly WorkflowTimeConstraint[];
  readonly hooks: readonly Hook[];
  /** Slots into which the planner may put labware aside. */
  readonly buffers: readonly SlotLocation[];
  /** Slots to which labware is taken that is given up. */
  readonly rejects: readonly SlotLocation[];
  /** Null if moves are timed by the transport matrix only. */
  readonly arm: ArmTransportSetup | null;
  /** The seed of plans where a call gives none. */
  readonly seed: number;
  readonly default_move_s: number;
  /** Move times by the names of instruments and benches (s). */
  readonly pathTimes_s: ReadonlyMap<string, number>;
}

/** Returns what follows a failure of a task: what it says itself, what the workflow says, or the usual. */
export function failurePolicyOf(
  actions: FailureActions,
  ...given: readonly (OnFailure | undefined)[]
): FailurePolicy {
  const usual = actions.isOffered ? 'pause_run' : 'stop';
  const {
    retries = 0,
    retry_delay_s = 0,
    action = usual,
  } = Object.assign({}, ...given) as OnFailure;
  return { retries, delay_s: retry_delay_s, action };
}

/** Returns the failure actions of a task: retry and manual completion unless it says otherwise. */
export function failureActionsOf(
  given?: WorkflowTask['available_failure_actions'],
): FailureActions {
  const { retry = true, complete_manually: complete = true, ignore: skip = false } = given ?? {};
  const max_retries = given?.max_retries ?? Number.POSITIVE_INFINITY;
  return { retry, complete, skip, isOffered: retry || complete || skip, max_retries };
}
