/**
 * The wire format of the robot's snapshot (§2.10): flat section names, telemetry quantised like
 * the arm's sensors (rad, rad/s, °C). `SnapshotDifference` computes the changes since its last
 * call, section by section.
 */

import type { Feedback } from '../../bridge/arm-driver.ts';
import { TELEMETRY } from '../../physics/arm/arm-model.ts';
import { PI } from '../../physics/math/portable.ts';
import { readInput } from './io.ts';
import type { SectionChanges } from './loop-event.ts';
import type { RobotMemory } from './memory.ts';
import { eachJoint, publishedPose } from './published-pose.ts';

export type SnapshotSection = Record<string, unknown>;
export type SnapshotSections = Record<string, SnapshotSection | number[]>;

/** Input of the section builders. */
export interface SnapshotSource {
  readonly memory: RobotMemory;
  readonly feedback: Feedback;
  /** The last played tick. */
  readonly tick: number;
  readonly seed: number;
}

/** Velocity is rounded to 0.001 °/s; the later division by 1000 keeps the decimals short. */
const MILLIDEGREES_PER_RAD = 180_000 / PI;

function round(value: number, step: number): number {
  return Math.round(value / step) * step;
}

function control({ memory }: SnapshotSource): SnapshotSection {
  const moving = memory.activity !== null;
  return {
    state: memory.state,
    loop_count: memory.loop_count,
    loop_target: memory.loop_target,
    toolpath_name: memory.loaded?.name ?? '',
    toolpath_hash: memory.loaded?.hash ?? '',
    run_mode: moving ? memory.activity!.mode : 'not_running',
  };
}

function inputs({ memory, tick, seed }: SnapshotSource): SnapshotSection {
  const section: SnapshotSection = {};
  for (const key of Object.keys(memory.io.inputs)) {
    section[key] = readInput(memory.io, key, tick, seed);
  }
  return section;
}

function temperatures({ feedback }: SnapshotSource): number[] {
  const quantum = TELEMETRY.temperature_quantum_c;
  return eachJoint(feedback.temperature_c, (value) => {
    return Math.trunc(round(value, quantum) * 100) / 100;
  });
}

function velocities({ feedback }: SnapshotSource): number[] {
  return eachJoint(
    feedback.velocity_rad_s,
    (rate) => Math.round(rate * MILLIDEGREES_PER_RAD) / 1000 + 0,
  );
}

/** Builders of all sections, in the order of §2.10. */
const sections: Readonly<Record<string, (source: SnapshotSource) => SnapshotSection | number[]>> = {
  collision_detection: ({ memory }) => ({ ...memory.detection }),
  control,
  global: ({ memory }) => ({ estop: memory.estop }),
  'global.inputs': inputs,
  'global.outputs': ({ memory }) => ({ ...memory.io.outputs }),
  scheduler: ({ memory: { schedule } }) => ({
    enabled: schedule.enabled,
    start_time: schedule.start_time,
    stop_time: schedule.stop_time,
  }),
  'servos.telemetry.position': ({ feedback }) => publishedPose(feedback),
  'servos.telemetry.temperature': temperatures,
  'servos.telemetry.velocity': velocities,
};

/** Sections that change by commands and events alone. */
export const DISCRETE_SECTIONS: readonly string[] = Object.keys(sections).slice(0, 6);
/** Sections that change as the arm moves and warms. */
export const TELEMETRY_SECTIONS: readonly string[] = Object.keys(sections).slice(6);

/** The whole snapshot. */
export function takeSnapshot(source: SnapshotSource): SnapshotSections {
  const snapshot: SnapshotSections = {};
  for (const [name, build] of Object.entries(sections)) snapshot[name] = build(source);
  return snapshot;
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function changedKeys(before: SnapshotSection, after: SnapshotSection): SnapshotSection | null {
  let changes: SnapshotSection | null = null;
  for (const key of Object.keys(after)) {
    if (after[key] === before[key]) continue;
    changes ??= {};
    changes[key] = after[key];
  }
  return changes;
}

/** Computes the changes since the last call: changed fields only, arrays whole (D36). */
export class SnapshotDifference {
  private last: SnapshotSections;

  constructor(source: SnapshotSource) {
    this.last = takeSnapshot(source);
  }

  /** Changes of the named sections since the last call; null for none. */
  take(source: SnapshotSource, names: readonly string[]): SectionChanges | null {
    let changes: SectionChanges | null = null;
    for (const name of names) {
      const after = sections[name]!(source);
      const before = this.last[name]!;
      const change = Array.isArray(after)
        ? sameNumbers(after, before as number[])
          ? null
          : after
        : changedKeys(before as SnapshotSection, after);
      if (change === null) continue;
      this.last[name] = after;
      changes ??= {};
      changes[name] = change;
    }
    return changes;
  }
}
