/**
 * Reads documents without delaying the control loop: on a thread of their own, or at once when they
 * are small or the clock stands. All twins of a process share the thread (D41); the first document
 * that needs it starts it.
 */
import { Piscina } from 'piscina';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { ROUTES, type RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import { compileSchema } from '../../contract/validator.ts';
import type { WallClock } from '../clock/clock.ts';
import { threadFile } from '../planning/planning-pool.ts';
import type { StaticAddressRules } from '../webhooks/addresses.ts';
import type { CheckedDefinition } from '../workflow/definition.ts';
import { carriesDocument } from './document-conversions.ts';
import {
  type BodyTask,
  type DefinitionTask,
  documentTasks,
  type ReadBody,
  type ToolpathText,
} from './document-tasks.ts';

type DocumentTasks = typeof documentTasks;

/** A task call to the thread. */
export interface DocumentCall<Name extends keyof DocumentTasks = keyof DocumentTasks> {
  readonly task: Name;
  readonly argument: Parameters<DocumentTasks[Name]>[0];
}

/** An idle thread ends after this time (ms). */
const IDLE_MS = 60_000;
/** Time between two schemas that are compiled ahead (ms): a compilation takes up to 20 ms. */
const COMPILE_EVERY_MS = 40;

let shared: { readonly pool: Piscina; readers: number } | null = null;

export interface DocumentReaderOptions {
  readonly wall: WallClock;
  /** Whether ticks are due at their times, so that long work must not delay them. */
  readonly keepsTime: () => boolean;
}

export class DocumentReader {
  /** Which addresses hooks of workflows may name; null: any. */
  addresses: StaticAddressRules | null = null;
  private readonly options: DocumentReaderOptions;
  private pool: Piscina | null = null;
  private cancelCompilation = () => {};
  private isClosed = false;

  constructor(options: DocumentReaderOptions) {
    this.options = options;
  }

  /** Reads a body; refuses it with everything that is wrong with it. */
  async body(given: BodyTask): Promise<ReadBody | Refusal> {
    const { bytes } = given;
    const task = this.addresses ? { ...given, addresses: this.addresses } : given;
    if (this.isQuick(bytes)) return documentTasks.body(task);
    if (this.queueSize >= limits.queued_documents) {
      return refuse('not_ready', { reasons: ['Too many large bodies are being read; try again'] });
    }
    const isWhole = bytes.byteLength === bytes.buffer.byteLength;
    try {
      return await this.run('body', task, isWhole ? [bytes.buffer as ArrayBuffer] : []);
    } catch (error) {
      if (this.pool) throw error;
      return refuse('not_ready', { reasons: ['The twin is shutting down'] });
    }
  }

  /** The stored toolpath; null when its text does not have the hash. */
  async toolpath(json: Uint8Array, hash: string): Promise<ToolpathText | null> {
    const opened = this.isQuick(json)
      ? documentTasks.toolpath({ json, hash })
      : await this.run('toolpath', { json, hash });
    return opened && { json, hash, ...opened };
  }

  /** Checks a stored workflow definition, with the workcell that it names. */
  async workflow(task: DefinitionTask): Promise<CheckedDefinition> {
    return this.isQuick(task.json) ? documentTasks.workflow(task) : this.run('workflow', task);
  }

  /** The content of a state file. */
  async plainData(data: Uint8Array): Promise<unknown> {
    return this.isQuick(data) ? documentTasks.plainData(data) : this.run('plainData', data);
  }

  /** The file of a snapshot as JSON text (UTF-8). */
  async stateFile(name: string, snapshot: object): Promise<Uint8Array> {
    const argument = { name, snapshot };
    return this.options.keepsTime()
      ? this.run('stateFile', argument)
      : documentTasks.stateFile(argument);
  }

  /** Bodies that wait for the thread. */
  get queueSize(): number {
    return this.pool?.queueSize ?? 0;
  }

  private isQuick({ length }: Uint8Array): boolean {
    return length <= limits.inline_document_bytes || !this.options.keepsTime();
  }

  private async run<Name extends keyof DocumentTasks>(
    task: Name,
    argument: DocumentCall<Name>['argument'],
    transferList: ArrayBuffer[] = [],
  ): Promise<ReturnType<DocumentTasks[Name]>> {
    const call: DocumentCall<Name> = { task, argument };
    return this.started().run(call, { transferList });
  }

  private started(): Piscina {
    if (this.pool) return this.pool;
    shared ??= { pool: startPool(), readers: 0 };
    shared.readers++;
    this.pool = shared.pool;
    return this.pool;
  }

  /**
   * Starts the thread and compiles the schemas of all calls, one at a time, so that the first call
   * with a body does not delay ticks.
   */
  warmUp(): void {
    const rows = (ROUTES as readonly RouteRow[]).filter(({ body }) => body !== undefined);
    const own = rows.filter(({ id }) => !carriesDocument(id)).map(({ body }) => body as SchemaId);
    const queue = [...new Set(own)];
    const next = () => {
      const schema = queue.pop();
      if (schema === undefined) return;
      compileSchema(schema);
      this.cancelCompilation = this.options.wall.afterUnreferenced(COMPILE_EVERY_MS, next);
    };
    next();
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
      const task = { route: id, schema, dialect: 'documented', bytes: json } as const;
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
    ...threadFile(import.meta.url, './document-tasks'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
}
