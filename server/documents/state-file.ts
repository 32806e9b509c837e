/**
 * Opens files of snapshots: one may be damaged or made by hand, so every part of its content is
 * checked.
 */

import { inflateRawSync } from 'node:zlib';
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import { refuse } from '../../contract/refusal.ts';
import { ROBOT_STATES, type RobotState } from '../../contract/robot-states.ts';
import type { SchemaId } from '../../contract/schemas.ts';
import type { StateFile, Toolpath } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { canonicalJson } from '../../physics/toolpath/hash.ts';
import { decodePlainData } from '../recording/plain-data.ts';
import { createIo, type SignalValues, valueProblem } from '../robot/io.ts';
import type { RecordedToolpath } from '../robot/loaded-toolpath.ts';
import { createMemory, type RobotMemory, type StandstillCommand } from '../robot/memory.ts';
import { isRecord } from '../store/record-check.ts';
import type { ToolpathRecord } from '../store/records.ts';
import type { InvalidToolpath } from './checked-toolpath.ts';
import { canonicalSha256, sha256OfText } from './sha256.ts';
import { decoder, encoder } from './utf8.ts';

/** A state file whose content was checked: the refusal, or what it says and its text. */
export interface OpenedStateFile {
  readonly name: string;
  readonly content:
    | InvalidToolpath
    | {
        readonly driver: string;
        /** The physics that it belongs to. */
        readonly physics: string;
        readonly tick: number;
        readonly state: RobotState;
        /** The content in the encoding of recordings (UTF-8). */
        readonly data: Uint8Array;
      };
}

/** Marks the sample of a part that may be null. */
const NULLABLE = Symbol('nullable');
const orNull = (sample: unknown) => ({ [NULLABLE]: sample });

/** Samples of the kinds that the content of a state file has; an empty object stands for any. */
const STATE_CONTENT = {
  driver: '',
  physics: '',
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
      error_cause: orNull({ kind: '', joint: orNull(0), isReported: true }),
      last_stop: orNull({ duration_s: 0, deviation_m: 0, joints: [] }),
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
  push_end_tick: orNull(0),
  status: { state_tick: 0, loop_ticks: 0, waited_ticks: 0 },
  digest: { chain: '', fed: '', seen: [], changes: '', log: [] },
  loaded: orNull({
    ...{ name: '', hash: '', metadata: {} },
    source: {
      ...{ timing: orNull({}), range: orNull({}) },
      ...{ toolpath_deflated: new Uint8Array(), program_sha256: '' },
    },
  }),
  name: '',
  software_version: '',
  library: { rows: [], bodies: [], last_id: 0 },
} as const;

interface StateContent {
  readonly driver: string;
  readonly physics: string;
  readonly tick: number;
  readonly robot: {
    readonly memory: Pick<RobotMemory, 'state' | 'awaited' | 'io' | 'loaded' | 'later_errors'>;
    readonly epoch_ms: number;
  };
  readonly loaded: RecordedToolpath | null;
  readonly library: { readonly rows: readonly unknown[]; readonly last_id: unknown };
  readonly obstacles: readonly unknown[];
  readonly faults: readonly unknown[];
}

/** The first place where a value is of another kind than the sample. */
function otherKind(sample: unknown, value: unknown, path: string): Problem | null {
  if (typeof sample === 'object' && sample !== null) {
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

const TEXTS = 'has an entry that is no text';

/** Values of the robot that are of the right kind, and none of the robot's. */
function robotProblems({ robot }: StateContent): readonly Problem[] {
  const { epoch_ms, memory } = robot;
  const { state, awaited, io, later_errors: later } = memory;
  const at = (place: string, problem: string) => ({ path: `/data/robot/${place}`, problem });
  return [
    ...(ROBOT_STATES.includes(state) ? [] : [at('memory/state', 'is no state of the robot')]),
    ...(later.every((one) => typeof one === 'string') ? [] : [at('memory/later_errors', TEXTS)]),
    ...(AWAITED.has(awaited) ? [] : [at('memory/awaited', 'is no command')]),
    ...(Math.abs(epoch_ms) <= LAST_DATE_MS ? [] : [at('epoch_ms', 'is no date')]),
    ...(['inputs', 'outputs'] as const).flatMap((side) =>
      signalProblems(io[side]).map(([key, problem]) => at(`memory/io/${side}/${key}`, problem)),
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
  if (robot.memory.loaded !== null) {
    const problem = 'must be null: the loaded toolpath is in /data/loaded';
    return [{ path: '/data/robot/memory/loaded', problem }];
  }
  if (!loaded) return [];
  const path = '/data/loaded/source/toolpath_deflated';
  const text = inflateRawSync(loaded.source.toolpath_deflated, TEXT_LIMIT);
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

export function openedStateFile({ name, sha256: stated, data }: StateFile): OpenedStateFile {
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
    const { state } = robot.memory;
    return { name, content: { driver, physics, tick, state, data: encoder.encode(data) } };
  } catch {
    return damaged([{ path: '/data', problem: 'is not the content of a state file' }]);
  }
}
