/**
 * Reads JSON bodies completely: parse, safety, schema, rules of toolpaths and workflows, hashes.
 * Pure functions of bytes: small bodies are read on the thread of the control loop, others on the
 * document thread, whose entry point is the default export, with equal results (§7, D15, D16).
 * Also: the reader that calls them.
 */
import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { limits } from '../../contract/limits.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import { type Dialect, ROUTES, type RouteRow } from '../../contract/routes.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type {
  JournalVerifyBody,
  SchemaTypes,
  SeedBody,
  SeedToolpath,
  StateFile,
  Toolpath,
  WorkcellBody,
  WorkflowDefinition,
} from '../../contract/types.ts';
import { compileSchema, validate } from '../../contract/validator.ts';
import { type WallClock, waitUnreferenced } from '../clock/clock.ts';
import { threadFile } from '../planning/planner.ts';
import { decodePlainData, encodePlainData } from '../recording/recording-format.ts';
import type { Guard, LateError } from '../store/database.ts';
import type { StaticAddressRules } from '../webhooks/addresses.ts';
import { type CheckedDefinition, checkDefinition } from '../workflow/definition.ts';
import { withWorkcell } from '../workflow/model.ts';
import {
  CONVERSIONS,
  canonicalSha256,
  carriesDocument,
  sha256OfText,
  tooManyValues,
} from './document-conversions.ts';

/** A valid toolpath as JSON text, so that no other thread has to parse it. */
export interface ToolpathText {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Content hash (D15). */
  readonly hash: string;
  readonly metadata: Toolpath['metadata'];
}

/** A workflow definition as JSON text, with the findings of its check. */
export interface CheckedWorkflow {
  /** UTF-8. */
  readonly json: Uint8Array;
  /** Null if there are errors, or no check was made. */
  readonly name: string | null;
  /** The workcell that it names in place of its own instruments; it is not checked without it. */
  readonly workcell: string | null;
  readonly errors: CheckedDefinition['errors'];
  readonly warnings: CheckedDefinition['warnings'];
}

export type InvalidToolpath = Refusal<'invalid_arguments'>;

/** A toolpath inside a body, or the refusal of its problems. */
type InBody<Body extends { readonly toolpath: unknown }> = Omit<Body, 'toolpath'> & {
  readonly toolpath: ToolpathText | InvalidToolpath;
};

/** A seed with its toolpaths checked. */
export type CheckedSeed = Omit<SeedBody, 'toolpaths'> & {
  readonly toolpaths?: readonly InBody<SeedToolpath>[];
};

/** A state file whose content was checked: the refusal, or what it says and its text. */
export interface OpenedStateFile {
  readonly name: string;
  readonly content:
    | InvalidToolpath
    | {
        readonly driver: string;
        /** The physics that it belongs to; absent in files of early versions. */
        readonly physics?: string;
        readonly tick: number;
        readonly state: RobotState;
        /** The content in the encoding of recordings (UTF-8). */
        readonly data: Uint8Array;
      };
}

/** The bodies of calls that carry a whole document, by route, as their handlers receive them. */
export interface DocumentBodies {
  readonly createToolpath: InBody<SchemaTypes['SaveToolpathBody']>;
  readonly updateToolpath: InBody<SchemaTypes['SaveToolpathBody']>;
  readonly shareToolpath: InBody<SchemaTypes['ShareToolpathBody']>;
  readonly calcToolpath: InBody<SchemaTypes['CalcToolpathBody']>;
  readonly useUnsavedToolpath: InBody<SchemaTypes['UseToolpathBody']>;
  /** The reply as JSON text (UTF-8), or the refusal. */
  readonly migrateToolpath: Uint8Array | InvalidToolpath;
  /** With the SHA-256 of the expected body in place of the body. */
  readonly verifyJournal: Omit<JournalVerifyBody, 'body'> & { readonly body_sha256?: string };
  readonly createWorkflow: CheckedWorkflow;
  readonly updateWorkflow: CheckedWorkflow;
  readonly validateWorkflow: CheckedWorkflow;
  readonly seedTwin: CheckedSeed;
  readonly importState: OpenedStateFile;
  readonly replayRobotRun: Omit<SchemaTypes['ReplayRunBody'], 'toolpath'> & {
    readonly toolpath?: ToolpathText | InvalidToolpath;
  };
}

/** A body to read. */
export interface BodyTask {
  readonly route: string;
  readonly schema: SchemaId;
  readonly dialect: Dialect;
  /** The bytes of the body, in pieces that are joined on the thread; at least one. */
  readonly pieces: readonly Uint8Array[];
  /** Whether the SHA-256 of the canonical body is needed. */
  readonly needsHash: boolean;
  /** Whether users may make the call; calls of admins may carry whole twins. */
  readonly isUsers: boolean;
  /** Which addresses hooks of workflows may name; absent: any. */
  readonly addresses?: StaticAddressRules;
}

/** A stored workflow definition to check. */
/** Where the pieces stand at the start of a run, in place of the definition. */
export interface RunStart {
  readonly labware: WorkflowDefinition['workflow']['labware'];
  /** The piece in the gripper; null for none. */
  readonly held: string | null;
}

export interface DefinitionTask {
  /** UTF-8. */
  readonly json: Uint8Array;
  readonly workcell: WorkcellBody | null;
  readonly start?: RunStart;
}

/** A body that fits its schema. */
export interface ReadBody {
  readonly body: unknown;
  /** JSON pointers of fields that were dropped (D3). */
  readonly ignored: readonly string[];
  /** SHA-256 of the canonical JSON; null if it is not needed, or the body is no object. */
  readonly sha256: string | null;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** The parts of a definition that say where a run takes place: the rest is in its model. */
function withoutTasks({ name, workcell, workflow }: WorkflowDefinition): WorkflowDefinition {
  return { name, workcell, workflow: { labware: workflow.labware, tasks: {} } };
}

function parsed(pieces: readonly Uint8Array[]): { readonly value: unknown } | Refusal {
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  if (bytes.length === 0) return refuse('malformed_body', 'The body is empty; send JSON');
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    return refuse('malformed_body', `The body is not valid JSON in UTF-8: ${reason}`);
  }
}

/** Whether a toolpath is whole, and what is needed of it without parsing it again. */
function openedToolpath({ json, hash }: { readonly json: Uint8Array; readonly hash: string }) {
  const toolpath = JSON.parse(decoder.decode(json)) as Toolpath;
  return canonicalSha256(toolpath) === hash ? { metadata: toolpath.metadata } : null;
}

/** The tasks by name. */
export const documentTasks = {
  /** Reads a body; the refusal names what is wrong with it. */
  body(task: BodyTask): ReadBody | Refusal {
    const { route, schema, dialect, pieces, needsHash } = task;
    const text = parsed(pieces);
    if ('refused' in text) return text;
    const result = validate(schema, text.value, { dialect });
    if (!result.ok) return refuse('invalid_arguments', result.error);
    const { value, ignored } = result.value;
    const tooMany = tooManyValues(task, value);
    if (tooMany) return tooMany;
    const body = carriesDocument(route) ? CONVERSIONS[route](value, task) : value;
    return { body, ignored, sha256: needsHash ? canonicalSha256(value) : null };
  },

  /** The file of a snapshot as JSON text (UTF-8). */
  stateFile({ name, snapshot }: { readonly name: string; readonly snapshot: object }): Uint8Array {
    const data = encodePlainData(snapshot);
    const file: StateFile = { format: 1, name, sha256: sha256OfText(data), data };
    return encoder.encode(JSON.stringify(file));
  },

  /** The content of a state file. */
  plainData: (data: Uint8Array): unknown => decodePlainData(decoder.decode(data)),

  /** The metadata of a stored toolpath; null when its text does not have the hash. */
  toolpath: openedToolpath,

  /** Checks a stored workflow definition, with the workcell that it names. */
  workflow({ json, workcell, start }: DefinitionTask): CheckedDefinition {
    const document = JSON.parse(decoder.decode(json)) as WorkflowDefinition;
    const { labware = document.workflow.labware, held } = start ?? {};
    const placed = { ...document, workflow: { ...document.workflow, labware } };
    const whole = workcell ? withWorkcell(placed, workcell) : placed;
    const checked = checkDefinition(whole, held === undefined ? null : { held });
    return { ...checked, definition: checked.definition && withoutTasks(checked.definition) };
  },
};

export type DocumentTasks = typeof documentTasks;

/** The document thread runs one task per message and transfers texts without copying them. */

/** The memory of the typed arrays in plain data that have one of their own. */
function memoriesIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value === null || typeof value !== 'object') return found;
  if (!ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) memoriesIn(part, found);
  } else if (value.byteLength === value.buffer.byteLength) {
    found.add(value.buffer as ArrayBuffer);
  }
  return found;
}

/**
 * A body that was read on the thread and is no document, as JSON text: the loop's thread parses it
 * in a third of the time that a copy takes. A −0 comes as 0, as in every stored document.
 */
interface TextBody extends Omit<ReadBody, 'body'> {
  readonly text: string;
}

function withText(read: ReadBody | Refusal): TextBody | Refusal {
  if ('refused' in read) return read;
  const { body, ...rest } = read;
  return { ...rest, text: JSON.stringify(body) };
}

function withBody(read: TextBody | ReadBody | Refusal): ReadBody | Refusal {
  if (!('text' in read)) return read;
  const { text, ...rest } = read;
  return { ...rest, body: JSON.parse(text) as unknown };
}

/** Runs one task. The memory of the result moves to the caller's thread instead of being copied. */
export default function runTask(call: DocumentCall): unknown {
  const run = documentTasks[call.task] as (argument: unknown) => unknown;
  const result = run(call.argument);
  const isText = call.task === 'body' && !carriesDocument((call.argument as BodyTask).route);
  const value = isText ? withText(result as ReadBody | Refusal) : result;
  if (value === null || typeof value !== 'object') return value;
  return move({ [transferableSymbol]: [...memoriesIn(value)], [valueSymbol]: value });
}

/**
 * Reads documents without delaying the control loop: on a thread of their own, or at once when they
 * are small or the clock stands. All twins of a process share the thread (D41); the first document
 * that needs it starts it.
 */

/** A task call to the thread. */
export interface DocumentCall<Name extends keyof DocumentTasks = keyof DocumentTasks> {
  readonly task: Name;
  readonly argument: Parameters<DocumentTasks[Name]>[0];
}

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
  /** When the next large body may be read (ms of wall time), and how many wait for their time. */
  private nextLarge_ms = 0;
  /** When the bytes of large bodies so far are due (ms of wall time). */
  private received_ms = 0;
  /** The last file of a snapshot that was asked for, and when the next one may be made. */
  private lastFile: Promise<unknown> = Promise.resolve();
  private nextFile_ms = 0;
  private waiting = 0;

  constructor(options: DocumentReaderOptions) {
    this.options = options;
  }

  /** Reads a body; refuses it with everything that is wrong with it. */
  async body(given: BodyTask): Promise<ReadBody | Refusal> {
    const { pieces } = given;
    const task = this.addresses ? { ...given, addresses: this.addresses } : given;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (this.isQuick({ length })) return documentTasks.body(task);
    if (this.queueSize + this.waiting >= limits.queued_documents) {
      return refuse('not_ready', { reasons: ['Too many large bodies are being read; try again'] });
    }
    if (length >= limits.large_document_bytes) await this.turn();
    try {
      return withBody(await this.run('body', task, [...memoriesIn(pieces)]));
    } catch (error) {
      if (this.pool) throw error;
      return SHUTTING_DOWN;
    }
  }

  /**
   * Waits until the next large body may be read. V8 collects garbage after each 64 MB outside of
   * its heap, which takes 5 ms: at 100 MB of bodies a second that would be ten times a second.
   */
  private async turn(): Promise<void> {
    const { wall } = this.options;
    const now_ms = wall.now_ms();
    const at_ms = Math.max(now_ms, this.nextLarge_ms);
    this.nextLarge_ms = at_ms + limits.large_document_gap_ms;
    if (at_ms === now_ms) return;
    this.waiting++;
    await waitUnreferenced(wall, at_ms - now_ms);
    this.waiting--;
  }

  /**
   * How long no more of a large body is to be received after these bytes of it (ms): all of them
   * together arrive at `large_body_bytes_per_s`, so that garbage is seldom collected for them.
   */
  pauseAfter(bytes: number): number {
    if (!this.options.keepsTime()) return 0;
    const now_ms = this.options.wall.now_ms();
    const due_ms = Math.max(now_ms, this.received_ms) + bytes / BODY_BYTES_PER_MS;
    this.received_ms = due_ms;
    return due_ms - now_ms > MOST_AHEAD_MS ? due_ms - now_ms : 0;
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
    return this.pool?.queueSize ?? 0;
  }

  private isQuick({ length }: { readonly length: number }): boolean {
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
    // A body may have waited for its turn: a thread that starts now would never end.
    if (this.isClosed) throw new Error('The reader of documents is closed');
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
      try {
        compileSchema(schema);
      } catch {
        // Its file cannot be opened now; the first call with such a body tries again.
      }
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
    ...threadFile(import.meta.url, './document-tasks'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
}
