/**
 * The robot as the wire shows it (spec §2.10): flat section names, telemetry quantised as the
 * arm's own sensors do it. Difference finds what changed since it was last asked, section by
 * section, and compares only the sections that were touched.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';
import { TELEMETRY } from '../../physics/arm/arm-model.ts';
import { PI } from '../../physics/math/portable.ts';
import type { SnapshotChanges } from './events.ts';
import { readInput } from './io.ts';
import type { RobotMemory } from './memory.ts';

export type Section = Record<string, unknown>;
export type Snapshot = Record<string, Section | number[]>;

/** What the sections are made of. */
export interface SnapshotSource {
  readonly memory: RobotMemory;
  readonly feedback: Feedback;
  readonly tick: number;
  readonly seed: number;
}

/** Velocity is told to a thousandth of a degree a second: the division keeps its digits few. */
const MILLIDEGREES = 180_000 / PI;

function round(value: number, step: number): number {
  return Math.round(value / step) * step;
}

function control({ memory }: SnapshotSource): Section {
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

function inputs({ memory, tick, seed }: SnapshotSource): Section {
  const section: Section = {};
  for (const key of Object.keys(memory.io.inputs)) {
    section[key] = readInput(memory.io, key, tick, seed);
  }
  return section;
}

function positions({ feedback }: SnapshotSource): number[] {
  const quantum = TELEMETRY.position_quantum_rad;
  return Array.from(feedback.position_rad, (angle) => round(angle, quantum) + 0);
}

function temperatures({ feedback }: SnapshotSource): number[] {
  const quantum = TELEMETRY.temperature_quantum_c;
  return Array.from(feedback.temperature_c, (value) => {
    return Math.trunc(round(value, quantum) * 100) / 100;
  });
}

function velocities({ feedback }: SnapshotSource): number[] {
  return Array.from(feedback.velocity_rad_s, (rate) => Math.round(rate * MILLIDEGREES) / 1000 + 0);
}

/** Every section of the snapshot, in the order of spec §2.10. */
const sections: Readonly<Record<string, (source: SnapshotSource) => Section | number[]>> = {
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
  'servos.telemetry.position': positions,
  'servos.telemetry.temperature': temperatures,
  'servos.telemetry.velocity': velocities,
};

/** Sections that change by commands and events alone. */
export const DISCRETE_SECTIONS: readonly string[] = Object.keys(sections).slice(0, 6);
/** Sections that change as the arm moves and warms. */
export const TELEMETRY_SECTIONS: readonly string[] = Object.keys(sections).slice(6);

/** The whole snapshot. */
export function takeSnapshot(source: SnapshotSource): Snapshot {
  const snapshot: Snapshot = {};
  for (const [name, build] of Object.entries(sections)) snapshot[name] = build(source);
  return snapshot;
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function changedKeys(before: Section, after: Section): Section | null {
  let changes: Section | null = null;
  for (const key of Object.keys(after)) {
    if (after[key] === before[key]) continue;
    changes ??= {};
    changes[key] = after[key];
  }
  return changes;
}

/** Remembers what was last told and answers what is new: only what changed, arrays whole (D36). */
export class SnapshotDifference {
  private told: Snapshot;

  constructor(source: SnapshotSource) {
    this.told = takeSnapshot(source);
  }

  /** What changed in the named sections since they were last asked for; null for nothing. */
  take(source: SnapshotSource, names: readonly string[]): SnapshotChanges | null {
    let changes: SnapshotChanges | null = null;
    for (const name of names) {
      const after = sections[name]!(source);
      const before = this.told[name]!;
      const change = Array.isArray(after)
        ? sameNumbers(after, before as number[])
          ? null
          : after
        : changedKeys(before as Section, after);
      if (change === null) continue;
      this.told[name] = after;
      changes ??= {};
      changes[name] = change;
    }
    return changes;
  }
}
