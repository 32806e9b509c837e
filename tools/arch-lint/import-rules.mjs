/**
 * The tables of import rules. The first row whose
 * `place` contains the importing file applies. A place is a folder or a file without its extension;
 * from the places in `types` only types may be imported.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ place: string, may: string[], types?: string[] }} Row */

/** Below all: the wire, the arm in space and time, and which arm the process has. */
const CORE = ['contract', 'physics', 'arms/bound-arm', 'arms/arm-mark', 'arms/arm-element'];
const BELOW = ['server/store', 'server/clock', 'server/threads', 'server/shares'];
const MIDDLE = [
  'server/robot',
  'server/planning',
  'server/service/sessions',
  'server/toolpaths',
  'server/service/updates',
  'server/documents',
];

/** The driver port (interfaces and tick constants) and the arithmetic of simulated time. */
const TICK = ['bridge/arm-driver', 'server/clock/twin-time'];
const SHELL_TYPES = ['bridge/arm-driver', 'bridge/arm-instruments', 'bridge/arm-world'];
/** Fault injection is composed where the arm is simulated; others know only its types. */
const FAULT_TYPES = [...SHELL_TYPES, 'bridge/fault-injecting-driver'];
const SHELL = [
  ...CORE,
  ...MIDDLE,
  ...BELOW,
  'server/service/http',
  'server/service/metrics',
  'server/service/logging',
  'server/cli/config',
];
const PHYSICS_ORDER = [
  'physics/math',
  'physics/arm',
  'physics/kinematics',
  'physics/dynamics',
  'physics/collision',
  'physics/motion',
  'physics/toolpath',
  'physics/plant',
  'physics/cell',
  'physics/formats',
];

/** @type {Row[]} A folder of physics may import the folders before it in PHYSICS_ORDER. */
const PHYSICS = [
  { place: 'physics/kernels.config', may: ['physics/dynamics'] },
  {
    // The path check needs the geometric path, which does not depend on timing or collision.
    place: 'physics/collision/path-check',
    may: ['contract', ...PHYSICS_ORDER.slice(0, 5), 'physics/motion/joint-path'],
  },
  { place: 'physics/arm', may: ['contract', 'arms/bound-arm', 'physics/math', 'physics/arm'] },
  ...PHYSICS_ORDER.map((place, at) => ({
    place,
    may: ['contract', ...PHYSICS_ORDER.slice(0, at + 1)],
  })),
];

/**
 * Above the joint bus (bridge/servo/joint-bus): code that knows angles, torques and faults of
 * joints, and no register, step, packet or model of a servo.
 */
const ABOVE_JOINT_BUS = [
  'bridge/servo/servo-arm',
  'bridge/servo/joint-bus',
  'bridge/servo/servo-faults',
  'bridge/servo/goals/goal-lead',
  'bridge/servo/goals/contact-release',
  'bridge/servo/goals/release-tally',
  'bridge/servo/goals/servo-goals',
  'bridge/servo/goals/setpoint-shaper',
  'bridge/servo/monitor',
];
const JOINT_PLACES = [
  ...CORE,
  ...ABOVE_JOINT_BUS,
  'bridge/arm-driver',
  'bridge/arm-instruments',
  'bridge/transport/bus-clock',
];

/**
 * The folders of the bridge, but for the families of servos: a folder with a family.ts is one.
 * Only their table (bridge/servo-families) knows them all, and none knows another.
 */
const bridge = fileURLToPath(new URL('../../bridge', import.meta.url));
const PARTS = readdirSync(bridge).filter((name) => !/\.(test|cases)\.ts$/.test(name));
const isFamily = (/** @type {string} */ name) => existsSync(join(bridge, name, 'family.ts'));
const FAMILIES = PARTS.filter(isFamily).map((name) => `bridge/${name}`);
const BRIDGE = PARTS.filter((name) => !isFamily(name)).map(
  (name) => `bridge/${name.replace(/\.ts$/, '')}`,
);
/** What servos of any family share, and what it is made from. */
const SERVO = [
  ...CORE,
  'bridge/servo',
  'bridge/transport',
  'bridge/arm-driver',
  'bridge/arm-instruments',
];

/** @type {Row[]} */
const SERVER = [
  {
    place: 'server/main',
    may: ['server/program', 'server/clock', 'server/cli/arm-option', 'arms/given-arm'],
  },
  { place: 'server/cli/arm-option', may: ['arms/given-arm'] },
  { place: 'server/program', may: [...CORE, 'bridge', 'server'] },
  { place: 'server/rehearse-worker', may: ['server/app', 'server/cli'] },
  { place: 'server/index', may: [...CORE, 'bridge', 'server'] },
  // The composition root.
  { place: 'server/app', may: [...CORE, ...BRIDGE, 'server', 'scheduler'] },
  {
    place: 'server/cli/config',
    may: [...CORE, 'bridge/servo-families'],
    types: ['bridge', 'server/clock', 'server/service'],
  },
  {
    place: 'server/cli/commands',
    may: [
      ...SHELL,
      'arms',
      'conformance',
      ...BRIDGE,
      'server/cli',
      'server/recording',
      'server/identify',
      'server/app/product-info',
      'server/app/replay-target',
    ],
  },
  {
    place: 'server/cli',
    may: [...CORE, 'arms', 'server/cli', 'server/clock', 'server/service/logging'],
    types: ['server/service/metrics'],
  },
  {
    place: 'server/robot',
    may: [...CORE, 'server/robot', ...TICK],
    types: [...FAULT_TYPES, ...BELOW],
  },
  { place: 'server/store', may: ['contract', ...BELOW] },
  { place: 'server/clock', may: ['contract', 'server/clock', ...TICK] },
  { place: 'server/threads', may: ['server/threads'] },
  // What users share is divided below everything that is shared.
  { place: 'server/shares', may: ['contract', 'server/shares'] },
  // Workflow definitions are documents too.
  {
    place: 'server/documents',
    may: [
      ...CORE,
      ...MIDDLE,
      ...BELOW,
      'scheduler/definition',
      'server/webhooks/denied-hooks',
      'server/recording/plain-data',
    ],
  },
  ...['planning', 'service/sessions', 'toolpaths', 'service/updates'].map((folder) => ({
    place: `server/${folder}`,
    may: [...CORE, ...MIDDLE, ...BELOW],
  })),
  // Handlers publish changes of users, locks and outputs on the hub of the stream.
  {
    place: 'server/service/http',
    may: [...SHELL, 'server/service/stream'],
    types: SHELL_TYPES,
  },
  { place: 'server/service/metrics', may: SHELL, types: SHELL_TYPES },
  { place: 'server/service/logging', may: SHELL, types: SHELL_TYPES },
  // The cell is a part of the simulation control API.
  {
    place: 'server/cell',
    may: [...SHELL, 'server/cell'],
    types: [...SHELL_TYPES],
  },
  // The simulation control API has its own event stream.
  {
    place: 'server/service/simulation',
    may: [
      ...SHELL,
      'server/service/simulation',
      'server/cell',
      'server/service/stream',
      'server/recording',
    ],
    types: [...FAULT_TYPES],
  },
  // A replay puts a robot on a driver again.
  {
    place: 'server/recording',
    may: [...SHELL, ...TICK, 'server/recording'],
    types: FAULT_TYPES,
  },
  // The parameters of an arm are fitted to captures and recordings of it.
  {
    place: 'server/identify',
    may: [...SHELL, ...TICK, 'server/recording', 'server/identify'],
    types: SHELL_TYPES,
  },
  // The live connection runs handlers of the simulation control API.
  {
    place: 'server/service/foxglove',
    may: [
      ...SHELL,
      ...TICK,
      'server/service/foxglove',
      'server/recording',
      'server/service/simulation',
    ],
    types: SHELL_TYPES,
  },
  // The stream does not depend on http; the session check is passed in.
  {
    place: 'server/service/stream',
    may: [...CORE, ...MIDDLE, ...BELOW, 'server/service/stream'],
    types: SHELL_TYPES,
  },
  ...['webhooks', 'service/discovery'].map((folder) => ({
    place: `server/${folder}`,
    may: [...SHELL, `server/${folder}`],
    types: [...SHELL_TYPES, 'server/service/stream'],
  })),
  {
    place: 'server/service/upstream',
    may: [...SHELL, 'server/service/upstream', 'server/app/product-info'],
  },
  // Tests of the whole program.
  { place: 'server', may: [...CORE, 'conformance', 'bridge', 'server'] },
];

/**
 * The scheduler knows the arm by its own port (scheduler/arm-port). Of the server it knows time,
 * store and shares, the user of a call, what the port hands through, and in handlers calls and replies.
 */
const SCHEDULER_PLACES = [...CORE, 'scheduler', 'server/clock', 'server/store', 'server/shares'];
const SCHEDULER_TYPES = ['server/robot/caller', 'server/robot/loaded-toolpath'];

/** @type {Row[]} The plan of a workflow knows neither its definition nor an arm. */
const SCHEDULER = [
  { place: 'scheduler/plan', may: [...CORE, 'scheduler/plan', 'server/clock'] },
  {
    place: 'scheduler/handlers',
    may: [...SCHEDULER_PLACES, 'server/service/http/reply'],
    types: [...SCHEDULER_TYPES, 'server/service/http/call', 'server/service/http/handler'],
  },
  {
    place: 'scheduler/reports',
    may: SCHEDULER_PLACES,
    types: [...SCHEDULER_TYPES, 'server/service/http/event-feed'],
  },
  { place: 'scheduler', may: SCHEDULER_PLACES, types: SCHEDULER_TYPES },
];

const VIEWER_LAYERS = [
  'viewer/ui',
  'viewer/link',
  'viewer/collision',
  'viewer/scene',
  'viewer/toolpath',
  'viewer/shell',
];
const VIEWER_PAGES = ['live', 'paths', 'teach', 'workflow', 'simulation', 'users'];

/**
 * @type {Row[]} Types included. Below the toolpaths, what the robot sends, what is drawn and what
 * collides do not know each other; each layer above may import those before it in VIEWER_LAYERS,
 * and no page another page.
 */
const VIEWER = [
  { place: 'viewer/ui', may: ['contract', 'viewer/ui'] },
  { place: 'viewer/link', may: [...CORE, 'viewer/ui', 'viewer/link'] },
  { place: 'viewer/collision', may: [...CORE, 'viewer/collision'] },
  { place: 'viewer/scene', may: [...CORE, 'viewer/collision', 'viewer/scene'] },
  ...['viewer/toolpath', 'viewer/shell'].map((place) => ({
    place,
    may: [...CORE, 'arms/page-arm', ...VIEWER_LAYERS.slice(0, VIEWER_LAYERS.indexOf(place) + 1)],
  })),
  ...VIEWER_PAGES.map((page) => ({
    place: `viewer/pages/${page}`,
    may: [...CORE, ...VIEWER_LAYERS, `viewer/pages/${page}`],
  })),
  // The table of the pages.
  { place: 'viewer/pages', may: ['viewer/shell', 'viewer/toolpath', 'viewer/pages'] },
  // Entry points of the page and of the exported page, and what they show to tests.
  { place: 'viewer', may: [...CORE, 'arms/page-arm', 'viewer'] },
];

/** @type {Row[]} */
export const IMPORT_RULES = [
  // What is known of arms, below everything that has one.
  { place: 'arms/import', may: ['arms', 'physics/math', 'physics/dynamics/gravity'] },
  { place: 'arms', may: ['arms'] },
  { place: 'contract', may: ['contract', 'arms/bound-arm', 'arms/arm-element'] },
  { place: 'conformance', may: ['contract', 'conformance'] },
  ...PHYSICS,
  ...ABOVE_JOINT_BUS.map((place) => ({
    place,
    may: JOINT_PLACES,
    types: ['bridge/servo/calibration/calibration'],
  })),
  { place: 'bridge/servo', may: SERVO },
  ...FAMILIES.map((place) => ({ place, may: [...SERVO, place] })),
  { place: 'bridge/servo-families', may: [...SERVO, ...FAMILIES] },
  { place: 'bridge', may: [...CORE, ...BRIDGE] },
  ...SERVER,
  ...SCHEDULER,
  ...VIEWER,
  { place: 'testing', may: ['contract', 'server/index', 'testing'] },
  { place: 'fixtures', may: [...CORE, 'fixtures'] },
  {
    place: 'e2e/robustness/histories',
    may: ['server/service/http/service-history', 'e2e'],
  },
  // The lock and the checksum of a data folder that it makes unusable.
  { place: 'e2e/robustness/invalid-starts', may: ['server/store', 'e2e'] },
  // The clients of others, over each arm that is shipped.
  {
    place: 'e2e/clients/arm-of-run',
    may: ['arms/given-arm', 'arms/shipped-arms'],
  },
  {
    place: 'e2e',
    may: ['contract', 'conformance', 'physics/math', 'fixtures', 'e2e'],
    types: ['viewer/test-window'],
  },
  {
    place: 'bench',
    may: [
      ...CORE,
      // Each arm in a process of its own.
      'arms/given-arm',
      'arms/shipped-arms',
      'conformance',
      'bridge',
      'server',
      'scheduler',
      'viewer',
      'fixtures',
      'bench',
      'testing',
      'e2e/robustness',
    ],
  },
  { place: 'tools/goldens', may: [...CORE, 'tools'] },
  { place: 'tools/servo-failures', may: ['bridge', 'tools'] },
  { place: 'tools/plants', may: ['physics', 'tools'] },
  { place: 'tools/random-arms', may: ['arms', 'physics', 'tools'] },
  { place: 'tools/generate', may: ['contract', 'tools'] },
  { place: 'tools/conformance', may: ['contract', 'conformance', 'tools'] },
  { place: 'tools', may: ['tools'] },
];

/** Additional imports of tests; a server test may assemble a whole twin. */
export const TEST_IMPORTS = [
  { place: 'arms', may: ['physics/math'] },
  { place: 'physics', may: [...CORE, 'arms'] },
  { place: 'server', may: [...CORE, 'arms', 'bridge', 'server', 'scheduler'] },
  { place: 'scheduler', may: [...CORE, 'bridge', 'server', 'scheduler'] },
  { place: 'bridge', may: ['bridge'] },
  // Samples of toolpaths, cells and workflows.
  { place: '', may: ['conformance', 'fixtures', 'testing'] },
];

/** @type {{ packages: string[], owners: string[] }[]} The only importers of each package. */
export const PACKAGE_OWNERS = [
  {
    packages: ['ajv', 'ajv-formats'],
    owners: [
      'arms/arm-problems',
      'contract/validator',
      'contract/schema-problems',
      'server/vite.config',
    ],
  },
  { packages: ['@dimforge/rapier3d-compat'], owners: ['physics/plant', 'physics/cell'] },
  {
    packages: ['express', 'helmet'],
    owners: ['server/service/http', 'server/service/upstream'],
  },
  { packages: ['@mcap/core'], owners: ['server/recording', 'server/identify'] },
  {
    packages: ['ws'],
    owners: [
      'server/service/stream',
      'server/service/foxglove',
      'server/cli/commands',
      'testing',
      'e2e/robustness',
    ],
  },
  {
    packages: ['piscina'],
    owners: ['server/planning', 'server/documents', 'server/cli/commands', 'server/app'],
  },
  { packages: ['pino'], owners: ['server/service/logging'] },
  { packages: ['prom-client'], owners: ['server/service/metrics'] },
  { packages: ['commander'], owners: ['server/cli', 'server/program'] },
  { packages: ['three', 'uplot'], owners: ['viewer'] },
  // The scene knows no framework.
  {
    packages: ['preact', '@preact/signals'],
    owners: [
      'viewer/ui',
      'viewer/link',
      'viewer/toolpath',
      'viewer/pages',
      'viewer/shell',
      'viewer/demo',
      'viewer/export',
    ],
  },
  // Small JSON documents. Everything else durable is in the store.
  {
    packages: ['lowdb'],
    owners: ['server/cli/result-writer', 'server/app/drivers', 'viewer/ui/kept-document'],
  },
  { packages: ['serialport'], owners: ['bridge/transport'] },
  { packages: ['bonjour-service'], owners: ['server/service/discovery'] },
];

/** Folders without Node modules: code that also runs in browsers, and the robot. */
export const NO_NODE_MODULES = ['contract', 'conformance', 'physics', 'viewer', 'server/robot'];
