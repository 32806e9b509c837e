/**
 * Software updates (§4.8, decision D32): the available updates and their installation, which takes
 * half a minute and ends with a power cycle. Sessions, lock, toolpath and outputs do not survive
 * it.
 */

import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Update } from '../../../contract/types.generated.ts';
import type { Timers } from '../../clock/timers.ts';
import { type TwinTime, tickOf } from '../../clock/twin-time.ts';
import type { Cancel } from '../../clock/wall-clock.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { Database } from '../../store/database.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Available versions in the order of installation (decision D32), with all changelogs between. */
const CATALOGUE: readonly Update[] = [
  {
    version: '4.10.0',
    changelogs: [
      { version: '4.9.1', content: 'Steadier telemetry during backdriving.' },
      { version: '4.10.0', content: 'Required before any later version: new storage format.' },
    ],
  },
  {
    version: '4.11.2',
    changelogs: [
      { version: '4.11.0', content: 'Shorter start-up after a power cycle.' },
      { version: '4.11.2', content: 'Corrected the daily schedule across midnight.' },
    ],
  },
];

/** First line of an update package: names its version. */
const MANIFEST = /^armtwin-update ([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})\n/;

export interface UpdatesParts {
  readonly database: Database;
  readonly loop: ControlLoop;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly sessions: Sessions;
  /** Publishes that an update is being installed. */
  readonly announce: (message: string) => void;
  readonly onUnsaved: (error: unknown) => void;
}

/** An update that is being installed, and the tick of its completion. */
export interface PendingUpdate {
  readonly version: string;
  readonly due_tick: number;
}

export class Updates {
  private readonly parts: UpdatesParts;
  private installing: { readonly pending: PendingUpdate; readonly cancel: Cancel } | null = null;

  /** The version that is installed and not yet durable, or null. */
  private unsaved: string | null = null;

  constructor(parts: UpdatesParts) {
    this.parts = parts;
  }

  /** The installed version, from the tick at which its installation ends. */
  get version(): string {
    return this.unsaved ?? this.parts.database.software_version;
  }

  /** The available updates, in the order of installation. */
  list(): readonly Update[] {
    const installed = CATALOGUE.findIndex(({ version }) => version === this.version);
    return CATALOGUE.slice(installed + 1);
  }

  /** Installs the next available version; refuses any other and names the next one. */
  apply(version: string): Refusal<'invalid_arguments' | 'wrong_state'> | null {
    const next = this.list()[0];
    if (next?.version === version) return this.install(version);
    const problem = next
      ? `must be ${next.version}, the next update in order`
      : 'cannot be installed: the software is up to date';
    return refuse('invalid_arguments', [{ path: '/version', problem }]);
  }

  /**
   * Installs an uploaded package: the version of its manifest, else the next available one. `start`
   * is the start of the package.
   */
  upload(start: Buffer): Refusal<'malformed_body' | 'wrong_state'> | null {
    if (start.length === 0) return refuse('malformed_body', 'The update package is empty');
    const head = start.toString('latin1');
    return this.install(MANIFEST.exec(head)?.[1] ?? this.list()[0]?.version ?? this.version);
  }

  private install(version: string): Refusal<'wrong_state'> | null {
    const { loop, time, announce } = this.parts;
    const refusal = loop.apply({ kind: 'begin_update' });
    if (refusal) return refusal;
    announce(`Installing version ${version}`);
    this.resume({ version, due_tick: tickOf(time.now_s + limits.update_duration_s) });
    return null;
  }

  /** The update being installed, or null. */
  save(): PendingUpdate | null {
    return this.installing?.pending ?? null;
  }

  /** Restores what `save` returned, in place of the present installation. */
  restore(pending: PendingUpdate | null): void {
    this.installing?.cancel();
    this.installing = null;
    this.unsaved = null;
    if (pending) this.resume(pending);
  }

  private resume(pending: PendingUpdate): void {
    const cancel = this.parts.timers.at(pending.due_tick, () => this.finish(pending.version));
    this.installing = { pending, cancel };
  }

  private finish(version: string): void {
    const { loop, sessions } = this.parts;
    this.installing = null;
    // Who sees the arm ready again reads the new version.
    this.saveVersion(version);
    loop.apply({ kind: 'finish_update' });
    sessions.endWhere(() => true);
  }

  /** Saves the installed version. A version that cannot be saved is not installed. */
  protected saveVersion(version: string): void {
    const { database, onUnsaved } = this.parts;
    this.unsaved = version;
    const save = database.change((draft) => {
      draft.software_version = version;
    });
    save.catch(onUnsaved).finally(() => {
      if (this.unsaved === version) this.unsaved = null;
    });
  }
}
