/**
 * Migrates a toolpath from format 1 to format 2 and lists changes that may alter its behaviour.
 * Works on unvalidated JSON, changes only what the formats differ in and leaves every other problem
 * to the check that follows. §4.3, §9; D26.
 */
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import { failure, type Result, success } from '../../contract/result.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Migration {
  /** The toolpath in format 2, not yet validated: other problems stay in it. */
  readonly toolpath: Json;
  /**
   * One message for each change that may alter behaviour, with its position in the old toolpath.
   */
  readonly breaking_changes: readonly string[];
}

/** Maximum speed that old velocities are shares of, as the migration assumes (m/s; §9). */
const VELOCITY_FACTOR_M_S = 1.5;
/** Speed of an old toolpath without any velocity (m/s). */
const FALLBACK_SPEED_M_S = limits.speed_go_to_default_m_per_s;
const ANALOG_MODES = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' };

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function omit(value: Json, ...keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Rounds to decimal precision: 0.1 × 1.5 is 0.15. */
function roundDecimal(value: number): number {
  return Number(value.toPrecision(12));
}

/** True for a wait of zero, which the migration removes. */
function isWaitOfNothing(action: unknown): boolean {
  if (!isObject(action) || action['type'] !== 'wait') return false;
  const condition = action['condition'];
  return isObject(condition) && condition['type'] === 'time' && condition['duration'] === 0;
}

class Migrator {
  readonly notes: string[] = [];

  toolpath(old: Json): Json {
    const { metadata, timeline, waypoints, routines } = old;
    return {
      ...old,
      metadata: this.metadata(metadata),
      timeline: this.timeline(timeline, '/timeline'),
      waypoints: this.waypoints(waypoints),
      ...(routines === undefined ? {} : { routines: this.routines(routines) }),
    };
  }

  private note(path: string, sentence: string): void {
    this.notes.push(`${path}: ${sentence}`);
  }

  /** Adds what is absent; what is null or of another type stays, for the check of the result. */
  private metadata(given: unknown): unknown {
    const old = given === undefined ? {} : given;
    if (!isObject(old)) return old;
    const { payload = 0, analog_modes = {} } = old;
    return {
      ...omit(old, 'default_velocity'),
      version: limits.toolpath_version,
      default_max_speed: this.defaultSpeed(old),
      payload,
      analog_modes: isObject(analog_modes) ? { ...ANALOG_MODES, ...analog_modes } : analog_modes,
    };
  }

  private defaultSpeed(old: Json): unknown {
    const velocity = old['default_velocity'];
    if (typeof velocity === 'number' && velocity > 0) {
      return this.speed(velocity, '/metadata/default_velocity', 'default_max_speed');
    }
    if (old['default_max_speed'] !== undefined) return old['default_max_speed'];
    const now = `default_max_speed is ${FALLBACK_SPEED_M_S} m/s`;
    this.note('/metadata/default_velocity', `there was no usable default_velocity; ${now}`);
    return FALLBACK_SPEED_M_S;
  }

  private speed(velocity: number, path: string, name: string): number {
    const speed = roundDecimal(velocity * VELOCITY_FACTOR_M_S);
    const guess = `1.5 times the old share of the maximum, a guess that can change the speed`;
    this.note(path, `velocity ${velocity} became ${name} ${speed} m/s, ${guess}`);
    return speed;
  }

  private timeline(old: unknown, path: string): unknown {
    if (!Array.isArray(old)) return old;
    return old.flatMap((action: unknown, i): unknown[] => this.action(action, `${path}/${i}`));
  }

  /** The action in the new format, or nothing when it has no effect any more. */
  private action(old: unknown, path: string): unknown[] {
    if (!isObject(old)) return [old];
    switch (old['type']) {
      case 'trajectory':
      case 'grid-waypoint':
        return [this.motion(old, path)];
      case 'wait':
        return this.wait(old, path);
      case 'grid':
        return [{ ...old, timeline: this.timeline(old['timeline'], `${path}/timeline`) }];
      case 'if':
        return [{ ...old, branches: this.branches(old['branches'], `${path}/branches`) }];
      default:
        return [old];
    }
  }

  private motion(old: Json, path: string): Json {
    let motion = old;
    if (old['time'] === 0) {
      this.note(`${path}/time`, 'a time of 0 is not allowed and was removed; a speed now decides');
      motion = omit(motion, 'time');
    }
    const velocity = old['velocity'];
    if (velocity === undefined) return motion;
    motion = omit(motion, 'velocity');
    if (typeof velocity === 'number' && velocity > 0) {
      const max_speed = this.speed(velocity, `${path}/velocity`, 'max_speed');
      return { ...motion, max_speed };
    }
    this.note(
      `${path}/velocity`,
      'a velocity of this value has no effect and was removed; the default applies',
    );
    return motion;
  }

  private wait(old: Json, path: string): unknown[] {
    const condition = old['condition'];
    if (!isObject(condition) || condition['type'] !== 'time') return [old];
    const duration_ms = condition['duration'];
    if (typeof duration_ms !== 'number') return [old];
    if (isWaitOfNothing(old)) {
      this.note(path, 'a wait of 0 is not allowed and was removed');
      return [];
    }
    const duration = roundDecimal(duration_ms / 1000);
    return [{ ...old, condition: { ...condition, duration } }];
  }

  private branches(old: unknown, path: string): unknown {
    if (!Array.isArray(old)) return old;
    return old.map((branch: unknown, i) => {
      if (!isObject(branch)) return branch;
      return { ...branch, timeline: this.timeline(branch['timeline'], `${path}/${i}/timeline`) };
    });
  }

  private routines(old: unknown): unknown {
    if (!Array.isArray(old)) return old;
    return old.map((routine: unknown, i) => {
      if (!isObject(routine)) return routine;
      const timeline = this.timeline(routine['timeline'], `/routines/${i}/timeline`);
      return { ...routine, timeline };
    });
  }

  private waypoints(old: unknown): unknown {
    if (!Array.isArray(old)) return old;
    return old.map((waypoint: unknown, i) => {
      if (!isObject(waypoint) || waypoint['label'] !== '') return waypoint;
      this.note(`/waypoints/${i}/label`, 'an empty label is not allowed and was removed');
      return omit(waypoint, 'label');
    });
  }
}

/** Format of a toolpath; format 1 had no version field. */
function formatOf(old: Json): unknown {
  const metadata = old['metadata'];
  const { version = 1 } = isObject(metadata) ? metadata : {};
  return version;
}

/**
 * Returns the toolpath in the latest format. One in that format is returned unchanged; an unknown
 * format is rejected. Does not modify the argument.
 */
export function migrateToolpath(old: Json): Result<Migration, readonly Problem[]> {
  const format = formatOf(old);
  if (format === limits.toolpath_version) {
    return success({ toolpath: old, breaking_changes: [] });
  }
  if (format !== 1) {
    const known = `must be 1 or ${limits.toolpath_version}`;
    const problem = `${known}; cannot migrate from format ${JSON.stringify(format)}`;
    return failure([{ path: '/metadata/version', problem }]);
  }
  const migrator = new Migrator();
  const toolpath = migrator.toolpath(old);
  return success({ toolpath, breaking_changes: migrator.notes });
}

/**
 * Maps a JSON pointer of the migrated toolpath to the old one: removed actions shift the ones after
 * them.
 */
export function pathBeforeMigration(old: Json, path: string): string {
  let at: unknown = old;
  const steps = path.split('/').slice(1);
  const before = steps.map((step, i) => {
    const list = at;
    const index = Array.isArray(list) && steps[i - 1] === 'timeline' ? keptAt(list, +step) : step;
    at = isObject(list) || Array.isArray(list) ? (list as Json)[index] : undefined;
    return `/${index}`;
  });
  return before.join('');
}

/** Index of the nth action that the migration keeps. */
function keptAt(timeline: readonly unknown[], nth: number): number {
  const kept = timeline.flatMap((action, i) => (isWaitOfNothing(action) ? [] : [i]));
  return kept[nth] ?? nth;
}
