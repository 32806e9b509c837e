/**
 * Who may import whom, as tables (docs/architecture.md, "Imports go one way"). The first row whose
 * place holds the importing file decides; `types` are places of which only types may be known.
 */

/** @typedef {{ place: string, may: string[], types?: string[] }} Row */

const CORE = ['contract', 'physics'];
const BELOW = ['server/store', 'server/clock'];
const MIDDLE = [
  'server/robot',
  'server/planning',
  'server/sessions',
  'server/toolpaths',
  'server/updates',
];

/**
 * The port is interfaces and the tick's three constants, the twin's time is arithmetic on them:
 * neither has anything of a driver or a running clock in it.
 */
const TICK = ['bridge/arm-driver', 'server/clock/twin-time'];
const SHELL_TYPES = ['bridge/arm-driver', 'bridge/arm-instruments', 'bridge/arm-world'];
const SHELL = [...CORE, ...MIDDLE, ...BELOW, 'server/http', 'server/metrics', 'server/config'];
const DRAWN_ORDER = [
  'physics/math',
  'physics/arm',
  'physics/kinematics',
  'physics/dynamics',
  'physics/collision',
  'physics/motion',
  'physics/toolpath',
  'physics/plant',
];

/** @type {Row[]} Inside physics a room knows the rooms above it in the list. */
const PHYSICS = [
  {
    // A check along a path needs the path itself, which knows nothing of timing or collision.
    place: 'physics/collision/path-check',
    may: ['contract', ...DRAWN_ORDER.slice(0, 5), 'physics/motion/path'],
  },
  ...DRAWN_ORDER.map((place, at) => ({
    place,
    may: ['contract', ...DRAWN_ORDER.slice(0, at + 1)],
  })),
];

/** @type {Row[]} */
const SERVER = [
  { place: 'server/main', may: ['contract', 'physics', 'bridge', 'server'] },
  { place: 'server/index', may: ['contract', 'physics', 'bridge', 'server'] },
  { place: 'server/app', may: [...CORE, 'bridge', 'server'] },
  {
    place: 'server/config',
    may: CORE,
    types: ['bridge', 'server/clock', 'server/http/dialect', 'server/metrics/log'],
  },
  {
    place: 'server/command-line',
    may: [...CORE, 'server/config', 'server/nearest-word', 'server/option-values'],
  },
  { place: 'server/core', may: [...CORE, 'bridge', 'server'] },
  { place: 'server/furnishing', may: [...CORE, 'bridge', 'server'] },
  { place: 'server/drivers', may: [...CORE, 'bridge'], types: ['server/config'] },
  { place: 'server/identity', may: CORE },
  { place: 'server/twin', may: ['server'] },
  {
    place: 'server/robot',
    may: [...CORE, 'server/robot', ...TICK],
    types: [...SHELL_TYPES, 'bridge/disturbed-arm', ...BELOW],
  },
  { place: 'server/store', may: ['contract', ...BELOW] },
  { place: 'server/clock', may: ['contract', 'server/clock', ...TICK] },
  ...['planning', 'sessions', 'toolpaths', 'updates'].map((room) => ({
    place: `server/${room}`,
    may: [...CORE, ...MIDDLE, ...BELOW],
  })),
  // A handler that changes users, locks or outputs tells the stream's hub.
  { place: 'server/http', may: [...SHELL, 'server/stream/hub'], types: SHELL_TYPES },
  { place: 'server/metrics', may: SHELL, types: SHELL_TYPES },
  // The hand on the twin has a stream of its own.
  {
    place: 'server/sim',
    may: [...SHELL, 'server/sim', 'server/stream/hub', 'server/recording'],
    types: [...SHELL_TYPES, 'bridge/disturbed-arm', 'server/stream'],
  },
  // A tape holds what was done behind the joints; a repetition puts a robot on a driver again.
  {
    place: 'server/recording',
    may: [...SHELL, ...TICK, 'server/recording'],
    types: [...SHELL_TYPES, 'bridge/disturbed-arm'],
  },
  ...['stream', 'webhooks', 'workflow', 'discovery'].map((room) => ({
    place: `server/${room}`,
    may: [...SHELL, `server/${room}`],
    types: [...SHELL_TYPES, 'server/stream'],
  })),
  {
    place: 'server/upstream',
    may: [...SHELL, 'server/upstream', 'server/identity'],
  },
  {
    place: 'server/verbs',
    may: [
      ...[...SHELL, 'bridge', 'server/verbs', 'server/recording', 'server/identity'],
      'server/start-trouble',
    ],
  },
  // What stands at the server's own door puts it together for app.ts.
  { place: 'server', may: [...CORE, 'bridge', 'server'] },
];

/** @type {Row[]} */
export const DIRECTIONS = [
  { place: 'contract', may: ['contract'] },
  ...PHYSICS,
  { place: 'bridge', may: [...CORE, 'bridge'] },
  ...SERVER,
  { place: 'viewer', may: [...CORE, 'viewer'] },
  { place: 'testing', may: ['contract', 'server/index', 'testing'] },
  { place: 'fixtures', may: [...CORE, 'fixtures'] },
  { place: 'e2e', may: ['contract', 'fixtures', 'e2e'], types: ['viewer/test-window'] },
  {
    place: 'bench',
    may: [...CORE, 'bridge', 'server', 'viewer', 'fixtures', 'bench', 'testing', 'e2e/hard'],
  },
  { place: 'tools/goldens', may: [...CORE, 'tools'] },
  { place: 'tools/conformance', may: [...CORE, 'tools'] },
  // Each protection is proven by a check that there is.
  { place: 'tools/protections', may: ['tools', 'e2e/hard/checks'] },
  { place: 'tools', may: ['tools'] },
];

/** Tests beside the code also know these: a server test may put a whole twin together. */
export const TESTS_ALSO = [
  { place: 'physics', may: CORE },
  { place: 'server', may: [...CORE, 'bridge', 'server'] },
  { place: '', may: ['fixtures', 'testing'] },
];

/** @type {{ packages: string[], homes: string[] }[]} One home for each package. */
export const HOMES = [
  { packages: ['ajv', 'ajv-formats'], homes: ['contract/validator', 'contract/problems'] },
  { packages: ['@dimforge/rapier3d-compat'], homes: ['physics/plant'] },
  { packages: ['lowdb'], homes: ['server/store'] },
  { packages: ['express', 'helmet'], homes: ['server/http'] },
  { packages: ['@mcap/core'], homes: ['server/recording'] },
  { packages: ['ws'], homes: ['server/stream', 'server/verbs', 'testing', 'e2e/hard'] },
  { packages: ['piscina'], homes: ['server/planning', 'server/verbs'] },
  { packages: ['pino', 'prom-client'], homes: ['server/metrics'] },
  { packages: ['commander'], homes: ['server/command-line', 'server/main'] },
  { packages: ['three', 'uplot'], homes: ['viewer'] },
  { packages: ['serialport'], homes: ['bridge/transport'] },
  { packages: ['bonjour-service'], homes: ['server/discovery'] },
];

/** Rooms that run in a browser too: nothing of Node in them. */
export const BROWSER_ROOMS = ['contract', 'physics', 'viewer'];

/** Where a running program, a test or a tool begins; all other files must be reached from here. */
export const ENTRIES = [
  /^server\/(main|index)\.ts$/,
  /^contract\/client\.ts$/,
  /^viewer\/(export\/)?main\.ts$/,
  /^testing\/(index|demo|workflow-demo)\.ts$/,
  /worker\.ts$/,
  /\.(test|spec)\.(ts|mjs)$/,
  /(^|\/)[a-z.]+\.config\.ts$/,
  /^tools\/[a-z]+\.mjs$/,
  /^bench\/[a-z0-9.-]+\.(ts|mjs)$/,
  /^fixtures\//,
  /^testing\/examples\//,
  /^e2e\/hard\/(main\.ts|preload\/[a-z-]+\.mjs)$/,
];
