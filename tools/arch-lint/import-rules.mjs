/**
 * The tables of import rules (docs/architecture.md, "Imports"). The first row whose
 * `place` contains the importing file applies. A place is a folder or a file without its extension;
 * from the places in `types` only types may be imported.
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
  'server/documents',
];

/** The driver port (interfaces and tick constants) and the arithmetic of simulated time. */
const TICK = ['bridge/arm-driver', 'server/clock/twin-time'];
const SHELL_TYPES = ['bridge/arm-driver', 'bridge/arm-instruments', 'bridge/arm-world'];
/** Fault injection is composed where the arm is simulated; others know only its types. */
const FAULT_TYPES = [...SHELL_TYPES, 'bridge/fault-injecting-driver'];
const SHELL = [...CORE, ...MIDDLE, ...BELOW, 'server/http', 'server/metrics', 'server/cli/config'];
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
    place: 'physics/collision/collision-check',
    may: ['contract', ...PHYSICS_ORDER.slice(0, 5), 'physics/motion/segment'],
  },
  ...PHYSICS_ORDER.map((place, at) => ({
    place,
    may: ['contract', ...PHYSICS_ORDER.slice(0, at + 1)],
  })),
];

/**
 * Above the joint bus (bridge/joint-bus): code that knows angles, torques and faults of joints, and
 * no register, step, packet or model of a servo.
 */
const ABOVE_JOINT_BUS = [
  'bridge/servo-arm',
  'bridge/joint-bus',
  'bridge/servo/goal-lead',
  'bridge/servo/joint-monitor',
  'bridge/servo/loop-monitor',
  'bridge/servo/servo-faults',
];
const JOINT_PLACES = [
  ...CORE,
  ...ABOVE_JOINT_BUS,
  'bridge/arm-driver',
  'bridge/arm-instruments',
  'bridge/transport/bus-clock',
];

/** @type {Row[]} */
const SERVER = [
  { place: 'server/main', may: ['server/program', 'server/clock'] },
  { place: 'server/program', may: [...CORE, 'bridge', 'server'] },
  { place: 'server/index', may: [...CORE, 'bridge', 'server'] },
  // The composition root.
  { place: 'server/app', may: [...CORE, 'bridge', 'server'] },
  {
    place: 'server/cli/config',
    may: CORE,
    types: ['bridge', 'server/clock'],
  },
  {
    place: 'server/cli/commands',
    may: [...SHELL, 'bridge', 'server/cli', 'server/recording', 'server/app/product-info'],
  },
  { place: 'server/cli', may: [...CORE, 'server/cli', 'server/clock', 'server/metrics'] },
  {
    place: 'server/robot',
    may: [...CORE, 'server/robot', ...TICK],
    types: [...FAULT_TYPES, ...BELOW],
  },
  { place: 'server/store', may: ['contract', ...BELOW] },
  { place: 'server/clock', may: ['contract', 'server/clock', ...TICK] },
  // Workflow definitions are documents too.
  {
    place: 'server/documents',
    may: [
      ...CORE,
      ...MIDDLE,
      ...BELOW,
      'server/workflow/definition',
      'server/workflow/model',
      'server/webhooks/addresses',
      'server/recording/recording-format',
    ],
  },
  ...['planning', 'sessions', 'toolpaths', 'updates'].map((folder) => ({
    place: `server/${folder}`,
    may: [...CORE, ...MIDDLE, ...BELOW],
  })),
  // Handlers publish changes of users, locks and outputs on the hub of the stream.
  { place: 'server/http', may: [...SHELL, 'server/stream/hub'], types: SHELL_TYPES },
  { place: 'server/metrics', may: SHELL, types: SHELL_TYPES },
  // The cell is a part of the simulation control API.
  {
    place: 'server/cell',
    may: [...SHELL, 'server/simulation', 'server/cell'],
    types: [...SHELL_TYPES],
  },
  // The simulation control API has its own event stream.
  {
    place: 'server/simulation',
    may: [...SHELL, 'server/simulation', 'server/cell', 'server/stream/hub', 'server/recording'],
    types: [...FAULT_TYPES, 'server/stream'],
  },
  // A replay puts a robot on a driver again.
  {
    place: 'server/recording',
    may: [...SHELL, ...TICK, 'server/recording'],
    types: FAULT_TYPES,
  },
  // The live connection runs handlers of the simulation control API.
  {
    place: 'server/foxglove',
    may: [...SHELL, ...TICK, 'server/foxglove', 'server/recording', 'server/simulation/watches'],
    types: SHELL_TYPES,
  },
  // The stream does not depend on http; the session check is passed in.
  {
    place: 'server/stream',
    may: [...CORE, ...MIDDLE, ...BELOW, 'server/stream'],
    types: SHELL_TYPES,
  },
  ...['webhooks', 'workflow', 'discovery'].map((folder) => ({
    place: `server/${folder}`,
    may: [...SHELL, `server/${folder}`],
    types: [...SHELL_TYPES, 'server/stream'],
  })),
  {
    place: 'server/upstream',
    may: [...SHELL, 'server/upstream', 'server/app/product-info'],
  },
  // Tests of the whole program.
  { place: 'server', may: [...CORE, 'bridge', 'server'] },
];

/** @type {Row[]} */
export const IMPORT_RULES = [
  { place: 'contract', may: ['contract'] },
  ...PHYSICS,
  ...ABOVE_JOINT_BUS.map((place) => ({
    place,
    may: JOINT_PLACES,
    types: ['bridge/servo/calibration'],
  })),
  { place: 'bridge', may: [...CORE, 'bridge'] },
  ...SERVER,
  { place: 'viewer', may: [...CORE, 'viewer'] },
  { place: 'testing', may: ['contract', 'server/index', 'testing'] },
  { place: 'fixtures', may: [...CORE, 'fixtures'] },
  {
    place: 'e2e/robustness/histories',
    may: ['server/http/service-history', 'e2e'],
  },
  {
    place: 'e2e',
    may: ['contract', 'physics/math/portable', 'fixtures', 'e2e'],
    types: ['viewer/test-window'],
  },
  {
    place: 'bench',
    may: [...CORE, 'bridge', 'server', 'viewer', 'fixtures', 'bench', 'testing', 'e2e/robustness'],
  },
  { place: 'tools/goldens', may: [...CORE, 'tools'] },
  { place: 'tools/servo-failures', may: ['bridge', 'tools'] },
  { place: 'tools/conformance', may: [...CORE, 'tools'] },
  { place: 'tools', may: ['tools'] },
];

/** Additional imports of tests; a server test may assemble a whole twin. */
export const TEST_IMPORTS = [
  { place: 'physics', may: CORE },
  { place: 'server', may: [...CORE, 'bridge', 'server'] },
  { place: 'bridge', may: ['bridge'] },
  { place: '', may: ['fixtures', 'testing'] },
];

/** @type {{ packages: string[], owners: string[] }[]} The only importers of each package. */
export const PACKAGE_OWNERS = [
  { packages: ['ajv', 'ajv-formats'], owners: ['contract/validator', 'server/vite.config'] },
  { packages: ['@dimforge/rapier3d-compat'], owners: ['physics/plant', 'physics/cell'] },
  { packages: ['express', 'helmet'], owners: ['server/http'] },
  { packages: ['@mcap/core'], owners: ['server/recording'] },
  {
    packages: ['ws'],
    owners: [
      'server/stream',
      'server/foxglove',
      'server/cli/commands',
      'testing',
      'e2e/robustness',
    ],
  },
  {
    packages: ['piscina'],
    owners: ['server/planning', 'server/documents', 'server/cli/commands', 'server/app/run-worker'],
  },
  { packages: ['pino', 'prom-client'], owners: ['server/metrics'] },
  { packages: ['commander'], owners: ['server/cli', 'server/program'] },
  { packages: ['three', 'uplot'], owners: ['viewer'] },
  { packages: ['serialport'], owners: ['bridge/transport'] },
  { packages: ['bonjour-service'], owners: ['server/discovery'] },
];

/** Folders without Node modules: code that also runs in browsers, and the robot. */
export const NO_NODE_MODULES = ['contract', 'physics', 'viewer', 'server/robot'];
