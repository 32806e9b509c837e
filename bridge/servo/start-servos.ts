/**
 * What a start asks of the servos of a family, what it reports of them, and how it fails. The order
 * in which a start does this is in safe-start.ts.
 */
import { jointName } from '../../physics/arm/arm-model.ts';
import type { ServoSlot } from './calibration.ts';

/** A setting or limit of a servo: the name of its register, and the value. */
export interface ServoSetting {
  readonly name: string;
  readonly value: number;
}

/** What a servo does before the start, and which of its settings are wrong. */
export interface ServoState {
  readonly holds: boolean;
  readonly goal_ticks: number;
  readonly wrong: readonly ServoSetting[];
  /** Limits of the calibration that are wider in the servo. */
  readonly wide: readonly ServoSetting[];
}

/** Goal and present position of a servo (steps). */
export interface ServoPlace {
  readonly goal_ticks: number;
  readonly present_ticks: number;
}

/** The line of the servos: whether its answers are those to the latest questions. */
export interface ServoLine {
  readonly name: string;
  /** Answers so far that were missing, unexpected or corrupt. */
  readonly disturbances: number;
  /** Answers so far to no question, which are late or doubled. */
  readonly counts: { readonly unexpected: number };
  /** Waits until no answer comes unasked; false when the line does not come to that. */
  settle(): Promise<boolean>;
}

/** What is wrong with a line that gave so many wrong answers, and the remedy. */
export function lineTrouble({ name }: ServoLine, count: number): string {
  const what = `${count} answers came late, doubled or spoiled on ${name}`;
  return `${what}: check its cables, adapter and gateway before the arm gets torque`;
}

/** A register that a start wrote, with its value before. */
interface WrittenRegister {
  readonly register: string;
  readonly before: number;
  readonly after: number;
}

/** What a start found at a servo and wrote into it. */
export interface ServoStartReport {
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  /** True: it held its joint already, and kept its goal. */
  readonly held: boolean;
  /** Settings and limits, each read back after it was written. */
  readonly written: readonly WrittenRegister[];
  /** What the operator should know: narrower limits, another firmware than calibrated. */
  readonly notes: readonly string[];
}

/** What a start asks of the servos of a family; each failure is a StartAborted. */
export interface StartServos {
  /** Refuses a servo that is absent, of an unknown model or not the calibrated one. */
  identify(slot: ServoSlot): Promise<void>;
  /** Refuses a servo that reports an error. */
  checkHardwareError(slot: ServoSlot): Promise<void>;
  /** Reads torque, goal and settings; changes nothing. */
  inspect(slot: ServoSlot): Promise<ServoState>;
  /** Goal and present position, read at one moment. */
  readPlace(slot: ServoSlot): Promise<ServoPlace>;
  /** Lowest and highest goal that a servo accepts (steps). */
  readGoalRange(slot: ServoSlot): Promise<readonly [number, number]>;
  /** Corrects what `wrong` and `wide` list, with torque off; what a held servo keeps is noted. */
  prepare(slot: ServoSlot, state: ServoState, keepsTorque: boolean): Promise<void>;
  /** Sets the goal (steps), with torque off. */
  setGoal(slot: ServoSlot, goal_ticks: number): Promise<void>;
  /** Switches torque on, for the goal that is set; may test what the model has for that. */
  hold(slot: ServoSlot, goal_ticks: number, supported: boolean): Promise<void>;
  release(slot: ServoSlot): Promise<void>;
  reportOf(slot: ServoSlot, held: boolean): ServoStartReport;
}

/** A start that cannot go on. */
export class StartAborted extends Error {
  readonly joint: number;

  constructor(joint: number, message: string) {
    super(message);
    this.joint = joint;
  }
}

/** The problem of a servo, named with its joint. */
export function startProblem({ joint, id }: ServoSlot, what: string): StartAborted {
  return new StartAborted(joint, `${jointName(joint)} (servo ${id}) ${what}`);
}

/** What a start writes into the servos and notes about them, by servo. */
export class StartNotes {
  private readonly written = new Map<number, WrittenRegister[]>();
  private readonly notes = new Map<number, string[]>();

  note({ id }: ServoSlot, text: string): void {
    this.notes.set(id, [...(this.notes.get(id) ?? []), text]);
  }

  addWritten({ id }: ServoSlot, entry: WrittenRegister): void {
    this.written.set(id, [...(this.written.get(id) ?? []), entry]);
  }

  /** Notes the limits that a servo keeps because it holds its joint. */
  noteWideLimits(slot: ServoSlot, { wide }: ServoState): void {
    for (const { name, value } of wide) {
      const what = `has a wider ${name} than the calibration (${value})`;
      this.note(slot, `${what}, and holds: start once with --arm-is-supported to write it`);
    }
  }

  reportOf({ id }: ServoSlot): Pick<ServoStartReport, 'written' | 'notes'> {
    return { written: this.written.get(id) ?? [], notes: this.notes.get(id) ?? [] };
  }
}
