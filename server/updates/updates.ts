/**
 * Software updates (spec §4.8, decision D32): what is offered, and the half minute in which an
 * update installs. It ends with a power cycle: no session, lock, toolpath or output outlives it.
 */
import { limits } from '../../contract/limits.ts';
import type { Update } from '../../contract/types.ts';
import type { Timers } from '../clock/timers.ts';
import { type TwinTime, tickOf } from '../clock/twin-time.ts';
import type { Cancel } from '../clock/wall-clock.ts';
import type { Loop } from '../robot/loop.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Database } from '../store/database.ts';
import { CATALOGUE } from './catalogue.ts';

/** First bytes of an update package of our own: a line that names its version. */
const MANIFEST = /^armtwin-update ([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})\n/;
const MANIFEST_BYTES = 64;

export interface UpdatesParts {
  readonly database: Database;
  readonly loop: Loop;
  readonly time: TwinTime;
  readonly timers: Timers;
  readonly sessions: Sessions;
  /** Tells everyone that an update is under way. */
  readonly announce: (message: string) => void;
  readonly onUnsaved: (error: unknown) => void;
  readonly onFailed: (message: string) => void;
}

/** An update that installs, and when it is done. */
export interface InstallingUpdate {
  readonly version: string;
  readonly due_tick: number;
}

export class Updates {
  private readonly parts: UpdatesParts;
  private installing: { readonly left: InstallingUpdate; readonly cancel: Cancel } | null = null;

  /** Asked when an update is in: whether it has failed. */
  fails: () => boolean = () => false;

  constructor(parts: UpdatesParts) {
    this.parts = parts;
  }

  /** The updates that remain, the next one first. */
  list(): readonly Update[] {
    const { software_version } = this.parts.database.records;
    const installed = CATALOGUE.findIndex(({ version }) => version === software_version);
    return CATALOGUE.slice(installed + 1);
  }

  /** Installs the next listed version; any other is refused with the one that must come first. */
  apply(version: string): Refusal | null {
    const next = this.list()[0];
    if (next?.version === version) return this.install(version);
    const problem = next
      ? `must be ${next.version}, the next update in order`
      : 'cannot be installed: the software is up to date';
    return refuse('invalid_arguments', [{ path: '/version', problem }]);
  }

  /** Installs an uploaded package: the version that its manifest names, else the next listed. */
  upload(bytes: Buffer): Refusal | null {
    if (bytes.length === 0) return refuse('malformed_body', 'The update package is empty');
    const head = bytes.subarray(0, MANIFEST_BYTES).toString('latin1');
    const { software_version } = this.parts.database.records;
    return this.install(MANIFEST.exec(head)?.[1] ?? this.list()[0]?.version ?? software_version);
  }

  private install(version: string): Refusal | null {
    const { loop, time, announce } = this.parts;
    const refusal = loop.apply({ kind: 'begin_update' });
    if (refusal) return refusal;
    announce(`Installing version ${version}`);
    this.resume({ version, due_tick: tickOf(time.now_s + limits.update_duration_s) });
    return null;
  }

  /** The update under way, or null. */
  save(): InstallingUpdate | null {
    return this.installing?.left ?? null;
  }

  /** Takes back what `save` gave: an update under way ends, one that was goes on. */
  restore(left: InstallingUpdate | null): void {
    this.installing?.cancel();
    this.installing = null;
    if (left) this.resume(left);
  }

  private resume(left: InstallingUpdate): void {
    const cancel = this.parts.timers.at(left.due_tick, () => this.finish(left.version));
    this.installing = { left, cancel };
  }

  private finish(version: string): void {
    const { database, loop, sessions, onUnsaved, onFailed } = this.parts;
    this.installing = null;
    loop.apply({ kind: 'finish_update' });
    sessions.endWhere(() => true);
    if (this.fails()) {
      onFailed(`Version ${version} could not be installed; the arm runs on with the one it had`);
      return;
    }
    const save = database.change((draft) => {
      draft.software_version = version;
    });
    save.catch(onUnsaved);
  }
}
