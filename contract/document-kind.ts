/** The documents that users have in files, and how one kind is told from the others. */

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  /** What a document of it is called. */
  readonly is: string;
  /** What it has, for somebody who gave another one. */
  readonly has: string;
  /** Fields of which each document of it has one, and none of a row above. */
  readonly fields?: readonly string[];
  /** Of a kind that shares its fields with others. */
  readonly isOne?: (value: Fields) => boolean;
}

/** Whether the field `objects` lists entries that have a field. */
const listsObjectsWith = (field: string) => (value: Fields) =>
  Array.isArray(value['objects']) && Object.hasOwn(Object(value['objects'][0]), field);

const KINDS = {
  toolpath: {
    is: 'a toolpath',
    has: 'metadata, waypoints and timeline',
    fields: ['timeline', 'waypoints'],
    // A record of one, as replies and backups have it.
    isOne: ({ toolpath }) => typeof toolpath === 'object',
  },
  workflow: { is: 'a workflow', has: 'a name and a workflow', fields: ['workflow'] },
  workcell: { is: 'a workcell', has: 'instruments', fields: ['instruments'] },
  profile: {
    is: 'a profile',
    has: 'armtwin_profile and arm, as armtwin fit writes them',
    fields: ['armtwin_profile'],
  },
  arm: { is: 'an arm', has: 'a chain, links and limits', fields: ['chain'] },
  calibration: {
    is: 'a calibration',
    has: 'a family and six joints, as armtwin calibrate writes them',
    fields: ['family', 'following_error_rad'],
  },
  capture: {
    is: 'a capture',
    has: 'a line for each sample, as armtwin record writes them',
    fields: ['armtwin_capture'],
  },
  recording: {
    is: 'a recording',
    has: 'a line for each input and mark, as --record writes them',
    isOne: ({ kind }) => kind === 'head',
  },
  faults: {
    is: 'a list of faults',
    has: 'faults with a kind each',
    isOne: (value) => typeof value['kind'] === 'string',
  },
  cell: {
    is: 'a cell',
    has: 'a name, and fixtures, objects, grippers, sensors or conveyors',
    fields: ['fixtures', 'grippers', 'sensors', 'conveyors', 'controls'],
    isOne: listsObjectsWith('name'),
  },
  expectations: {
    is: 'a file of expectations',
    has: 'objects with the place of each, signals or limits of a rehearsal',
    fields: ['max_duration_s', 'max_contact_force_n', 'signals', 'press', 'min_share'],
    isOne: listsObjectsWith('object'),
  },
  seed: {
    is: 'a seed',
    has: 'the state of a start, such as users, toolpaths, pose or cell',
    fields: [
      ...['users', 'toolpaths', 'selected', 'pose', 'state', 'clock', 'realism', 'loopback'],
      ...['obstacles', 'cell', 'inputs', 'outputs'],
    ],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type DocumentKind = keyof typeof KINDS;

const ROWS = Object.entries<Kind>(KINDS) as readonly (readonly [DocumentKind, Kind])[];

/** The kind of a parsed document; null where nothing tells it. A list is what its first entry is. */
export function documentKind(value: unknown): DocumentKind | null {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one !== 'object' || one === null) return null;
  const found = ROWS.find(
    ([, { fields = [], isOne }]) =>
      fields.some((field) => Object.hasOwn(one, field)) || isOne?.(one as Fields),
  );
  return found?.[0] ?? null;
}

/** The kind of a text: JSON, or lines of it, of which the first tells. */
export function textKind(text: string): DocumentKind | null {
  for (const part of [text, text.slice(0, text.indexOf('\n'))]) {
    try {
      return documentKind(JSON.parse(part));
    } catch {
      // Lines of JSON are no JSON.
    }
  }
  return null;
}

/** What a document is that stands where another kind is wanted; null if it may be the right one. */
export function otherKindProblem(kind: DocumentKind | null, wanted: DocumentKind): string | null {
  if (kind === null || kind === wanted) return null;
  return `is ${KINDS[kind].is}; ${KINDS[wanted].is} has ${KINDS[wanted].has}`;
}
