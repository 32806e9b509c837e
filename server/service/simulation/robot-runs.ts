/**
 * The runs of toolpaths that the twin keeps: each from a snapshot at its start, with the commands
 * and actions that followed, so that it can be replayed, also with a change (D40). A subscriber of
 * the control loop; it does not affect the twin. Times in ticks of the twin.
 */

import { limits } from '../../../contract/limits.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { RobotRun, SimFault } from '../../../contract/types.generated.ts';
import { TICKS_PER_S, timestamp } from '../../clock/twin-time.ts';
import { recordedToolpath } from '../../planning/recorded-toolpath.ts';
import { recordedCommand } from '../../recording/recorded-command.ts';
import type { RecordingParts } from '../../recording/recording.ts';
import {
  type CommandLine,
  formatLine,
  type InputLine,
  type SnapshotLine,
} from '../../recording/recording-format.ts';
import type { Command } from '../../robot/commands.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { WorldAction } from '../../robot/world-actions.ts';
import { isRunning, RunWatch } from './run-watch.ts';

/** A kept run with what a replay needs. */
export interface KeptRobotRun {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly started_at: string;
  readonly user_id: number | null;
  readonly faults: RobotRun['faults'];
  readonly start: SnapshotLine;
  /** Lines of a recording: commands and actions after the start; null: there were too many. */
  inputs: string[] | null;
  readonly watch: RunWatch;
}

/** Keeps the latest runs. */
export class RobotRuns implements LoopListener {
  private readonly parts: RecordingParts;
  private runs: readonly KeptRobotRun[] = [];
  private current: KeptRobotRun | null = null;
  private lastId = 0;
  private readonly faults: () => readonly SimFault[];

  /** `faults`: those that are injected now. */
  constructor(parts: RecordingParts, faults: () => readonly SimFault[]) {
    this.parts = parts;
    this.faults = faults;
  }

  /** The latest first. */
  list(): RobotRun[] {
    return this.runs.map(({ hash, start, inputs, watch, ...run }) => ({
      ...run,
      toolpath_hash: hash,
      tick: start.tick,
      duration_s: Number(((watch.tick - start.tick) / TICKS_PER_S).toFixed(3)),
      outcome: watch.outcome,
      contacts: watch.contacts,
      signals: watch.signals,
      replayable: inputs !== null,
    }));
  }

  find(id: number): KeptRobotRun | null {
    return this.runs.find((run) => run.id === id) ?? null;
  }

  clear(): void {
    this.runs = [];
    this.current = null;
  }

  onCommand(command: Command, refusal: Refusal | null, tick: number): void {
    if (this.current && !refusal)
      this.add({ kind: 'command', tick, command: recordedCommand(command), refused: null });
    this.current?.watch.onCommand(command, refusal, tick);
    this.follow(tick);
  }

  onAction(action: WorldAction, tick: number): void {
    if (this.current) this.add({ kind: 'action', tick, action });
  }

  onTick(_feedback: unknown, tick: number): void {
    this.current?.watch.onTick(null, tick);
    this.follow(tick);
  }

  /** A run that a restored snapshot cuts off did not happen; the snapshot may continue another. */
  onRestore(tick: number): void {
    if (this.current) this.runs = this.runs.filter((run) => run !== this.current);
    this.current = null;
    this.follow(tick);
  }

  private add(line: CommandLine | Exclude<InputLine, SnapshotLine>): void {
    const { inputs } = this.current!;
    if (!inputs) return;
    if (inputs.length < limits.robot_run_inputs) inputs.push(formatLine(line));
    else this.current!.inputs = null;
  }

  private follow(tick: number): void {
    if (this.current?.watch.isOver) this.current = null;
    const { memory } = this.parts.robot;
    if (this.current || !isRunning(memory)) return;
    this.current = this.started(tick);
    this.runs = [this.current, ...this.runs].slice(0, limits.robot_runs);
  }

  private started(tick: number): KeptRobotRun {
    const { robot, world, driverFaults, loop } = this.parts;
    const state = robot.save(tick);
    const { loaded, ...memory } = state.memory;
    this.lastId += 1;
    return {
      id: this.lastId,
      name: loaded?.name ?? '',
      hash: loaded?.hash ?? '',
      started_at: timestamp(loop),
      user_id: robot.lockHolder?.user_id ?? null,
      faults: this.faults().map(({ fault }) => fault),
      start: {
        kind: 'image',
        tick,
        left_tick: tick,
        why: 'start',
        robot: { ...state, memory: { ...memory, loaded: null } },
        loaded: loaded && recordedToolpath(loaded),
        world: world.snapshot(),
        disturbance: driverFaults.save(),
      },
      inputs: [],
      watch: new RunWatch(() => robot.memory, world, tick),
    };
  }
}
