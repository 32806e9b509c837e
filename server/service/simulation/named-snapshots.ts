import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse, refuseAt, refuseLimitReached } from '../../../contract/refusal.ts';
import type { NamedState } from '../../../contract/types.generated.ts';
import { PHYSICS_FINGERPRINT } from '../../../physics/arm/arm-model.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { OpenedStateFile } from '../../documents/state-file.ts';
import type { KeptSnapshot } from './kept-snapshot.ts';

/** A snapshot in a file, with the physics that it belongs to. */
type SnapshotContent = KeptSnapshot & { readonly physics: string };

/** A snapshot of a file, which was not restored yet: its content stays encoded. */
type EncodedSnapshot = Exclude<OpenedStateFile['content'], Refusal>;

function namedState(name: string, kept: KeptSnapshot | EncodedSnapshot): NamedState {
  if ('data' in kept) return { name, tick: kept.tick, state: kept.state };
  return { name, tick: kept.tick, state: kept.robot.memory.state };
}

/**
 * Named snapshots of the twin, in memory and as files. A file carries its SHA-256, which the
 * document reader compares; a damaged file is refused before anything is restored.
 */
export class NamedSnapshots {
  private readonly driver: string;
  private readonly documents: DocumentReader;
  private readonly kept = new Map<string, KeptSnapshot | EncodedSnapshot>();

  constructor(driver: string, documents: DocumentReader) {
    this.driver = driver;
    this.documents = documents;
  }

  list(): readonly NamedState[] {
    return [...this.kept].map(([name, one]) => namedState(name, one));
  }

  /** Saves a snapshot under a name; replaces one of the same name. */
  save(
    name: string,
    snapshot: KeptSnapshot | EncodedSnapshot,
  ): NamedState | Refusal<'invalid_arguments'> {
    if (!this.kept.has(name) && this.kept.size >= limits.snapshots) {
      return refuseLimitReached('named snapshots', limits.snapshots);
    }
    this.kept.set(name, snapshot);
    return namedState(name, snapshot);
  }

  /** Whether the snapshot is of a file, which may be made by hand, and was not restored yet. */
  isUnproven(name: string): boolean {
    return 'data' in (this.kept.get(name) ?? {});
  }

  async find(name: string): Promise<KeptSnapshot | Refusal<'not_found'>> {
    const kept = this.kept.get(name);
    if (!kept) return refuse('not_found', `There is no snapshot “${name}”`);
    if (!('data' in kept)) return kept;
    const { physics: _, ...snapshot } = (await this.documents.plainData(
      kept.data,
    )) as SnapshotContent;
    return snapshot;
  }

  /** The content of a file of a snapshot. */
  async contentOf(name: string): Promise<SnapshotContent | Refusal<'not_found'>> {
    const snapshot = await this.find(name);
    return 'refused' in snapshot ? snapshot : { ...snapshot, physics: PHYSICS_FINGERPRINT };
  }

  /** Imports a snapshot from a file. */
  import({ name, content }: OpenedStateFile): NamedState | Refusal<'invalid_arguments'> {
    if ('refused' in content) return content;
    const { driver, physics } = content;
    if (driver !== this.driver) {
      const problem = `is from the driver ${driver}; this twin uses ${this.driver}`;
      return refuseAt('/data', problem);
    }
    if (physics !== PHYSICS_FINGERPRINT) {
      const problem = 'is of a version or of an arm with other physics; import it there';
      return refuseAt('/data', problem);
    }
    return this.save(name, content);
  }

  clear(): void {
    this.kept.clear();
  }
}
