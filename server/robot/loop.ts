/**
 * The control loop of one twin. Each tick reads the feedback, updates the robot, writes the
 * setpoint and publishes the events to the listeners. The clock decides when ticks run. Only this
 * file calls `robot.tick` and `driver.exchange`.
 */

import {
  type ArmDriver,
  type DrivenTool,
  type Feedback,
  type Setpoint,
  TICK_S,
} from '../../bridge/arm-driver.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { ClockedLoop } from '../clock/clock.ts';
import type { Timers } from '../clock/timers.ts';
import type { TwinTime } from '../clock/twin-time.ts';
import type { Command, CommandResult } from './commands.ts';
import { changedInputs, type IoMemory, writeIo } from './io.ts';
import type { LoopListener } from './loop-listener.ts';
import type { Robot } from './robot.ts';
import type { RobotStateSnapshot } from './state-snapshot.ts';
import { applyWorldAction, type WorldAction, type WorldPorts } from './world-actions.ts';

type TickListener = LoopListener & Required<Pick<LoopListener, 'onTick'>>;

const NO_INPUTS: ReadonlyMap<string, boolean | number> = new Map();

export interface LoopParts {
  readonly robot: Robot;
  readonly driver: ArmDriver;
  /** The simulated world and the fault-injecting driver, where they exist. */
  readonly worldPorts: WorldPorts;
  readonly timers: Timers;
  readonly feedback: Feedback;
  readonly epoch_ms: number;
  readonly listeners: readonly LoopListener[];
}

/** The result of a command that waited for standstill. */
type StandstillResult = Refusal<'wrong_state'> | null;

export class ControlLoop implements ClockedLoop, TwinTime {
  tick = 0;
  setbacks = 0;
  /** Date of tick 0 (ms since 1970). */
  private start_ms: number;
  private feedback: Feedback;
  /** The signals that the tool of the driver has been made to agree with. */
  private io: IoMemory | null = null;
  private readonly parts: LoopParts;
  private readonly completionListeners: ((refusal: StandstillResult) => void)[] = [];
  private listeners: readonly LoopListener[] = [];
  /** Those of them that hear of every tick. */
  private tickListeners: readonly TickListener[] = [];
  /** Those who may need time to pass while the arm is at rest. */
  private readonly waiters = new Set<() => boolean>();
  /**
   * Replaces a state in which a tick failed: that of a snapshot file may be made by hand. Null: a
   * tick that fails rejects the `advance` of the clock that ran it, or ends the process.
   */
  onFailedTick: ((error: unknown) => void) | null = null;

  constructor(parts: LoopParts) {
    this.parts = parts;
    this.feedback = parts.feedback;
    this.start_ms = parts.epoch_ms;
    this.setListeners(parts.listeners);
  }

  private setListeners(listeners: readonly LoopListener[]): void {
    this.listeners = listeners;
    this.tickListeners = listeners.filter((one): one is TickListener => one.onTick !== undefined);
  }

  /** Subscribes a listener; returns the unsubscribe function. */
  subscribe(listener: LoopListener): () => void {
    this.setListeners([...this.listeners, listener]);
    return () => this.setListeners(this.listeners.filter((entry) => entry !== listener));
  }

  get now_s(): number {
    return this.tick * TICK_S;
  }

  get epoch_ms(): number {
    return this.start_ms + this.tick * TICK_S * 1000;
  }

  /** Age of the joint feedback (s). */
  get feedbackAge_s(): number {
    return this.feedback.age_s;
  }

  get latestFeedback(): Feedback {
    return this.feedback;
  }

  get idle(): boolean {
    if (!this.parts.robot.idle) return false;
    for (const isNeeded of this.waiters) if (isNeeded()) return false;
    return true;
  }

  get halted(): boolean {
    return (this.parts.worldPorts.world?.cell?.failure ?? null) !== null;
  }

  /**
   * Keeps an unpaced clock running while the arm is at rest and `isNeeded`; returns the release
   * function. It is asked at every tick.
   */
  keepAwake(isNeeded: () => boolean = () => true): () => void {
    const waiter = () => isNeeded();
    this.waiters.add(waiter);
    return () => this.waiters.delete(waiter);
  }

  /**
   * The answer of the accepted command that waits for standstill (decision D29). Precondition:
   * `robot.isCommandAwaited`.
   */
  completion(): Promise<StandstillResult> {
    return new Promise((resolve) => {
      this.completionListeners.push(resolve);
    });
  }

  /** Executes one command and publishes its events at once. */
  apply<Given extends Command>(command: Given): CommandResult<Given['kind']> {
    const refusal = this.parts.robot.apply(command, this.tick);
    for (const listener of this.listeners) listener.onCommand?.(command, refusal, this.tick);
    this.publish();
    return refusal;
  }

  /** Executes one world action; false where the driver does not support it. */
  applyWorldAction(action: WorldAction): boolean {
    const driven = [...this.cellInputs.keys()];
    if (!applyWorldAction(this.parts.worldPorts, action)) return false;
    this.readFeedback();
    for (const listener of this.listeners) listener.onAction?.(action, this.tick);
    if (action.kind === 'cell' || action.kind === 'cell_control') this.followCell(driven);
    return true;
  }

  /** Restores robot and time from a snapshot; the caller restores the world first. */
  restore(snapshot: RobotStateSnapshot, tick: number): void {
    if (tick < this.tick) this.setbacks += 1;
    this.tick = tick;
    this.start_ms = snapshot.epoch_ms;
    this.parts.robot.restore(snapshot, tick);
    this.readFeedback();
    for (const listener of this.listeners) listener.onRestore?.(tick, this.feedback);
    this.publish();
  }

  /** Reads the feedback again after the world has changed between two ticks. */
  private readFeedback(): void {
    const { driverFaults } = this.parts.worldPorts;
    if (driverFaults) this.observe(driverFaults.feedback);
  }

  private observe(feedback: Feedback): void {
    this.feedback = feedback;
    this.parts.robot.observe(feedback);
  }

  runTo(target: number, options: { readonly jump: boolean; readonly stop: () => boolean }): void {
    try {
      this.runTicks(target, options);
    } catch (error) {
      const replace = this.onFailedTick;
      if (!replace) throw error;
      this.onFailedTick = null;
      replace(error);
    }
  }

  private runTicks(
    target: number,
    options: { readonly jump: boolean; readonly stop: () => boolean },
  ): void {
    while (this.tick < target) {
      this.runTick();
      // Check before the jump too: the awaited state may be reached, and a jump can span hours.
      if (options.stop()) return;
      if (options.jump && this.jump(target) && options.stop()) return;
    }
  }

  private runTick(): void {
    const { robot, timers } = this.parts;
    timers.fire(this.tick);
    this.observe(this.exchange(robot.tick(this.feedback, this.tick), TICK_S));
    this.tick += 1;
    this.publish();
    for (const listener of this.tickListeners) listener.onTick(this.feedback, this.tick);
  }

  /**
   * Skips idle ticks up to the next deadline. Returns whether any tick was skipped.
   */
  private jump(target: number): boolean {
    const { robot, timers } = this.parts;
    if (!robot.idle || !this.feedback.at_rest) return false;
    // A snapshot made by hand may have deadlines between two ticks.
    const due = Math.ceil(Math.min(robot.nextDeadline_tick, timers.nextDue_tick(), target));
    const skipped = due - this.tick;
    if (!(skipped > 0) || due === Number.POSITIVE_INFINITY) return false;
    this.feedback = this.exchange(robot.tick(this.feedback, this.tick), skipped * TICK_S);
    this.tick = due;
    robot.skipTo(this.feedback, due);
    this.publish();
    for (const listener of this.tickListeners) listener.onTick(this.feedback, this.tick);
    return true;
  }

  /**
   * Exchanges setpoint and feedback; the cell, or the tool of a driver, follows the outputs and
   * drives its inputs.
   */
  private exchange(setpoint: Setpoint, dt_s: number): Feedback {
    const { robot, driver, worldPorts } = this.parts;
    const device = worldPorts.world?.cell ?? driver.drivenTool;
    if (!device) return driver.exchange(setpoint, dt_s);
    if (driver.drivenTool) this.takeOver(driver.drivenTool, robot.memory.io);
    device.setOutputs(robot.memory.io.outputs);
    const feedback = driver.exchange(setpoint, dt_s);
    this.driveInputs(device.inputValues);
    return feedback;
  }

  /** New outputs, of a start or of a power cycle, are those with which the tool stands. */
  private takeOver(tool: DrivenTool, io: IoMemory): void {
    if (io === this.io) return;
    this.io = io;
    for (const [key, isOn] of tool.standingOutputs) writeIo(io, 'outputs', key, isOn);
  }

  private get cellInputs(): ReadonlyMap<string, boolean | number> {
    return this.parts.worldPorts.world?.cell?.inputValues ?? NO_INPUTS;
  }

  private driveInputs(driven: ReadonlyMap<string, boolean | number>): void {
    const { robot } = this.parts;
    const values = changedInputs(robot.memory.io, driven);
    if (values) robot.apply({ kind: 'inputs', values }, this.tick);
  }

  /**
   * Inputs and emergency stop follow a cell that a person has changed, before the next command: no
   * motion begins behind a door that was opened. Of the inputs `driven` before, those that nothing
   * drives any more are open.
   */
  private followCell(driven: readonly string[]): void {
    const { robot } = this.parts;
    const open = driven.filter((key) => !this.cellInputs.has(key));
    robot.followWorld(open, this.tick);
    this.driveInputs(this.cellInputs);
    this.publish();
  }

  private complete(refusal: StandstillResult): void {
    for (const resolve of this.completionListeners.splice(0)) resolve(refusal);
  }

  private publish(): void {
    const events = this.parts.robot.takeEvents();
    if (events.length === 0) return;
    for (const event of events) if (event.kind === 'completed') this.complete(event.refusal);
    for (const listener of this.listeners) listener.onEvents?.(events, this.tick);
  }
}
