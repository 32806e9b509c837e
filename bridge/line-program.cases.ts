/**
 * A program of an external arm in this process, on a stepped clock: it answers the lines of armtwin
 * for any driver, a simulated arm with obstacles for example (test code).
 */

import { stationarySetpoint } from './arm-driver.cases.ts';
import { type ArmDriver, type Feedback, type Setpoint, TICK_S } from './arm-driver.ts';
import { ARRAYS } from './remote-answer.ts';
import { RemoteArm } from './remote-arm.ts';
import { SteppedBusClock } from './transport/stepped-clock.cases.ts';
import type { BusTransport, ReceiveBytes } from './transport/transport.ts';

/** How long an answer takes (ms). */
const ANSWER_MS = 2;

interface Line extends Partial<Omit<Setpoint, 'mode' | 'samples'>> {
  readonly line: number;
  readonly do: Setpoint['mode'] | 'start' | 'stop';
  readonly dt_s?: number;
  readonly samples?: readonly number[];
}

/** The line to a program that drives `joints`. */
export class LineProgram implements BusTransport {
  readonly name = 'tcp://program';
  /** True: nothing passes, and the program holds its joints by itself. */
  cut = false;
  readonly clock = new SteppedBusClock();
  private readonly joints: ArmDriver;
  private feedback: Feedback;
  private receive: ReceiveBytes = () => {};

  /** `joints` are started, and this is their state. */
  constructor(joints: ArmDriver, feedback: Feedback) {
    this.joints = joints;
    this.feedback = feedback;
  }

  async open(receive: ReceiveBytes): Promise<void> {
    this.receive = receive;
  }

  write(bytes: Uint8Array): boolean {
    for (const text of new TextDecoder().decode(bytes).trim().split('\n')) {
      const line = JSON.parse(text) as Line;
      if (this.cut) this.joints.exchange(stationarySetpoint('hold'), line.dt_s ?? TICK_S);
      else this.answer(line);
    }
    return true;
  }

  async close(): Promise<void> {
    this.receive = () => {};
  }

  private answer({ line, do: task, dt_s = 0, samples = [], ...setpoint }: Line): void {
    if (task === 'start') this.joints.recover();
    else {
      const { payload_kg = 0, detection = null, tool = null } = setpoint;
      const mode = task === 'stop' ? 'hold' : task;
      const given = { mode, payload_kg, detection, tool, samples: Float64Array.from(samples) };
      this.feedback = this.joints.exchange(given, dt_s);
    }
    const { fault, contact, standing, reaction = null } = this.feedback;
    const arrays = ARRAYS.map((name) => [name, Array.from(this.feedback[name])]);
    const state = { fault, contact: contact?.joint ?? null, standing, reaction };
    const text = JSON.stringify({ line, ...Object.fromEntries(arrays), ...state });
    const answer = new TextEncoder().encode(`${text}\n`);
    this.clock.after(ANSWER_MS, () => this.receive(answer));
  }
}

/** An external arm whose program drives `joints`, started; its exchange lets the tick pass. */
export async function externalArm(joints: ArmDriver) {
  const program = new LineProgram(joints, await joints.start());
  const { clock } = program;
  const remote = new RemoteArm(program, clock);
  const feedback = await clock.until(remote.start());
  const driver = {
    exchange: (setpoint: Setpoint, dt_s: number) => {
      const now = remote.exchange(setpoint, dt_s);
      clock.advance(1000 * dt_s);
      return now;
    },
    recover: () => remote.recover(),
  };
  return { driver, feedback, program };
}
