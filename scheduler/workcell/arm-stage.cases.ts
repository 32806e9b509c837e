/** An arm transporter on an ideal arm, with what it commands and reports. Test code. */

import { expect } from 'vitest';
import type { ArmRange } from '../../physics/arm/arm-range.ts';
import type { Planner } from '../../server/planning/planner.ts';
import type { Command } from '../../server/robot/commands.ts';
import { ADA, moveStep, toolpathOf } from '../../server/robot/robot-harness.cases.ts';
import { CONFIG, HOME, pose } from '../definition/small-model.cases.ts';
import { ArmTransporter, type ArmTransporterParts } from './arm-transporter.ts';
import type { MoveObserver, MoveOrder } from './labware-transporter.ts';
import { SmallArm } from './small-arm.cases.ts';
import type { NamedStation } from './stations.ts';

export const LABWARE = {
  id: 'plate_1',
  instrument_id: 'hotel',
  slot: 2,
  from: { instrument_id: 'hotel', slot: 1 },
};

/** An observer that notes what it hears, each with `now`. */
export function listening<Moment>(now: () => Moment) {
  const heard: [string, Moment][] = [];
  const observer: MoveObserver = {
    onPicked: () => heard.push(['picked', now()]),
    onPlaced: () => heard.push(['placed', now()]),
    onDone: () => heard.push(['done', now()]),
    onFailed: (reason) => heard.push([reason, now()]),
  };
  return { heard, observer };
}

const GRIPPER = { location: 'end_effector', type: 'digital', index: 0 } as const;

function output(value: boolean, next: number) {
  return { kind: 'output', io: GRIPPER, value, next, at: '/timeline/1', cell: [] } as const;
}

const TURNED = [...pose(0.1)];
/** Turns by 0.1 rad, closes the gripper, turns back, opens it, and turns a little more. */
const CARRY = toolpathOf([
  moveStep([...HOME], TURNED, 1),
  output(true, 2),
  moveStep(TURNED, [...HOME], 3),
  output(false, 4),
  moveStep([...HOME], TURNED, 5),
  moveStep(TURNED, [...HOME], -1),
]);
export const PUT_DOWN = toolpathOf([
  moveStep([...HOME], TURNED, 1),
  output(false, 2),
  moveStep(TURNED, [...HOME], -1),
]);

interface Setting extends Partial<Pick<ArmTransporterParts, 'config' | 'caller' | 'cell'>> {
  readonly joints?: readonly number[];
  readonly stations?: readonly NamedStation[];
  readonly planner?: Pick<Planner, 'load' | 'resume'>;
  /** Range of the joints; by default that of the model. */
  readonly range?: ArmRange;
}

/** A transporter on an ideal arm, updated after each tick. */
export class Stage {
  readonly small: SmallArm;
  readonly transporter: ArmTransporter;
  readonly commands: Command[] = [];
  readonly heard: [string, number][];
  readonly observer: MoveObserver;

  constructor({ joints = HOME, stations = [], range, planner, ...rest }: Setting = {}) {
    this.small = new SmallArm(joints, range);
    const { loop, timers } = this.small;
    const arm = planner ? this.small.portWith(planner) : this.small.port;
    const parts = { config: CONFIG, caller: ADA, cell: () => null, ...rest };
    const transporter = new ArmTransporter({
      ...parts,
      arm,
      time: loop,
      timers,
      workcells: { stations },
    });
    this.transporter = transporter;
    Object.assign(
      this,
      listening(() => loop.tick),
    );
    ({ heard: this.heard, observer: this.observer } = listening(() => loop.tick));
    loop.subscribe({
      onCommand: (command) => this.commands.push(command),
      onTick: () => transporter.update(),
    });
  }

  start(order: Partial<MoveOrder> = {}): string | null {
    const full = { toolpath: CARRY, time_s: 5, isHolding: false, labware: LABWARE, ...order };
    return this.transporter.start(full, this.observer);
  }

  get events(): string[] {
    return this.heard.map(([what]) => what);
  }

  get kinds(): string[] {
    return this.commands.map(({ kind }) => kind);
  }

  get isClosed(): unknown {
    return this.small.robot.memory.io.outputs['ee_d0'];
  }

  get state(): string {
    return this.small.robot.memory.state;
  }

  /** Advances until `stop`, for 20 s at most. */
  until(stop: () => boolean): void {
    this.small.run(5000, stop);
    expect(stop()).toBe(true);
  }

  readonly apply = (command: Command): void => {
    expect(this.small.loop.apply(command)).toBeNull();
  };
}
