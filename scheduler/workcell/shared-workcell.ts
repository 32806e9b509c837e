/**
 * A workcell as its active runs share it: one arm, instruments and slots for all, the pieces that
 * belong to no run, and one joint plan. A single run is the usual case.
 */

import type { Timers } from '../../server/clock/timers.ts';
import { clockAt_s, TICKS_PER_S, type TwinTime } from '../../server/clock/twin-time.ts';
import type { WallClock } from '../../server/clock/wall-clock.ts';
import { JointPlan } from '../joint/joint-plan.ts';
import type { JointResult } from '../joint/joint-problem.ts';
import type { Member } from '../joint/member.ts';
import type { JointWorld } from '../joint/planned-run.ts';
import { Replanning } from '../joint/replanning.ts';
import type { PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import { GONE, isSameLocation, locationKey, type SlotLocation } from '../plan/slot-location.ts';
import { isSameTime } from '../plan/time-tolerance.ts';
import type { Stock } from '../run/run-supplies.ts';
import type { SharedArm } from './arm-share.ts';
import type { LabwareTransporter } from './labware-transporter.ts';
import type { Neighbours } from './neighbours.ts';

export interface SharedWorkcellParts {
  readonly transporter: LabwareTransporter;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly wall: WallClock;
  /** The tick since which an instrument is down; null for one that is up. */
  readonly downSince: (id: string) => number | null;
  readonly seed: number;
  /** Pieces on the deck that belong to no run. */
  readonly statics: ReadonlyMap<string, SlotLocation>;
  /** The units that are left of its labware. */
  readonly stock: Stock;
  /** Called when the last run has ended. */
  readonly onEmpty: () => void;
}

export class SharedWorkcell implements JointWorld {
  readonly runs: Member[] = [];
  readonly statics: Map<string, SlotLocation>;
  version = 0;
  /** A piece in the gripper whose run has ended. */
  leftInGripper: string | null = null;
  readonly joint: JointPlan;
  readonly replanning: Replanning;
  readonly downSince: (id: string) => number | null;
  readonly begun_tick: number;
  readonly stock: Stock;
  /** The arm, of which each run has a share. */
  readonly arm: SharedArm;
  private readonly parts: SharedWorkcellParts;
  private isDispatching = false;
  private mustDispatch = false;

  constructor(parts: SharedWorkcellParts) {
    this.parts = parts;
    this.downSince = parts.downSince;
    this.begun_tick = parts.time.tick;
    this.stock = parts.stock;
    this.arm = { transporter: parts.transporter, owner: null };
    this.statics = new Map(parts.statics);
    this.joint = new JointPlan(this, parts.seed);
    this.replanning = new Replanning({ ...parts, joint: this.joint, members: this.runs });
  }

  clockAt_s = (tick: number): number => clockAt_s(this.parts.time, tick);

  /** Adds a run; `found` are the plans of all runs with the new one last, made at `tick`. */
  add(run: Member, { plans }: JointResult, tick: number): void {
    const others = [...this.runs];
    this.runs.push(run);
    for (const { id } of run.model.labware) {
      this.statics.delete(id);
      if (this.leftInGripper === id) this.leftInGripper = null;
    }
    for (const { id, location } of run.model.supplies) if (location) this.statics.set(id, location);
    this.hasChanged();
    if (others.length === 0) return;
    const isCurrent = tick === this.parts.time.tick && plans.length === this.runs.length;
    if (isCurrent) this.replanning.adopt({ faults: [], plans: plans.slice(0, -1) }, null);
    run.isProvisional = !isCurrent;
    if (!isCurrent) this.replanning.request(`${run.model.name} has begun`);
  }

  /** Removes a run that has ended: its pieces stay where they are. */
  remove(run: Member, { goOn }: { readonly goOn: boolean }): void {
    const at = this.runs.indexOf(run);
    if (at < 0) return;
    this.runs.splice(at, 1);
    run.progress.locations.forEach((location, piece) => {
      const { id } = run.model.labware[piece]!;
      if (location === null) this.leftInGripper = id;
      else if (location !== GONE) this.statics.set(id, location);
    });
    this.hasChanged();
    if (this.runs.length === 0) this.parts.onEmpty();
    else if (goOn) this.changed(`${run.model.name} has ended`);
  }

  private hasChanged(): void {
    this.version += 1;
    this.replanning.cancel();
  }

  /** Replaces the pieces that belong to no run, as an operator has corrected the deck. */
  setStatics(statics: ReadonlyMap<string, SlotLocation>, gripped: string | null): void {
    this.statics.clear();
    for (const [id, location] of statics) this.statics.set(id, location);
    this.leftInGripper = gripped;
    this.hasChanged();
    this.changed('the deck was set');
  }

  /** Something has happened that the joint plan does not know of; says what. */
  changed(reason: string): void {
    this.replanning.request(reason);
    this.dispatch();
  }

  /** Starts whatever is ready in any run; called after every change. */
  dispatch(): void {
    this.mustDispatch = true;
    if (this.isDispatching) return;
    this.isDispatching = true;
    try {
      while (this.mustDispatch) {
        this.mustDispatch = false;
        for (const run of [...this.runs]) if (run.proceed()) this.mustDispatch = true;
      }
      for (const run of this.runs) run.onDispatched();
    } finally {
      this.isDispatching = false;
    }
  }

  /** Whether an operation of another run comes before one of a run in the joint plan. */
  private isRival(
    run: Member,
    { start_s }: { readonly start_s: number },
    isRivalOf: (other: Member, isBefore: (one: { readonly start_s: number }) => boolean) => boolean,
  ): boolean {
    if (this.runs.length === 1) return false;
    const at = this.runs.indexOf(run);
    const own_s = start_s + run.start_tick / TICKS_PER_S;
    return this.runs.some((other, i) => {
      if (i === at || !other.canStart) return false;
      return isRivalOf(other, (one) => {
        const other_s = one.start_s + other.start_tick / TICKS_PER_S;
        return isSameTime(other_s, own_s) ? i < at : other_s < own_s;
      });
    });
  }

  /** Whether a move is the next one of the arm: no other run can do an earlier one, or needs its slot. */
  isNextMove(run: Member, move: PlannedLabwareMove): boolean {
    const { slotless } = run.model.instruments[move.to.instrument]!;
    return !this.isRival(run, move, (other, isBefore) => {
      const { readyMove } = other;
      if (readyMove && isBefore(readyMove)) return true;
      if (slotless) return false;
      return other.plan.openMoves.some((one) => isSameLocation(one.to, move.to) && isBefore(one));
    });
  }

  /** Whether a task is the next one of its instrument: no other run can start an earlier one. */
  isNextTask(run: Member, task: PlannedTask): boolean {
    if (task.instrument < 0) return true;
    return !this.isRival(run, task, ({ readyTasks }, isBefore) =>
      readyTasks.some((one) => one.instrument === task.instrument && isBefore(one)),
    );
  }

  /** When the last task of the active runs on an instrument ended (tick); −Infinity for none. */
  lastEnd_tick(instrument: number): number {
    const ends = this.runs.map(({ start_tick, progress }) => {
      return start_tick + progress.lastEnd_s(instrument) * TICKS_PER_S;
    });
    return Math.max(Number.NEGATIVE_INFINITY, ...ends);
  }

  /** The other runs and the pieces without a run, as a run sees them. */
  neighboursOf(run: Pick<Member, 'progress'> | null): Neighbours {
    const others = () => this.runs.filter(({ progress }) => progress !== run?.progress);
    return {
      holderOf: (location) => {
        const key = locationKey(location);
        for (const { model, progress } of others()) {
          const index = progress.locations.findIndex((one) => one && locationKey(one) === key);
          if (index >= 0) return model.labware[index]!.id;
          // A piece on its way has its place already.
          const coming = progress.moves.find(
            ({ move, end_s }) => end_s === null && locationKey(move.to) === key,
          );
          if (coming) return model.labware[coming.move.labware]!.id;
        }
        for (const [id, place] of this.statics) if (locationKey(place) === key) return id;
        return undefined;
      },
      runningOn: (instrument) =>
        others().flatMap(({ model, progress }) =>
          progress.runningTasks
            .filter((task) => progress.tasks[task]!.instrument === instrument)
            .map((task) => model.tasks[task]!.id),
        ),
      carriedAt: (instrument) =>
        others().flatMap(({ model, progress }) =>
          progress.movesAt(instrument).map(({ labware }) => model.labware[labware]!.id),
        ),
      gripped: () => {
        for (const { model, progress } of others()) {
          const index = progress.locations.indexOf(null);
          if (index >= 0) return model.labware[index]!.id;
        }
        return this.leftInGripper;
      },
    };
  }
}
