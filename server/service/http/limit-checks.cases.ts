/**
 * One row for each limit of limits.ts: a check over the wire of what N + 1 in parallel do, by the
 * least privileged caller, or why there is none. Test code.
 */

import { sampleToolpath } from '../../../conformance/samples/sample-toolpath.ts';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { limits } from '../../../contract/limits.ts';
import {
  CALC,
  capacity,
  edge,
  type LimitCheck,
  lower,
  manyTasks,
  type NoLimitCheck,
  nested,
  POSE,
  poses,
  rules,
  SAVE,
  saved,
  small,
  TIME,
  test,
  text,
  VALIDATE,
  waits,
  withTimeline,
  zones,
} from './limit-bodies.cases.ts';

/** Parts of the one cell. */
const CELL = test('server/cell/cell-handlers.test.ts', 'parts of the one cell: ');

/** The checks, by limit. */
export const LIMIT_CHECKS: {
  readonly [Name in keyof typeof limits]: LimitCheck | NoLimitCheck;
} = {
  session_idle_s: rules('session-rules'),
  session_age_s: rules('session-rules'),
  failed_log_ins_per_min: {
    by: 'anybody',
    check: (context) => context.guesses(),
  },
  log_in_accounts: { instead: 'a cap of memory: the eldest counter is dropped' },
  token_bytes: test('server/service/sessions/secrets.test.ts'),
  name_min_characters: lower(SAVE, limits.name_min_characters, (count) => ({
    name: text(count),
    toolpath: small(),
  })),
  name_max_characters: edge(SAVE, limits.name_max_characters, (count) => ({
    name: text(count),
    toolpath: small(),
  })),
  email_max_characters: edge('POST /api/v1/auth/login', limits.email_max_characters, (count) => ({
    email: `${text(count - '@b.example'.length)}@b.example`,
    password: 'long enough',
  })),
  password_min_characters: test(
    'conformance/rules/user-rules.ts',
    'a guess of any length is allowed: ',
  ),
  password_max_characters: edge(
    'POST /api/v1/auth/login',
    limits.password_max_characters,
    (count) => ({
      email: 'edge@example.org',
      password: text(count),
    }),
  ),
  users: capacity('admin', 'POST /api/v1/users', {
    most: limits.users,
    list: 'GET /api/v1/users',
    parallel: 8,
    body: (i) => ({ email: `full${i}@example.org`, password: 'long enough' }),
  }),
  tokens_per_user: capacity('user', 'POST /api/v1/users/{me}/tokens', {
    most: limits.tokens_per_user,
    list: 'GET /api/v1/users/{me}/tokens',
    body: (i) => ({ name: `token ${i}` }),
  }),
  sessions: test(
    'server/service/sessions/sessions.test.ts',
    'one user reaches sessions_per_user first: ',
  ),
  sessions_per_user: test('server/service/sessions/sessions.test.ts'),
  sessions_per_token: { by: 'user', check: (context) => context.sessions() },
  body_values: test('server/documents/document-reader.test.ts'),
  body_names: test('server/documents/document-reader.test.ts'),
  hook_headers: test('server/webhooks/delivery.test.ts'),
  idempotency_key_characters: test('server/service/http/idempotency.test.ts'),
  idempotency_key_s: test('server/service/http/idempotency.test.ts', 'a time: '),
  idempotency_keys_per_user: test(
    'server/service/http/idempotency.test.ts',
    'the oldest is dropped: ',
  ),
  lock_expiry_automatic_s: rules('lock-rules'),
  lock_expiry_teach_s: rules('lock-rules'),
  speed_automatic_m_per_s: test(
    'physics/toolpath/build.property.test.ts',
    'motion is slowed to it: ',
  ),
  speed_teach_m_per_s: test('physics/toolpath/build.property.test.ts', 'motion is slowed to it: '),
  speed_go_to_default_m_per_s: test('conformance/rules/control-rules.ts', 'a default: '),
  payload_max_kg: edge(SAVE, 0, (beyond) =>
    saved({
      ...small(),
      metadata: { ...small().metadata, payload: limits.payload_max_kg + beyond / 100 },
    }),
  ),
  joints: edge('PUT /api/v1/calc/pose_valid', limits.joints, (count) => ({
    joints: Array.from({ length: count }, (_, joint) => POSE[joint] ?? 0),
  })),
  pose_stale_rad: test('server/robot/robot-states.test.ts', 'an internal check of the robot: '),
  feedback_stale_s: rules('fault-rules'),
  hold_rad: test('server/robot/hold-tolerance.test.ts', 'no call moves a held joint: '),
  hold_rad_per_s: test('server/robot/hold-tolerance.test.ts', 'no call moves a held joint: '),
  hold_s: test('server/robot/hold-tolerance.test.ts', 'no call moves a held joint: '),
  standstill_wait_s: test('server/robot/standstill.test.ts', TIME),
  toolpath_version: edge(SAVE, limits.toolpath_version, (version) =>
    saved({ ...small(), metadata: { ...small().metadata, version } }),
  ),
  label_max_characters: edge(SAVE, limits.label_max_characters, (count) => {
    const toolpath = small();
    const [first, ...rest] = toolpath.waypoints;
    return saved({ ...toolpath, waypoints: [{ ...first, label: text(count) }, ...rest] });
  }),
  avoidance_zones: edge('PUT /api/v1/calc/pose_valid', limits.avoidance_zones, (count) => ({
    joints: POSE,
    avoidance_zones: zones(count),
  })),
  waypoints: edge(SAVE, limits.waypoints, (count) => saved(sampleToolpath(poses(count)))),
  timeline_actions: edge(SAVE, limits.timeline_actions - 1, (count) => withTimeline(waits(count))),
  routines: edge(SAVE, limits.routines, (count) => {
    const routines = Array.from({ length: count }, (_, i) => ({ name: `r${i}`, timeline: [] }));
    return saved({ ...small(), routines });
  }),
  routine_expansion_actions: test('e2e/robustness/malformed-requests.ts'),
  grid_cells: test('e2e/robustness/malformed-requests.ts'),
  entry_variants: test(
    'physics/toolpath/build.property.test.ts',
    'a build beyond it is a hard error: ',
  ),
  pass_through_waypoints: test('physics/motion/spline-move.test.ts', 'a motion error of a build: '),
  loops: { by: 'user', check: (context) => context.loops() },
  reply_setpoints: {
    instead: 'a reply beyond it is a hard error: physics/toolpath/motion-codes.cases.ts',
  },
  setpoint_period_s: { instead: 'the format of a trajectory' },
  shared_toolpaths: { instead: 'in memory: the eldest offer is dropped' },
  toolpaths_per_user: capacity('user', SAVE, {
    most: limits.toolpaths_per_user,
    list: 'GET /api/v1/toolpaths',
    body: (i) => ({ name: `t${i}`, toolpath: small() }),
  }),
  cell_fixtures: CELL,
  cell_boxes: CELL,
  cell_nests: CELL,
  cell_objects: CELL,
  cell_grippers: CELL,
  cell_sensors: CELL,
  cell_conveyors: CELL,
  cell_controls: CELL,
  cell_reach_m: test(
    'server/cell/cell-handlers.test.ts',
    'an object is put only where it can be: ',
  ),
  cell_mass_min_kg: test('server/cell/places.test.ts', 'an object has at least a mass: '),
  cell_events: { instead: 'the eldest is dropped' },
  voltage_min_v: { by: 'user', check: (context) => context.output(limits.voltage_min_v, -1) },
  voltage_max_v: { by: 'user', check: (context) => context.output(limits.voltage_max_v, 1) },
  current_min_ma: test('conformance/rules/cleanup-rules.ts'),
  current_max_ma: test('conformance/rules/cleanup-rules.ts'),
  end_effector_voltage_max_v: test(
    'server/service/simulation/world.test.ts',
    'inputs of the simulated world: ',
  ),
  changes_per_call: { by: 'user', check: (context) => context.changes() },
  body_default_bytes: {
    by: 'user',
    check: (context) =>
      context.size('PUT /api/v1/calc/pose_valid', limits.body_default_bytes, { joints: POSE }),
  },
  body_toolpath_bytes: {
    by: 'user',
    check: (context) => context.size(CALC, limits.body_toolpath_bytes, { toolpath: small() }),
  },
  body_upload_bytes: {
    by: 'admin',
    check: (context) => context.announced('POST /api/v1/config/update', limits.body_upload_bytes),
  },
  package_head_bytes: test(
    'server/service/http/upload.test.ts',
    'the rest of a package is dropped: ',
  ),
  body_seed_bytes: {
    by: 'admin',
    check: (context) => context.announced('POST /sim/v1/seed', limits.body_seed_bytes),
  },
  inline_document_bytes: test(
    'server/documents/document-reader.test.ts',
    'decides who reads a body: ',
  ),
  large_document_bytes: test(
    'server/documents/document-reader.test.ts',
    'decides which bodies are read apart: ',
  ),
  large_document_gap_ms: test('server/documents/document-reader.test.ts', 'a pause: '),
  large_body_bytes_per_s: test('server/service/http/upload.test.ts', 'a pace: '),
  state_file_bytes_per_s: test('server/documents/document-reader.test.ts', 'a rate: '),
  nesting_levels: { by: 'user', check: (context) => context.nesting(nested) },
  reported_problems: {
    by: 'user',
    check: (context) => context.problems(150, limits.reported_problems),
  },
  listed_values: { by: 'user', check: (context) => context.problems(limits.listed_values + 1, 1) },
  call_default_s: rules('connection-rules'),
  plan_s: test('server/planning/planner.test.ts', TIME),
  plan_cache_bytes: test('server/planning/plan-cache.test.ts'),
  call_plan_s: test('server/service/http/deadline.test.ts', TIME),
  call_upload_s: test('server/service/http/deadline.test.ts', TIME),
  call_advance_s: test('server/service/http/deadline.test.ts', TIME),
  upstream_margin_s: test('server/service/upstream/hung-arm.test.ts', TIME),
  memory_high_water: test('server/shares/stored-bytes.test.ts', 'memory of the machine: '),
  headers_s: rules('connection-rules'),
  body_default_s: rules('connection-rules'),
  unread_body_s: rules('connection-rules'),
  connection_idle_s: rules('connection-rules'),
  arrival_s: test('server/robot/arrival.test.ts'),
  later_errors: test('server/robot/fault-reason.test.ts'),
  keep_alive_s: rules('connection-rules'),
  keep_alive_announced_s: test('server/service/http/kept-connection.test.ts'),
  request_s: test('server/service/http/connection.test.ts', TIME),
  connections_check_s: test('server/service/http/connection.test.ts', TIME),
  accept_backlog: { instead: 'a queue of the system, which drops what is beyond it' },
  connections: test('server/service/http/framing.test.ts'),
  connections_per_address: test('server/service/http/framing.test.ts'),
  retry_after_s: test('server/service/sessions/password-checks.test.ts', TIME),
  drain_s: test('e2e/robustness/process-lifecycle.ts', TIME),
  shutdown_s: test('e2e/robustness/process-lifecycle.ts', TIME),
  stream_handshake_s: test('server/service/stream/upgrade.test.ts', TIME),
  stream_message_bytes: { by: 'user', check: (context) => context.message() },
  stream_soft_bytes: test('server/service/stream/subscriber.test.ts'),
  stream_hard_bytes: test('server/service/stream/subscriber.test.ts'),
  stream_ping_s: test('server/service/stream/subscriber.test.ts', TIME),
  stream_missed_pings: test('server/service/stream/subscriber.test.ts'),
  stream_telemetry_ticks: { instead: 'a rate of the server' },
  stream_session_ended_code: { instead: 'a code of the protocol' },
  obstacles: capacity('admin', 'POST /sim/v1/obstacles', {
    most: limits.obstacles,
    body: (i) => ({
      name: `box ${i}`,
      position: { x: 3, y: 3, z: 3 },
      half: { x: 0.1, y: 0.1, z: 0.1 },
    }),
  }),
  contacts: { instead: 'the eldest is dropped: bridge/simulated/simulated-world.ts' },
  faults: capacity('admin', 'POST /sim/v1/faults', {
    most: limits.faults,
    body: (i) => ({ kind: 'reply', path: `/api/v1/none${i}`, effect: 'drop' }),
  }),
  snapshots: capacity('admin', 'POST /sim/v1/states', {
    most: limits.snapshots,
    body: (i) => ({ name: `state ${i}` }),
  }),
  journal_entries: { by: 'user', check: (context) => context.journal() },
  near_misses: test('server/service/simulation/call-journal.test.ts', 'a length of a reply: '),
  recording_bytes: test('server/recording/replay.test.ts', 'a recording ends by itself: '),
  robot_runs: { instead: 'the eldest is dropped' },
  robot_run_inputs: { instead: 'the run stays in the list and is not replayable' },
  robot_run_replay_s: { instead: 'a replay ends there' },
  workflows_per_user: capacity('user', 'POST /workflow/v1/workflows', {
    most: limits.workflows_per_user,
    body: () => sampleWorkflow(),
  }),
  workcells_per_user: capacity('user', 'POST /workflow/v1/workcells', {
    most: limits.workcells_per_user,
    body: (i) => ({
      name: `cell ${i}`,
      instruments: [{ id: 'hotel', type: 'hotel', capacity: 4 }],
    }),
  }),
  workflow_tasks: {
    by: 'user',
    check: (context) =>
      context.validity(VALIDATE, {
        within: manyTasks(limits.workflow_tasks),
        beyond: manyTasks(limits.workflow_tasks + 1),
      }),
  },
  run_least_bytes: test('server/shares/neighbours.test.ts', 'a share of bytes: '),
  run_events: test('scheduler/archive/run-archive.test.ts', 'the eldest is dropped: '),
  page_entries: { by: 'user', check: (context) => context.page() },
  queued_deliveries_in_memory: test(
    'server/webhooks/backlog.slow.test.ts',
    'further ones wait on disk: ',
  ),
  log_compaction_bytes: test('server/store/store.test.ts', 'of the server: '),
  former_secrets: test('server/webhooks/signing-secrets.test.ts'),
  hook_in_flight_per_host: test('server/webhooks/receiver-isolation.test.ts', 'of the server: '),
  hook_reply_bytes: test('server/webhooks/delivery.test.ts', 'of receivers: '),
  hook_parked_s: { instead: 'a time of the server' },
  hook_ordered_s: test('server/webhooks/lane-order.test.ts', 'of receivers: '),
  hook_attempts: { instead: 'of receivers' },
  compressed_least_bytes: { instead: 'decides which replies are compressed' },
  page_cache_s: { instead: 'a time that browsers keep pages' },
  hook_retry_after_s: test('server/webhooks/delivery.test.ts', 'of receivers: '),
  update_duration_s: rules('calculation-rules'),
};
