/** One run of a toolpath as the control loop shows it. Times in ticks of the twin. */

import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { Command } from '../../robot/commands.ts';
import type { SignalValues } from '../../robot/io.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { RobotMemory } from '../../robot/memory.ts';
import { SignalChanges } from '../../robot/signal-changes.ts';

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
