/**
 * Named snapshots of the twin, in memory and as files. A file carries its SHA-256, which the
 * document reader compares; a damaged file is refused before anything is restored.
 */
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../contract/refusal.ts';
import type { NamedState } from '../../contract/types.ts';
import { PHYSICS_FINGERPRINT } from '../../physics/arm/arm-model.ts';
import type { OpenedStateFile } from '../documents/document-tasks.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';

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

  /** The content of a file of a snapshot. */
  contentOf(name: string): SnapshotContent | Refusal<'not_found'> {
    const snapshot = this.find(name);
    return 'refused' in snapshot ? snapshot : { ...snapshot, physics: PHYSICS_FINGERPRINT };
  }

  /** Imports a snapshot from a file. */
  import({ name, content }: OpenedStateFile): NamedState | Refusal<'invalid_arguments'> {
    if ('refused' in content) return content;
    const { physics, ...snapshot } = content.snapshot as SnapshotContent;
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
