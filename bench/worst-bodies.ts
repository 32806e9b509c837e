/**
 * Searches the body of a call that costs the most processor time: grows each array, object and text
 * of valid bodies with valid and invalid content up to the limit of the call, and measures how long
 * the body takes to read.
 */
import { readFileSync } from 'node:fs';
import { sampleToolpath } from '../conformance/samples/sample-toolpath.ts';
import { sampleWorkflow } from '../conformance/samples/sample-workflow.ts';
import type { RouteRow } from '../contract/routes.ts';
import { resolved, type Schema, type SchemaId, schemaOf } from '../contract/schemas.ts';
import { documentTasks } from '../server/documents/document-tasks.ts';

export interface WorstBody {
  /** Where and with what the body was grown. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Processor time of reading it (ms). */
  readonly cost_ms: number;
}

type Tree = { [key: string]: unknown };
type Path = readonly (string | number)[];

const DEPTH = 8;

/** A body with every field of a schema; `pick` chooses among alternatives. */
function fullBody(given: Schema, pick: number, depth = DEPTH): unknown {
  const schema = resolved(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[pick % schema.enum.length];
  if (schema.oneOf) return fullBody(schema.oneOf[pick % schema.oneOf.length]!, pick, depth - 1);
  const type = [schema.type ?? 'object'].flat()[0];
  if (type === 'object') {
    const fields = depth > 0 ? Object.entries(schema.properties ?? {}) : [];
    return Object.fromEntries(fields.map(([key, one]) => [key, fullBody(one, pick, depth - 1)]));
  }
  if (type === 'array') {
    const count = Math.max(1, schema.minItems ?? 1);
    return Array.from({ length: count }, () => fullBody(schema.items ?? {}, pick, depth - 1));
  }
  if (schema.examples?.length) return schema.examples[0];
  if (type === 'string') return 'text';
  return type === 'boolean' ? true : Math.max(0, (schema as { minimum?: number }).minimum ?? 0);
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8')) as unknown;

/** Valid bodies of calls that carry documents, and of all others from their schemas. */
function basesOf(row: RouteRow): readonly unknown[] {
  const schema = schemaOf(row.body as SchemaId);
  const full = [0, 1, 2, 3].map((pick) => fullBody(schema, pick));
  const toolpaths = [
    read('fixtures/toolpaths/pick-and-place.json'),
    read('fixtures/toolpaths/sorter.json'),
    sampleToolpath([[0, 0.5, -1.7, 0, -1.2, 0]]),
  ];
  if (schema.properties?.['toolpath']) {
    const more = Object.hasOwn(schema.properties, 'user_id') ? { user_id: 2 } : {};
    const name = Object.hasOwn(schema.properties, 'name') ? { name: 'worst' } : {};
    return [...toolpaths.map((toolpath) => ({ ...name, ...more, toolpath })), ...full];
  }
  if (row.path.startsWith('/workflow/v1/workflows') && !row.path.endsWith('runs')) {
    return [read('fixtures/workflows/assay.json'), sampleWorkflow()];
  }
  return full;
}

function containers(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (value === null || typeof value !== 'object') return [];
  return [path, ...Object.entries(value).flatMap(([key, one]) => containers(one, [...path, key]))];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Tree)[key], value);
}

/** A copy with other ids, so that a repeated item stays valid. */
function renumbered(value: unknown, count: number): unknown {
  if (Array.isArray(value)) return value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const isId = /(^|_)(id|label|name)$/.test(key);
      if (isId && typeof one === 'number' && key !== 'waypoint_id') return [key, one + count];
      return [key, isId && typeof one === 'string' ? `${one.slice(0, 4)}${count}` : one];
    }),
  );
}

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

type Filler = (sample: unknown, count: number) => unknown;

const FILLERS: Readonly<Record<string, Filler>> = {
  'its own items': renumbered,
  'equal items': (sample) => sample,
  'empty objects': () => ({}),
  nulls: () => null,
  digits: () => 1,
  'empty arrays': () => [],
  'unknown fields': (_sample, count) => ({ [`x${count}`]: 0 }),
  'deep arrays': () => nested(50),
  'broken items': (sample, count) =>
    sample !== null && typeof sample === 'object'
      ? { ...(renumbered(sample, count) as object), x: 1 }
      : {},
};

const TEXTS: Readonly<Record<string, string>> = {
  letters: 'a',
  escapes: '\\u0001',
  'surrogate pairs': '😀',
};

/** A place of a valid body, and with what it grows. */
interface Growth {
  readonly base: unknown;
  readonly path: Path;
  readonly filler: string;
}

/** Grows one place of a body to a size; null if it cannot grow there. */
function grown({ base, path, filler }: Growth, size: number): string | null {
  const marker = '@@@grow@@@';
  const copy = structuredClone(base);
  const place = at(copy, path);
  const parent = path.length > 0 ? (at(copy, path.slice(0, -1)) as Tree) : null;
  const key = path.at(-1);
  let content: (bytesLeft: number) => string;
  if (typeof place === 'string') {
    const unit = TEXTS[filler];
    if (unit === undefined || !parent) return null;
    parent[key!] = marker;
    content = (bytesLeft) => unit.repeat(Math.floor(bytesLeft / Buffer.byteLength(unit)));
    const frame = JSON.stringify(copy);
    return frame.replace(marker, () => content(size - Buffer.byteLength(frame)));
  }
  const make = FILLERS[filler];
  if (!make) return null;
  const isList = Array.isArray(place);
  const sample = isList ? place.at(-1) : Object.values(place as Tree).at(-1);
  if (isList) place.push(marker);
  else (place as Tree)[marker] = 0;
  const frame = JSON.stringify(copy);
  const parts: string[] = [];
  let bytesLeft = size - Buffer.byteLength(frame) - 8;
  for (let count = 1; bytesLeft > 0; count++) {
    const item = JSON.stringify(make(sample, count)) ?? 'null';
    const part = isList ? item : `"k${count}":${item}`;
    bytesLeft -= Buffer.byteLength(part) + 1;
    if (bytesLeft > 0) parts.push(part);
  }
  const hole = isList ? `"${marker}"` : `"${marker}":0`;
  return frame.replace(hole, () => parts.join(',') || (isList ? '0' : '"x":0'));
}

/** Reads a body; returns the processor time (ms), and whether it was accepted. */
function costOf(row: RouteRow, bytes: Uint8Array) {
  const task = {
    route: row.id,
    schema: row.body as SchemaId,
    dialect: 'documented' as const,
    pieces: [bytes],
    needsHash: true,
    isUsers: row.role === 'user',
  };
  const before = process.cpuUsage();
  const read = documentTasks.body(task);
  const { user, system } = process.cpuUsage(before);
  return { cost_ms: (user + system) / 1000, isAccepted: isAccepted(read) };
}

function isAccepted(read: ReturnType<typeof documentTasks.body>): boolean {
  if ('refused' in read) return false;
  const body = read.body as { toolpath?: object; errors?: readonly unknown[] } | null;
  if (body?.toolpath && 'refused' in body.toolpath) return false;
  return (body?.errors ?? []).length === 0;
}

/** Size at which all candidates are tried first. */
const TRIAL_BYTES = 24 * 1024;
const FINALISTS = 6;
/** Shares of the largest size that are tried until a body is accepted. */
const SHARES = [1, 0.8, 0.6, 0.4, 0.25, 0.1, 0.05];

interface Candidate {
  readonly growth: Growth;
  readonly cost_ms: number;
  readonly isAccepted: boolean;
  readonly name: string;
}

/** The largest accepted body of a growth; the one of full size if `accepted` is false. */
function final({ growth, name }: Candidate, row: RouteRow, accepted: boolean): WorstBody[] {
  // Seeds and state files may be 64 MiB; the cost grows in proportion.
  const size = Math.min(row.bodyLimit_bytes, 2 ** 20);
  for (const share of accepted ? SHARES : [1]) {
    const bytes = Buffer.from(grown(growth, share * size)!);
    const { cost_ms, isAccepted: fits } = costOf(row, bytes);
    if (fits || !accepted) return [{ name, bytes, cost_ms }];
  }
  return [];
}

/** The most expensive body of a call, and the most expensive one that is accepted. */
export function worstBodies(row: RouteRow): readonly WorstBody[] {
  const fillers = [...Object.keys(FILLERS), ...Object.keys(TEXTS)];
  const trial = Math.min(TRIAL_BYTES, row.bodyLimit_bytes);
  const candidates = basesOf(row).flatMap((base, index) =>
    containers(base).flatMap((path) =>
      fillers.flatMap((filler): Candidate[] => {
        const growth = { base, path, filler };
        const text = grown(growth, trial);
        if (text === null) return [];
        const name = `${index}/${path.join('/')}: ${filler}`;
        return [{ growth, name, ...costOf(row, Buffer.from(text)) }];
      }),
    ),
  );
  candidates.sort((a, b) => b.cost_ms - a.cost_ms);
  return [false, true].flatMap((accepted) => {
    const known = candidates.filter(({ isAccepted: fits }) => fits || !accepted);
    const finals = known.slice(0, FINALISTS).flatMap((one) => final(one, row, accepted));
    return finals.sort((a, b) => b.cost_ms - a.cost_ms).slice(0, 1);
  });
}
