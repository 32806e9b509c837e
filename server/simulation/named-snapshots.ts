/**
 * Named snapshots of the twin, in memory and as files. A file carries its SHA-256; a damaged file
 * is refused before anything is restored.
 */
import { createHash } from 'node:crypto';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { NamedState, StateFile } from '../../contract/types.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import { decodePlainData, encodePlainData } from '../recording/plain-data.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

function fingerprint(data: string): string {
  return createHash('sha256').update(data).digest('hex');
}

function namedState(name: string, { tick, robot }: TwinSnapshot): NamedState {
  return { name, tick, state: robot.memory.state };
}

/** A snapshot in a file, with the physics that it belongs to. */
type SnapshotContent = TwinSnapshot & { readonly physics?: string };

export class NamedSnapshots {
  private readonly driver: string;
  private readonly snapshots = new Map<string, TwinSnapshot>();

  constructor(driver: string) {
    this.driver = driver;
  }

  list(): readonly NamedState[] {
    return [...this.snapshots].map(([name, snapshot]) => namedState(name, snapshot));
  }

  /** Saves a snapshot under a name; replaces one of the same name. */
  save(name: string, snapshot: TwinSnapshot): NamedState | Refusal<'invalid_arguments'> {
    if (!this.snapshots.has(name) && this.snapshots.size >= limits.snapshots) {
      return refuseLimitReached('named snapshots', limits.snapshots);
    }
    this.snapshots.set(name, snapshot);
    return namedState(name, snapshot);
  }

  find(name: string): TwinSnapshot | Refusal<'not_found'> {
    return this.snapshots.get(name) ?? refuse('not_found', `There is no snapshot “${name}”`);
  }

  /** Exports a snapshot as a file. */
  export(name: string): StateFile | Refusal<'not_found'> {
    const snapshot = this.find(name);
    if ('refused' in snapshot) return snapshot;
    const data = encodePlainData({ ...snapshot, physics: PHYSICS_FINGERPRINT });
    return { format: 1, name, sha256: fingerprint(data), data };
  }

  /** Imports a snapshot from a file. */
  import({ name, sha256, data }: StateFile): NamedState | Refusal<'invalid_arguments'> {
    if (fingerprint(data) !== sha256) {
      const problem = 'is damaged: its SHA-256 differs from the one in the file';
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    const { physics, ...snapshot } = decodePlainData(data) as SnapshotContent;
    if (snapshot.driver !== this.driver) {
      const problem = `is from the driver ${snapshot.driver}; this twin uses ${this.driver}`;
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    if (physics !== PHYSICS_FINGERPRINT) {
      const problem = 'is of a version with other physics; import it there';
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    return this.save(name, snapshot);
  }

  clear(): void {
    this.snapshots.clear();
  }
}
