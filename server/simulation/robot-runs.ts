/**
 * The runs of toolpaths that the twin keeps: each from a snapshot at its start, with the commands
 * and actions that followed, so that it can be replayed, also with a change (D40). A subscriber of
 * the control loop; it does not affect the twin. Times in ticks of the twin.
 */
import type { ArmWorld } from '../../bridge/arm-world.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { RobotRun } from '../../contract/types.ts';
import { TICKS_PER_S, timestamp } from '../clock/twin-time.ts';
import { recordedToolpath } from '../planning/plan-tasks.ts';
import { type RecordingParts, recordedCommand } from '../recording/recording.ts';
import {
  type CommandLine,
  formatLine,
  type InputLine,
  type SnapshotLine,
} from '../recording/recording-format.ts';
import type { Command } from '../robot/commands.ts';
import { SignalChanges, type SignalValues } from '../robot/io.ts';
import type { LoopListener, WorldAction } from '../robot/loop.ts';
import type { RobotMemory } from '../robot/robot-context.ts';

type RobotRunOutcome = RobotRun['outcome'];

const ABORTING: readonly string[] = ['cancel', 'abort_motion'];

/** Whether the robot runs a toolpath, also paused. */
export function isRunning({ activity, state }: RobotMemory): boolean {
  const isInRun = state === 'running' || state === 'stopping' || state === 'paused';
  return isInRun && activity?.kind === 'run';
}

/** Copies the values that differ; returns their number. Allocates nothing. */
function countChanges(values: SignalValues, seen: SignalValues): number {
  let count = 0;
  for (const key in values) {
    if (values[key] === seen[key]) continue;
    seen[key] = values[key]!;
    count += 1;
  }
  return count;
}

/** Watches one run of a robot: its outcome, contacts and changes of signals. */
export class RunWatch implements LoopListener {
  outcome: RobotRunOutcome = 'running';
  signals = 0;
  contacts = 0;
  /** Tick of its end, or of now. */
  tick: number;
  private readonly memory: () => RobotMemory;
  private readonly world: Pick<ArmWorld, 'contacts'>;
  private readonly inputs: SignalValues;
  private readonly outputs: SignalValues;
  private readonly signalChanges = new SignalChanges();
  private readonly lastContact: number;
  private contactRevision = -1;
  private isAborted = false;

  constructor(memory: () => RobotMemory, world: Pick<ArmWorld, 'contacts'>, tick: number) {
    this.memory = memory;
    this.world = world;
    this.tick = tick;
    const { inputs, outputs } = memory().io;
    this.inputs = { ...inputs };
    this.outputs = { ...outputs };
    this.lastContact = world.contacts.list().at(-1)?.id ?? 0;
  }

  get isOver(): boolean {
    return this.outcome !== 'running';
  }

  onCommand({ kind }: Command, refusal: Refusal | null, tick: number): void {
    if (!refusal && ABORTING.includes(kind)) this.isAborted = true;
    this.onTick(null, tick);
  }

  onTick(_feedback: unknown, tick: number): void {
    if (this.isOver) return;
    const memory = this.memory();
    this.tick = tick;
    if (this.signalChanges.take(memory.io)) {
      this.signals += countChanges(memory.io.inputs, this.inputs);
      this.signals += countChanges(memory.io.outputs, this.outputs);
    }
    this.countContacts();
    if (isRunning(memory)) return;
    const { state } = memory;
    const isFault = state === 'error' || state === 'collision' || state === 'disabled';
    this.outcome = isFault ? state : this.isAborted ? 'cancelled' : 'finished';
  }

  private countContacts(): void {
    const { contacts } = this.world;
    if (contacts.revision === this.contactRevision) return;
    this.contactRevision = contacts.revision;
    const last = contacts.list().at(-1)?.id ?? 0;
    this.contacts = Math.max(last - this.lastContact, 0);
  }
}

/** A kept run with what a replay needs. */
export interface KeptRobotRun {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly started_at: string;
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

  constructor(parts: RecordingParts) {
    this.parts = parts;
  }

  /** The latest first. */
  list(): RobotRun[] {
    return this.runs.map(({ id, name, hash, started_at, start, inputs, watch }) => ({
      id,
      name,
      toolpath_hash: hash,
      started_at,
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
