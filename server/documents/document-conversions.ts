/**
 * What handlers receive in place of a body that carries a document: texts with hashes, and the
 * findings of the checks (D15, D16). Pure functions of a body that fits its schema.
 */
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { limits } from '../../contract/limits.ts';
import { type Problem, refuse } from '../../contract/refusal.ts';
import { ROBOT_STATES } from '../../contract/robot-states.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type {
  JournalVerifyBody,
  MigrateToolpathBody,
  SeedBody,
  StateFile,
  Toolpath,
  WorkflowDefinition,
} from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { canonicalJson } from '../../physics/toolpath/hash.ts';
import { migrateToolpath, pathBeforeMigration } from '../../physics/toolpath/migrate.ts';
import { decodePlainData } from '../recording/recording-format.ts';
import type { RecordedToolpath, StandstillCommand } from '../robot/commands.ts';
import { createIo, type SignalValues, valueProblem } from '../robot/io.ts';
import { createMemory, type RobotMemory } from '../robot/robot-context.ts';
import { isRecord, type ToolpathRecord } from '../store/records.ts';
import { deniedHooks } from '../webhooks/addresses.ts';
import { checkDefinition } from '../workflow/definition.ts';
import { namedWorkcell } from '../workflow/model.ts';
import type {
  BodyTask,
  CheckedSeed,
  CheckedWorkflow,
  DocumentBodies,
  InvalidToolpath,
  OpenedStateFile,
  ToolpathText,
} from './document-tasks.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The SHA-256 of a value as canonical JSON; null for a value that is no object. */
export function canonicalSha256(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  return createHash('sha256').update(canonicalJson(value)!).digest('hex');
}

/** The JSON text of a valid toolpath with its hash. */
export function toolpathText(toolpath: Toolpath): ToolpathText {
  const json = encoder.encode(JSON.stringify(toolpath));
  return { json, hash: canonicalSha256(toolpath)!, metadata: toolpath.metadata };
}

function invalid(problems: readonly Problem[]): InvalidToolpath {
  const pointers = problems.map(({ path, problem }) => ({ path: `/toolpath${path}`, problem }));
  return refuse('invalid_arguments', pointers);
}

function checkedToolpath(toolpath: Toolpath): ToolpathText | InvalidToolpath {
  const problems = checkToolpath(toolpath);
  return problems.length > 0 ? invalid(problems) : toolpathText(toolpath);
}

function withToolpath(value: unknown): unknown {
  const body = value as { readonly toolpath: Toolpath };
  return { ...body, toolpath: checkedToolpath(body.toolpath) };
}

/** The toolpath without members of its metadata that are null: absent in the fielded dialect. */
function withoutNulls(old: MigrateToolpathBody['toolpath']): MigrateToolpathBody['toolpath'] {
  const { metadata } = old as { readonly metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) return old;
  const entries = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...old, metadata: Object.fromEntries(entries) };
}

/** Migrates a toolpath to the latest format; the result must be valid (D16). */
function migrated(value: unknown, { dialect }: BodyTask): Uint8Array | InvalidToolpath {
  const { toolpath: given } = value as MigrateToolpathBody;
  const old = dialect === 'fielded' ? withoutNulls(given) : given;
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath: made, breaking_changes } = migration.value;
  const shape = validate('Toolpath', made, { dialect });
  const problems = shape.ok ? checkToolpath(shape.value.value) : shape.error;
  if (problems.length > 0 || !shape.ok) {
    const isNew = made === old;
    return invalid(
      problems.map(({ path, problem }) => {
        return { path: isNew ? path : pathBeforeMigration(old, path), problem };
      }),
    );
  }
  const toolpath = shape.value.value;
  const reply = { toolpath: { hash: canonicalSha256(toolpath)!, toolpath }, breaking_changes };
  return encoder.encode(JSON.stringify(reply));
}

function checkedWorkflow(value: unknown, { addresses }: BodyTask): CheckedWorkflow {
  const json = encoder.encode(JSON.stringify(value));
  const workcell = namedWorkcell(value);
  const size = sizeProblem((value as WorkflowDefinition).workcell);
  const denied = [
    ...(addresses ? deniedHooks(value, addresses) : []),
    ...(size === null ? [] : [{ path: '/workcell', message: size }]),
  ];
  if (workcell !== null) return { json, name: null, workcell, errors: denied, warnings: [] };
  const { model, errors, warnings } = checkDefinition(value);
  const name = denied.length > 0 ? null : (model?.name ?? null);
  return { json, name, workcell, errors: [...errors, ...denied], warnings };
}

/** Adds the values of an object; a spread of as many arguments would exceed the call stack. */
function pushValues(open: unknown[], from: object): void {
  for (const value of Object.values(from)) open.push(value);
}

/** Whether a value consists of more than `most` values; stops counting there. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  for (let count = 0; open.length > 0; count++) {
    const next = open.pop();
    if (count + open.length >= most) return true;
    if (next !== null && typeof next === 'object') pushValues(open, next);
  }
  return false;
}

/** Whether the objects in a value have more than `most` different names of fields. */
function hasMoreNames(value: unknown, most: number): boolean {
  const names = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0 && names.size <= most) {
    const next = open.pop();
    if (next === null || typeof next !== 'object') continue;
    pushValues(open, next);
    if (!Array.isArray(next)) for (const name of Object.keys(next)) names.add(name);
  }
  return names.size > most;
}

const TOO_MANY_VALUES = `has more than ${limits.body_values} values`;
const TOO_MANY_NAMES = `has more than ${limits.body_names} different names of fields`;

/** Why a value takes the thread of the control loop too long; null if it does not. */
function sizeProblem(value: unknown): string | null {
  if (hasMoreValues(value, limits.body_values)) return TOO_MANY_VALUES;
  return hasMoreNames(value, limits.body_names) ? TOO_MANY_NAMES : null;
}

/** The problem of a body of a user that reaches its handler as an object; null if it may. */
export function tooManyValues(
  { route, isUsers }: BodyTask,
  value: unknown,
): InvalidToolpath | null {
  if (!isUsers || carriesDocument(route)) return null;
  const problem = sizeProblem(value);
  return problem === null ? null : refuse('invalid_arguments', [{ path: '', problem }]);
}

function withBodyHash(value: unknown): DocumentBodies['verifyJournal'] {
  const { body, ...wanted } = value as JournalVerifyBody;
  const body_sha256 = canonicalSha256(body);
  return { ...wanted, ...(body_sha256 !== null && { body_sha256 }) };
}

/** Checks the toolpaths of a seed. */
export function checkedSeed({ toolpaths, ...rest }: SeedBody): CheckedSeed {
  if (!toolpaths) return rest;
  const checked = toolpaths.map((one) => ({ ...one, toolpath: checkedToolpath(one.toolpath) }));
  return { ...rest, toolpaths: checked };
}

/** The SHA-256 of a text. */
export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Marks the sample of a part that may be null. */
const NULLABLE = Symbol('nullable');
const orNull = (sample: unknown) => ({ [NULLABLE]: sample });
/** Marks the sample of a part that files of earlier versions lack. */
const OPTIONAL = Symbol('optional');
const optional = (sample: unknown) => ({ [OPTIONAL]: sample });

/** Samples of the kinds that the content of a state file has; an empty object stands for any. */
const STATE_CONTENT = {
  driver: '',
  tick: 0,
  robot: {
    memory: {
      ...createMemory(),
      activity: orNull({ kind: '', mode: '', payload_kg: 0, cursor: {}, at: '' }),
      ending: orNull(''),
      awaited: orNull(''),
      loaded: orNull({}),
      tool: orNull({}),
      lock: orNull({ holder: { user_id: 0, token_id: 0, role: '' }, expires_tick: 0 }),
      error: orNull(''),
      timing: orNull({}),
    },
    mover: {
      rest: new Float64Array(),
      before: new Float64Array(),
      attempts: 0,
      motion: orNull({}),
      following: orNull({}),
      halted: orNull({}),
      emergency: orNull({}),
      wanted_stop: orNull(''),
    },
    tick: 0,
    epoch_ms: 0,
    timezone: '',
    seed: 0,
  },
  world: new Uint8Array(),
  disturbance: { ticks: 0, noise: orNull({}), contact: orNull({}) },
  obstacles: [],
  faults: [],
  update: orNull({ version: '', due_tick: 0 }),
  push_end_tick: optional(orNull(0)),
  status: optional({ state_tick: 0, loop_ticks: 0, waited_ticks: 0 }),
  loaded: optional(
    orNull({
      ...{ name: '', hash: '', metadata: {} },
      source: {
        ...{ timing: orNull({}), range: orNull({}) },
        ...{ toolpath_deflated: new Uint8Array(), program_sha256: '' },
      },
    }),
  ),
  name: '',
  software_version: '',
  library: { rows: [], bodies: [], last_id: 0 },
} as const;

interface StateContent {
  readonly driver: string;
  readonly physics?: string;
  readonly tick: number;
  readonly robot: {
    readonly memory: Pick<RobotMemory, 'state' | 'awaited' | 'io' | 'loaded'>;
    readonly epoch_ms: number;
  };
  readonly loaded?: RecordedToolpath | null;
  readonly library: { readonly rows: readonly unknown[]; readonly last_id: unknown };
  readonly obstacles: readonly unknown[];
  readonly faults: readonly unknown[];
}

/** Fields of the robot's memory that files of earlier versions lack have their defaults. */
const isDefaulted = (path: string) => /^\/data\/robot\/memory\/\w+$/.test(path);

/** The first place where a value is of another kind than the sample. */
function otherKind(sample: unknown, value: unknown, path: string): Problem | null {
  if (value === undefined && isDefaulted(path)) return null;
  if (typeof sample === 'object' && sample !== null) {
    if (OPTIONAL in sample) {
      return value === undefined ? null : otherKind(sample[OPTIONAL], value, path);
    }
    if (NULLABLE in sample) return value === null ? null : otherKind(sample[NULLABLE], value, path);
  }
  if (typeof sample === 'number') {
    const isBounded = Number.isFinite(sample) ? Number.isFinite(value) : !Number.isNaN(value);
    return typeof value === 'number' && isBounded ? null : { path, problem: 'must be a number' };
  }
  const isArray = Array.isArray(sample);
  const isSame =
    typeof value === typeof sample &&
    value !== null &&
    Array.isArray(value) === isArray &&
    ArrayBuffer.isView(value) === ArrayBuffer.isView(sample);
  if (!isSame) return { path, problem: `must be ${isArray ? 'an array' : `a ${typeof sample}`}` };
  if (typeof sample !== 'object' || isArray || ArrayBuffer.isView(sample)) return null;
  for (const [key, part] of Object.entries(sample as object)) {
    const found = otherKind(part, (value as Record<string, unknown>)[key], `${path}/${key}`);
    if (found) return found;
  }
  return null;
}

/** Dates beyond it are none, also after years of the twin's time (ms since 1970). */
const LAST_DATE_MS = 8e15;
const AWAITED: ReadonlySet<string | null> = new Set<StandstillCommand | null>([
  ...[null, 'pause', 'cancel', 'reset_errors', 'acknowledge_collision'],
] as const);

/** Values of the robot that are of the right kind, and none of the robot's. */
function robotProblems({ robot }: StateContent): readonly Problem[] {
  const { epoch_ms, memory } = robot;
  const { state, awaited, io } = memory;
  const at = (place: string, problem: string) => ({ path: `/data/robot/${place}`, problem });
  return [
    ...(ROBOT_STATES.includes(state) ? [] : [at('memory/state', 'is no state of the robot')]),
    ...(AWAITED.has(awaited ?? null) ? [] : [at('memory/awaited', 'is no command')]),
    ...(Math.abs(epoch_ms) <= LAST_DATE_MS ? [] : [at('epoch_ms', 'is no date')]),
    ...(['inputs', 'outputs'] as const).flatMap((side) =>
      signalProblems(io?.[side] ?? {}).map(([key, problem]) =>
        at(`memory/io/${side}/${key}`, problem),
      ),
    ),
  ];
}

/** The signals with values that are in no mode a signal of that name. */
function signalProblems(values: SignalValues): readonly (readonly [string, string])[] {
  const { inputs } = createIo();
  const current: SignalValues = { ...inputs, a0_mode: 'current', a1_mode: 'current' };
  return Object.entries(values).flatMap(([key, value]) => {
    const problem = valueProblem(inputs, key, value);
    return problem && valueProblem(current, key, value) ? [[key, problem.text]] : [];
  });
}

/** Rows and ids of the toolpaths that the records could not hold. */
function libraryProblems({ library }: StateContent): readonly Problem[] {
  const { rows, last_id } = library;
  const wrong = rows.findIndex((row) => !isRecord('toolpaths', row));
  if (wrong >= 0) return [{ path: `/data/library/rows/${wrong}`, problem: 'is no toolpath' }];
  const highest = Math.max(0, ...rows.map((row) => (row as ToolpathRecord).id));
  const isHighest = Number.isSafeInteger(last_id) && Number(last_id) >= highest;
  return isHighest ? [] : [{ path: '/data/library/last_id', problem: 'is not the last id' }];
}

/** A text is longer than the body that it came in where numbers are: 1e9 is 1000000000. */
const TEXT_LIMIT = { maxOutputLength: 8 * limits.body_toolpath_bytes };

/** A loaded toolpath that is none: it is planned again. */
function loadedProblems({ robot, loaded }: StateContent): readonly Problem[] {
  if (robot.memory.loaded) {
    const problem = 'is of an earlier version; keep and export the state again';
    return [{ path: '/data/robot/memory/loaded', problem }];
  }
  if (!loaded) return [];
  const path = '/data/loaded/source/toolpath_deflated';
  const text = inflateRawSync(loaded.source!.toolpath_deflated, TEXT_LIMIT);
  const toolpath = JSON.parse(decoder.decode(text)) as Toolpath;
  const valid = validate('Toolpath', toolpath, { dialect: 'documented' });
  const problems = valid.ok ? checkToolpath(toolpath) : valid.error;
  if (problems.length > 0) return problems.map((one) => ({ ...one, path: path + one.path }));
  const { hash, metadata } = loaded;
  const isSame =
    hash === canonicalSha256(toolpath) &&
    canonicalJson(metadata) === canonicalJson(toolpath.metadata);
  return isSame ? [] : [{ path, problem: 'is another than hash and metadata say' }];
}

/** What keeps a decoded state file from being a state; it may be made by hand. */
function stateProblems(content: StateContent): readonly Problem[] {
  const problem = otherKind(STATE_CONTENT, content, '/data');
  if (problem) return [problem];
  const { tick, obstacles, faults } = content;
  if (!Number.isSafeInteger(tick) || tick < 0) {
    return [{ path: '/data/tick', problem: 'must be a number of ticks' }];
  }
  const listed = (schema: SchemaId, name: string, items: readonly unknown[]) =>
    items.flatMap((item, i) => {
      const checked = validate(schema, item, { dialect: 'documented' });
      if (checked.ok) return [];
      return checked.error.map((one) => ({ ...one, path: `/data/${name}/${i}${one.path}` }));
    });
  return [
    ...robotProblems(content),
    ...loadedProblems(content),
    ...libraryProblems(content),
    ...listed('SimObstacle', 'obstacles', obstacles),
    ...listed('SimFault', 'faults', faults),
  ];
}

function openedStateFile({ name, sha256: stated, data }: StateFile): OpenedStateFile {
  const damaged = (problems: readonly Problem[]): OpenedStateFile => {
    return { name, content: refuse('invalid_arguments', problems) };
  };
  if (sha256OfText(data) !== stated) {
    const problem = 'is damaged: its SHA-256 differs from the one in the file';
    return damaged([{ path: '/data', problem }]);
  }
  try {
    const content = decodePlainData(data) as StateContent;
    const problems = stateProblems(content);
    if (problems.length > 0) return damaged(problems);
    const { driver, physics, tick, robot } = content;
    const head = { driver, ...(physics !== undefined && { physics }), tick };
    return { name, content: { ...head, state: robot.memory.state, data: encoder.encode(data) } };
  } catch {
    return damaged([{ path: '/data', problem: 'is not the content of a state file' }]);
  }
}

type Conversion = (value: unknown, task: BodyTask) => unknown;

/** What handlers receive in place of a valid body that carries a document. */
export const CONVERSIONS: { readonly [Route in keyof DocumentBodies]: Conversion } = {
  createToolpath: withToolpath,
  updateToolpath: withToolpath,
  shareToolpath: withToolpath,
  calcToolpath: withToolpath,
  useUnsavedToolpath: withToolpath,
  migrateToolpath: migrated,
  verifyJournal: withBodyHash,
  createWorkflow: checkedWorkflow,
  updateWorkflow: checkedWorkflow,
  validateWorkflow: checkedWorkflow,
  seedTwin: (value) => checkedSeed(value as SeedBody),
  importState: (value) => openedStateFile(value as StateFile),
  replayRobotRun: (value) =>
    (value as { readonly toolpath?: Toolpath }).toolpath ? withToolpath(value) : value,
};

/** Whether the body of a call is converted to a document. */
export function carriesDocument(route: string): route is keyof DocumentBodies {
  return Object.hasOwn(CONVERSIONS, route);
}
