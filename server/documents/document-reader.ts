import { Piscina } from 'piscina';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { shares } from '../../contract/shares.ts';
import { compileSchema } from '../../contract/validator.ts';
import type { CheckedDefinition } from '../../scheduler/definition/checked-definition.ts';
import type { DefinitionTask } from '../../scheduler/definition/definition-task.ts';
import { type WallClock, waitUnreferenced } from '../clock/wall-clock.ts';
import { type Claimant, type Owner, THE_TWIN } from '../shares/claimant.ts';
import { FairQueue } from '../shares/fair-queue.ts';
import { Share } from '../shares/share.ts';
import type { Guard, LateError } from '../store/guard.ts';
import { threadFile } from '../threads/thread-file.ts';
import type { StaticAddressRules } from '../webhooks/denied-hooks.ts';
import type { BodyTask, ReadBody } from './body-task.ts';
import { carriesDocument } from './document-bodies.ts';
import { type DocumentCall, type DocumentTasks, documentTasks } from './document-tasks.ts';
import { withBody } from './text-body.ts';
import type { ToolpathText } from './toolpath-text.ts';
import { memoriesIn } from './transferable-memory.ts';

/** An idle thread ends after this time (ms). */
const IDLE_MS = 60_000;
const BODY_BYTES_PER_MS = limits.large_body_bytes_per_s / 1000;
const FILE_BYTES_PER_MS = limits.state_file_bytes_per_s / 1000;
/** How much earlier than due bytes of large bodies may arrive (ms). */
const MOST_AHEAD_MS = 5;
/** Time between two schemas that are compiled ahead (ms): a compilation takes up to 20 ms. */
const COMPILE_EVERY_MS = 40;

const SHUTTING_DOWN = refuse('not_ready', { reasons: ['The twin is shutting down'] });

let shared: { readonly pool: Piscina; readers: number } | null = null;

/** Whether a small body may become a large document: by templates, whose name may be escaped. */
function mayGrow({ schema, pieces }: BodyTask): boolean {
  if (schema !== 'WorkflowDocument') return false;
  const text = Buffer.concat(pieces);
  return text.includes('for_each') || text.includes('\\u');
}

export interface DocumentReaderOptions {
  readonly wall: WallClock;
  /** Whether ticks are due at their times, so that long work must not delay them. */
  readonly keepsTime: () => boolean;
}

/**
 * Reads documents without delaying the control loop: on a thread of their own, or at once when
 * they are small or the clock stands. All twins of a process share the thread (D41); the first
 * document that needs it starts it.
 */
export class DocumentReader {
  /** Which addresses hooks of workflows may name; null: any. */
  addresses: StaticAddressRules | null = null;
  private readonly options: DocumentReaderOptions;
  private pool: Piscina | null = null;
  private cancelCompilation = () => {};
  private isWarm = false;
  private isClosed = false;
  /** When the next large body may be read (ms of wall time). */
  private nextLarge_ms = 0;
  /** When the bytes of large bodies so far are due, by owner (ms of wall time). */
  private readonly received_ms = new Map<Owner, number>();
  /** What is done on the thread: the owners take turns. */
  readonly queue = new FairQueue(
    new Share(shares.document_thread),
    new Share(shares.document_queue),
  );
  /** The last file of a snapshot that was asked for, and when the next one may be made. */
  private lastFile: Promise<unknown> = Promise.resolve();
  private nextFile_ms = 0;

  constructor(options: DocumentReaderOptions) {
    this.options = options;
  }

  /** Reads a body; refuses it with everything that is wrong with it. */
  async body(given: BodyTask, claimant: Claimant): Promise<ReadBody | Refusal> {
    const { pieces } = given;
    const task = this.addresses ? { ...given, addresses: this.addresses } : given;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isSmall = length <= limits.inline_document_bytes;
    const becomes = isSmall && mayGrow(task) ? limits.body_toolpath_bytes : length;
    if (this.isQuick({ length: becomes })) return documentTasks.body(task);
    try {
      return await this.queue.run<ReadBody | Refusal>(claimant, async () => {
        if (length >= limits.large_document_bytes) await this.gap();
        return withBody(await this.onThread('body', task, [...memoriesIn(pieces)]));
      });
    } catch (error) {
      if (this.pool) throw error;
      return SHUTTING_DOWN;
    }
  }

  /**
   * Waits until the next large body may be read. V8 collects garbage after each 64 MB outside of
   * its heap, which takes 5 ms: at 100 MB of bodies a second that would be ten times a second.
   */
  private async gap(): Promise<void> {
    const { wall } = this.options;
    const now_ms = wall.now_ms();
    const at_ms = Math.max(now_ms, this.nextLarge_ms);
    this.nextLarge_ms = at_ms + limits.large_document_gap_ms;
    if (at_ms > now_ms) await waitUnreferenced(wall, at_ms - now_ms);
  }

  /**
   * How long no more of a large body is to be received after these bytes of it (ms): all of them
   * together arrive at `large_body_bytes_per_s`, so that garbage is seldom collected for them. Owners
   * who send at the same time have equal parts of that rate.
   */
  pauseAfter(bytes: number, owner: Owner): number {
    if (!this.options.keepsTime()) return 0;
    const now_ms = this.options.wall.now_ms();
    for (const [other, due_ms] of this.received_ms) {
      if (due_ms <= now_ms) this.received_ms.delete(other);
    }
    const begin_ms = this.received_ms.get(owner) ?? now_ms;
    const senders = this.received_ms.size + (this.received_ms.has(owner) ? 0 : 1);
    const due_ms = begin_ms + (senders * bytes) / BODY_BYTES_PER_MS;
    this.received_ms.set(owner, due_ms);
    return due_ms - now_ms > MOST_AHEAD_MS ? due_ms - now_ms : 0;
  }

  /** The stored toolpath; null when its text does not have the hash. */
  async toolpath(
    json: Uint8Array,
    hash: string,
    owner: Owner = THE_TWIN.owner,
  ): Promise<ToolpathText | null> {
    const opened = this.isQuick(json)
      ? documentTasks.toolpath({ json, hash })
      : await this.run('toolpath', { json, hash }, owner);
    return opened && { json, hash, ...opened };
  }

  /** Checks a stored workflow definition, with the workcell that it names. */
  async workflow(task: DefinitionTask, owner: Owner = THE_TWIN.owner): Promise<CheckedDefinition> {
    const isQuick = this.isQuick(task.json);
    return isQuick ? documentTasks.workflow(task) : this.run('workflow', task, owner);
  }

  /** The content of a state file. */
  async plainData(data: Uint8Array): Promise<unknown> {
    return this.isQuick(data) ? documentTasks.plainData(data) : this.run('plainData', data);
  }

  /**
   * The file of a snapshot as JSON text (UTF-8). Files are made one after the other, at
   * `state_file_bytes_per_s` all together, so that garbage is seldom collected for them; one whose
   * turn comes too late is refused by the guard.
   */
  stateFile(
    name: string,
    snapshot: object,
    guard: Guard,
  ): Promise<Uint8Array | Refusal<LateError | 'not_ready'>> {
    const file = this.lastFile.then(() => this.nextFile({ name, snapshot }, guard));
    // Without its value: a file may have 100 MB.
    this.lastFile = file.then(
      () => {},
      () => {},
    );
    return file;
  }

  private async nextFile(
    argument: DocumentCall<'stateFile'>['argument'],
    guard: Guard,
  ): Promise<Uint8Array | Refusal<LateError | 'not_ready'>> {
    const { wall, keepsTime } = this.options;
    const early_ms = this.nextFile_ms - wall.now_ms();
    if (early_ms > 0 && keepsTime()) await waitUnreferenced(wall, early_ms);
    const late = guard();
    if (late) return late;
    if (!keepsTime()) return documentTasks.stateFile(argument);
    if (this.isClosed) return SHUTTING_DOWN;
    const file = await this.run('stateFile', argument);
    this.nextFile_ms = wall.now_ms() + file.length / FILE_BYTES_PER_MS;
    return file;
  }

  /** Bodies that wait for the thread. */
  get queueSize(): number {
    return this.queue.waiting.used;
  }

  private isQuick({ length }: { readonly length: number }): boolean {
    return length <= limits.inline_document_bytes || !this.options.keepsTime();
  }

  /** Does a task on the thread when its owner has a turn. */
  private run<Name extends keyof DocumentTasks>(
    task: Name,
    argument: DocumentCall<Name>['argument'],
    owner: Owner = THE_TWIN.owner,
  ): Promise<ReturnType<DocumentTasks[Name]>> {
    return this.queue.always({ owner }, () => this.onThread(task, argument));
  }

  private async onThread<Name extends keyof DocumentTasks>(
    task: Name,
    argument: DocumentCall<Name>['argument'],
    transferList: ArrayBuffer[] = [],
  ): Promise<ReturnType<DocumentTasks[Name]>> {
    const call: DocumentCall<Name> = { task, argument };
    return this.started().run(call, { transferList });
  }

  private started(): Piscina {
    if (this.pool) return this.pool;
    // A body may have waited for its turn: a thread that starts now would never end.
    if (this.isClosed) throw new Error('The reader of documents is closed');
    shared ??= { pool: startPool(), readers: 0 };
    shared.readers++;
    this.pool = shared.pool;
    return this.pool;
  }

  /**
   * Starts the thread and compiles the schemas of all calls, one at a time, so that calls with a body
   * delay no tick: once, when somebody calls whose bodies may follow. Both take 30 MB.
   */
  warmUp(): void {
    if (this.isWarm || this.isClosed || !this.options.keepsTime()) return;
    this.isWarm = true;
    const rows = (ROUTES as readonly RouteRow[]).filter(({ body }) => body !== undefined);
    const own = rows.filter(({ id }) => !carriesDocument(id)).map(({ body }) => body as SchemaId);
    const queue = [...new Set(own)];
    const next = () => {
      const schema = queue.pop();
      if (schema === undefined) return;
      try {
        compileSchema(schema);
      } catch {
        // Its file cannot be opened now; the first call with such a body tries again.
      }
      this.cancelCompilation = this.options.wall.afterUnreferenced(COMPILE_EVERY_MS, next);
    };
    this.cancelCompilation = this.options.wall.afterUnreferenced(COMPILE_EVERY_MS, next);
    this.warmThread(rows).catch(() => {
      // A thread that ends before is not needed any more.
    });
  }

  /** Compiles the schemas on the thread, one at a time: bodies that arrive meanwhile go first. */
  private async warmThread(rows: readonly RouteRow[]): Promise<void> {
    const json = new TextEncoder().encode('{}');
    for (const { id, body } of rows) {
      if (this.isClosed) return;
      const schema = body as SchemaId;
      const task = { route: id, schema, dialect: 'documented', pieces: [json] } as const;
      await this.run('body', { ...task, needsHash: false, isUsers: false });
    }
  }

  /** Releases the thread; the last reader of the process terminates it. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelCompilation();
    if (!this.pool || !shared) return;
    this.pool = null;
    shared.readers--;
    if (shared.readers > 0) return;
    const { pool } = shared;
    shared = null;
    await pool.destroy();
  }
}

function startPool(): Piscina {
  return new Piscina({
    ...threadFile(import.meta.url, './document-worker'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
}
