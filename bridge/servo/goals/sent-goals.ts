import type { ServoSlot } from '../calibration/servo-slot.ts';

/** Cycles whose goals may still be in a servo: 0.25 s, longer than any lost broadcast. */
const SENT_CYCLES = 32;
/** Readings that show another program; one may be a servo that its watchdog has just stopped. */
const FOREIGN_READINGS = 2;

/** The goals of the last cycles, to tell a goal that another program wrote from an own one. */
export class SentGoals {
  private readonly slots: readonly ServoSlot[];
  private readonly foreign: Uint32Array;
  private goals: (readonly number[])[] = [];

  constructor(slots: readonly ServoSlot[]) {
    this.slots = slots;
    this.foreign = new Uint32Array(slots.length);
  }

  /** Forgets all goals, at a start. */
  reset(): void {
    this.goals = [];
    this.foreign.fill(0);
  }

  /** Adds the goals of a cycle, by joint (steps). */
  add(goal_ticks: readonly number[]): void {
    this.goals.push(goal_ticks);
    if (this.goals.length > SENT_CYCLES) this.goals.shift();
  }

  /** Whether a goal (steps) of the servo of a slot is one that was sent. */
  has(i: number, goal_ticks: number): boolean {
    const { joint } = this.slots[i]!;
    return this.goals.some((goals) => goals[joint] === goal_ticks);
  }

  /** Whether the servo of a slot had a goal of another program in two readings. */
  isForeign(i: number, goal_ticks: number): boolean {
    if (!this.has(i, goal_ticks) && this.goals.length === SENT_CYCLES) this.foreign[i]! += 1;
    return this.foreign[i]! >= FOREIGN_READINGS;
  }
}
