/**
 * What commands and ticks of the robot share: its memory, trajectory player, latest feedback,
 * current tick and pending events, with the operations on all of them. Owned by robot.ts.
 */
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { type RobotTrigger, stateAfter } from '../../contract/robot-states.ts';
import { type SafetyState, safetyOf } from '../../contract/safety-state.ts';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { EmergencyStop } from '../../physics/motion/emergency-stop.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import type { ArmSettings } from '../store/records.ts';
import { adoptSettings } from './arm-settings.ts';
import { ioKey, writeIo } from './io.ts';
import { restartLockTimer } from './lock-expiry.ts';
import type { LoopEvent } from './loop-event.ts';
import { createMemory, isTeachMotionActive, type RobotMemory } from './memory.ts';
import { TrajectoryPlayer } from './trajectory-player.ts';

/** Dependencies of the robot; all synchronous and free of clocks. */
export interface RobotOptions {
  /** Feedback of the driver's start. */
  readonly feedback: Feedback;
  /** Date of tick 0 (ms since 1970). */
  readonly epoch_ms: number;
  readonly timezone: string;
  readonly seed: number;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null;
  /** Range of the joints; null or absent: that of the model. */
  readonly range?: ArmRange | null;
  /** What callers set before the robot had no power; absent: nothing. */
  readonly settings?: ArmSettings;
  /** Clears the driver's faults; true when none remains. */
  readonly recover: () => boolean;
  /** Why the arm cannot be guided by hand; null or absent where it can. */
  readonly guidingRefusal?: () => string | null;
}

export class RobotContext {
  memory: RobotMemory = createMemory();
  readonly player: TrajectoryPlayer;
  options: RobotOptions;
  feedback: Feedback;
  tick = 0;
  events: LoopEvent[] = [];

  constructor(options: RobotOptions) {
    this.options = options;
    this.feedback = options.feedback;
    this.memory.timing = options.timing ?? null;
    if (options.settings) {
      const { epoch_ms: now_ms, timezone } = options;
      adoptSettings(this.memory, options.settings, { now_ms, timezone });
    }
    this.player = new TrajectoryPlayer(options.feedback.position_rad);
  }

  /** Seconds since the twin's start. */
  get now_s(): number {
    return this.tick * TICK_S;
  }

  /** The twin's date (ms since 1970). */
  get date_ms(): number {
    return this.options.epoch_ms + this.tick * TICK_S * 1000;
  }

  /** Takes a transition of the state table; false where the state has none for the trigger. */
  transition(trigger: RobotTrigger): boolean {
    const next = stateAfter(this.memory.state, trigger);
    if (next === null) return false;
    if (next !== this.memory.state) {
      const level = trigger === 'fault' ? 'warning' : 'info';
      this.log(level, inWords(`${this.memory.state} → ${next} (${trigger})`));
    }
    const before = safetyOf(this.memory);
    this.memory.state = next;
    // A fault or an emergency stop ends guiding before the released arm stands.
    if (next !== 'backdriving') this.memory.button_released = false;
    this.reportSafety(before);
    return true;
  }

  /** Reports the safety state where it differs from the one before a change. */
  reportSafety(before: SafetyState): void {
    const state = safetyOf(this.memory);
    if (state !== before) this.events.push({ kind: 'safety', state });
  }

  /** True while the arm stands: no setpoint changes and no joint moves. */
  get standing(): boolean {
    return !this.player.moving && this.feedback.standing;
  }

  /** Takes the pose that the drives hold for the start of the next motion; discards motions. */
  startFromHeldPose(): void {
    this.player.setPose(this.feedback.held_rad ?? this.feedback.position_rad);
  }

  log(level: 'info' | 'warning' | 'error', text: string): void {
    this.events.push({ kind: 'log', level, text });
  }

  /** Ends the activity, complete or aborted; the end of a teach motion restarts the lock timer. */
  endActivity(): void {
    const { memory } = this;
    const teach = memory.activity?.mode === 'teach';
    memory.activity = null;
    memory.ending = null;
    if (teach) restartLockTimer(memory, this.tick);
  }

  /**
   * Aborts the motion with an emergency stop, which it returns; applies output_on_error where
   * `outputs` is set.
   */
  abortMotion(options: { readonly outputs: boolean }): EmergencyStop | null {
    const { memory } = this;
    const onError = memory.loaded?.program.output_on_error;
    if (options.outputs && memory.activity?.kind === 'run' && onError) {
      writeIo(memory.io, 'outputs', ioKey(onError.io), onError.value);
    }
    memory.teach_braking = isTeachMotionActive(memory) && memory.lock !== null;
    const stop = this.player.emergencyStop();
    this.endActivity();
    return stop;
  }

  /** Ends the wait of a command for standstill; `refusal` is its answer. */
  complete(refusal: Refusal<'wrong_state'> | null): void {
    if (this.memory.awaited === null) return;
    this.memory.awaited = null;
    this.events.push({ kind: 'completed', refusal });
  }
}

/** Names of states and triggers as people say them. */
function inWords(names: string): string {
  return names.replaceAll('estop', 'emergency stop').replaceAll('_', ' ');
}
