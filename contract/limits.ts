import { ARM } from '../arms/bound-arm.ts';

/**
 * All limits of §8 and of the service in one record. Names end with their unit; names without a
 * unit are counts. The comment of each limit ends with its origin: a section of the specification,
 * a decision, or `own`; docs/reference/limits.md is generated from these comments.
 */
export const limits = {
  // Sessions and users
  /** Lifetime of a session after its creation or last renewal (§8). */
  session_idle_s: 30 * 60,
  /** Greatest age of a session through renewals (§8). */
  session_age_s: 48 * 60 * 60,
  /** Failed password log-ins for one account and address, per minute (D5). */
  failed_log_ins_per_min: 10,
  /** Accounts and addresses whose failed log-ins are counted (own). */
  log_in_accounts: 10_000,
  /** Random bytes of an API token, session token or signing secret (D10). */
  token_bytes: 32,
  /** Shortest name of a toolpath, API token or workflow (D15). */
  name_min_characters: 1,
  /** Longest name of a toolpath, API token or workflow (D15). */
  name_max_characters: 128,
  /** Longest e-mail address of a user (own). */
  email_max_characters: 254,
  /** Shortest password (own). */
  password_min_characters: 8,
  /** Longest password; bounds the work of scrypt (own). */
  password_max_characters: 256,
  /** Users of one twin (own). */
  users: 1_000,
  /** API tokens of one user (own). */
  tokens_per_user: 100,
  /** Live sessions of one twin (own). */
  sessions: 10_000,
  /** Live sessions of one user (own). */
  sessions_per_user: 1_000,
  /** Live sessions of one API token (own). */
  sessions_per_token: 500,

  /** Values in a body that is no document, so that handing it over takes at most a tick (own). */
  body_values: 8_000,
  /** Different names of fields in a body that is no document, for the same reason (own). */
  body_names: 1_000,
  /** Own headers of a hook (own). */
  hook_headers: 64,
  /** Longest Idempotency-Key of a call (own). */
  idempotency_key_characters: 255,
  /** Time for which the reply to a call with an Idempotency-Key is kept (own). */
  idempotency_key_s: 24 * 60 * 60,
  /** Idempotency keys of one user; the oldest is dropped (own). */
  idempotency_keys_per_user: 1_000,

  // Lock
  /** Lock expiry without renewal, outside teach-mode motion (§8, D13). */
  lock_expiry_automatic_s: 5 * 60,
  /** Lock expiry without renewal, during a teach-mode motion (§8, D13). */
  lock_expiry_teach_s: 5,

  // Motion
  /** Speed cap of the flange and the tool point in automatic mode (§8). */
  speed_automatic_m_per_s: 1.5,
  /** Speed cap of the flange and the tool point in teach mode (§8). */
  speed_teach_m_per_s: 0.25,
  /** Maximum speed of a go_to that gives neither time nor max_speed (§8). */
  speed_go_to_default_m_per_s: 0.25,
  /** Greatest payload of a toolpath (D18). */
  payload_max_kg: ARM.ratings.payload_max_kg,
  /** Joint angles of a waypoint or a go_to (§8). */
  joints: 6,
  /** Joint distance from the start of a plan above which the plan is refused as stale (own). */
  pose_stale_rad: 1e-3,
  /** Age of joint feedback above which the robot goes to error (own). */
  feedback_stale_s: 0.15,
  /** Distance of a held joint from its place above which it is not held (D30). */
  hold_rad: 0.03,
  /** Rate of a held joint above which it is not held (D30). */
  hold_rad_per_s: 0.2,
  /** Time for which a held joint may be out of its tolerances (D30). */
  hold_s: 0.1,
  /** Time after the end of a motion's plan within which the arm must stand (own). */
  arrival_s: 5,
  /** Faults after the cause of an error that the status keeps; further ones are left out (own). */
  later_errors: 12,
  /** Twin time that a call plays on a stopped clock until the arm stands (D29). */
  standstill_wait_s: 10,

  // Toolpaths
  /** Latest toolpath format; older ones must be migrated, newer ones are refused (§9). */
  toolpath_version: 2,
  /** Longest waypoint label, in code points (§8, D15). */
  label_max_characters: 16,
  /** Avoidance zones of a toolpath or a call (§8). */
  avoidance_zones: 10,
  /** Waypoints of a toolpath (own). */
  waypoints: 10_000,
  /** Actions of a toolpath, all timelines together (own). */
  timeline_actions: 5_000,
  /** Routines of a toolpath (own). */
  routines: 1_000,
  /** Actions of a toolpath with every routine call expanded (own). */
  routine_expansion_actions: 100_000,
  /** Cells of a grid, nested grids multiplied (own). */
  grid_cells: 10_000,
  /** Different poses from which one action can be entered (D22). */
  entry_variants: 64,
  /** Pass-through waypoints of one move (own). */
  pass_through_waypoints: 1_000,
  /** Greatest loop count of a run (own). */
  loops: 2_147_483_647,
  /** Setpoints in the trajectory of one reply (D21). */
  reply_setpoints: 200_000,
  /** Time between two setpoints of a trajectory (D21). */
  setpoint_period_s: 0.01,
  /** Shared toolpaths that wait for their receivers (D19). */
  shared_toolpaths: 100,
  /** Saved toolpaths of one user (own). */
  toolpaths_per_user: 10_000,

  /** Cached trajectories, and cached programs (own). */
  plan_cache_bytes: 64 * 1024 * 1024,

  // Outputs and inputs
  /** Lowest analog value of the base in voltage mode (§2.5, D35). */
  voltage_min_v: 0,
  /** Highest analog value of the base in voltage mode (§2.5, D35). */
  voltage_max_v: 10,
  /** Lowest analog value of the base in current mode (§2.5). */
  current_min_ma: 4,
  /** Highest analog value of the base in current mode (§2.5). */
  current_max_ma: 20,
  /** Highest analog value of the end effector; the lowest is 0 V (D35). */
  end_effector_voltage_max_v: 24,
  /** Changes in one edit of global values (own). */
  changes_per_call: 64,

  // Request bodies
  /** Shortest reply that is compressed for clients that accept it: above a snapshot (own). */
  compressed_least_bytes: 4096,
  /** Time for which browsers keep pages without asking (own). */
  page_cache_s: 3600,
  /** Request body, unless its route names another limit (D7). */
  body_default_bytes: 64 * 1024,
  /** Request body that carries a toolpath or a workflow (D7). */
  body_toolpath_bytes: 1024 * 1024,
  /** Uploaded update package (D7). */
  body_upload_bytes: 256 * 1024 * 1024,
  /** Start of an update package that is kept, for a first line that names its version (own). */
  package_head_bytes: 64,
  /** Request body that carries a state or a snapshot (D7). */
  body_seed_bytes: 64 * 1024 * 1024,
  /** Request body that is read between two ticks; larger ones are read on a thread (own). */
  inline_document_bytes: 4 * 1024,
  /** Request body from which on bodies are read one after the other (own). */
  large_document_bytes: 256 * 1024,
  /** Time from the reading of one of them to the next (own). */
  large_document_gap_ms: 20,
  /** Rate at which large request bodies arrive, all of them together (own). */
  large_body_bytes_per_s: 12 * 1024 * 1024,
  /** Rate at which state files are made, all of them together (own). */
  state_file_bytes_per_s: 24 * 1024 * 1024,
  /** Depth of objects and arrays in a JSON body (own). */
  nesting_levels: 64,
  /** Problems listed in the details of one refusal (own). */
  reported_problems: 100,
  /** Values of a body beyond which only its first problem is reported (own). */
  listed_values: 2_000,

  // Time a call may take, wall time
  /** Wall time of a call, unless its route names another limit (D7). */
  call_default_s: 15,
  /** Wall time of a call that plans a whole toolpath, or tries a snapshot file (own). */
  call_plan_s: 300,
  /** Wall time for which a thread plans one toolpath (own). */
  plan_s: 120,
  /** Wall time of the upload of an update package (D7). */
  call_upload_s: 120,
  /** Wall time of a call that advances the clock or waits for the arm (own). */
  call_advance_s: 600,
  /** Further wall time that a call behind --upstream has, for the refusal of the arm (own). */
  upstream_margin_s: 1,

  /** Part of the memory beyond which the largest owners store nothing more (own). */
  memory_high_water: 0.85,

  // Connections, wall time
  /** Time from connecting to the end of the request headers (own). */
  headers_s: 5,
  /** Time from the headers to the end of a request body (own). */
  body_default_s: 8,
  /** Time that a refused request may go on sending its body (own). */
  unread_body_s: 4,
  /** Time without a first request, or without any traffic of a reply (own). */
  connection_idle_s: 3,
  /** Time that a connection waits for a further request (own). */
  keep_alive_s: 12,
  /** That time as replies announce it, less than it is; Node.js reuses none below 3 s (own). */
  keep_alive_announced_s: 5,
  /** Time from the first byte to the end of a request (own). */
  request_s: 120,
  /** Interval between two checks of the connection time-outs (own). */
  connections_check_s: 1,
  /** Open HTTP connections and streams (own). */
  connections: 1024,
  /** Open connections of one address without a session; the rest are for other addresses (own). */
  connections_per_address: 896,
  /** New connections that wait to be accepted, as far as the system allows; it drops others (own). */
  accept_backlog: 4096,
  /** Retry-After of a reply with status 503 (D5). */
  retry_after_s: 1,
  /** Time that open connections have to finish at shutdown (own). */
  drain_s: 1,
  /** Time of a shutdown before the process exits with 1 (own). */
  shutdown_s: 2.8,

  // Stream
  /** Least time from the handshake of a stream to its answer (D37). */
  stream_handshake_s: 0.025,
  /** Longest message that a client may send on a stream (own). */
  stream_message_bytes: 4 * 1024,
  /** Unsent bytes of a subscriber above which state changes are merged (D37). */
  stream_soft_bytes: 128 * 1024,
  /** Unsent bytes of a subscriber above which its stream is closed (own). */
  stream_hard_bytes: 1024 * 1024,
  /** Wall time between two pings of a subscriber (D37). */
  stream_ping_s: 15,
  /** Pings without a reply after which a stream is closed (D37). */
  stream_missed_pings: 2,
  /** Ticks between two publications of telemetry (D37). */
  stream_telemetry_ticks: 5,
  /** Close code of a stream whose session has ended (D37). */
  stream_session_ended_code: 4401,

  // Simulation control API
  /** Obstacles in the simulated world (own). */
  obstacles: 100,
  /** Contacts that the simulated world remembers; the oldest is dropped (own). */
  contacts: 100,
  /** Fixtures of a cell (own). */
  cell_fixtures: 100,
  /** Boxes of all fixtures of a cell (own). */
  cell_boxes: 200,
  /** Nests of all fixtures and objects of a cell (own). */
  cell_nests: 500,
  /** Objects of a cell (own). */
  cell_objects: 100,
  /** Grippers of a cell (own). */
  cell_grippers: 2,
  /** Sensors of a cell (own). */
  cell_sensors: 12,
  /** Conveyors of a cell (own). */
  cell_conveyors: 8,
  /** Buttons and doors of a cell (own). */
  cell_controls: 8,
  /** Distance of an object of a cell from the base along each axis, where it is put (own). */
  cell_reach_m: 10,
  /** Least mass of an object of a cell: a pipette tip has more (own). */
  cell_mass_min_kg: 0.0001,
  /** Events of the cell that are remembered; the oldest is dropped (own). */
  cell_events: 1_000,
  /** Active injected faults (own). */
  faults: 100,
  /** Stored snapshots of the twin (own). */
  snapshots: 20,
  /** Calls in the journal; the oldest is dropped (own). */
  journal_entries: 1_000,
  /** Closest entries that a failed journal verification returns (own). */
  near_misses: 5,
  /** Recording in memory; beyond it the recording stops (own). */
  recording_bytes: 64 * 1024 * 1024,
  /** Runs of toolpaths that the twin keeps; the oldest is dropped (own). */
  robot_runs: 20,
  /** Commands and actions of a kept run; one with more cannot be replayed (own). */
  robot_run_inputs: 20_000,
  /** Simulated time of a replayed run; the replay ends there (own). */
  robot_run_replay_s: 600,

  // Workflows and notifications
  /** Saved workflows of one user (own). */
  workflows_per_user: 1_000,
  /** Workcells of one user (own). */
  workcells_per_user: 1_000,
  /** Tasks of one workflow (own). */
  workflow_tasks: 1_000,
  /** Bytes that must be free of its owner's share when a run starts (own). */
  run_least_bytes: 256 * 1024,
  /** Events of one workflow run; the oldest is dropped (own). */
  run_events: 100_000,
  /** Entries of one page of a long list (own). */
  page_entries: 1_000,
  /** Waiting deliveries in memory; further ones wait in a file (own). */
  queued_deliveries_in_memory: 2_000,
  /** Growth of a log beyond twice its compacted size that compacts its full segments (D42). */
  log_compaction_bytes: 1024 * 1024,
  /** Time that a lane waits for a receiver to which no connection can be made (own). */
  hook_parked_s: 72 * 3600,
  /** Time from its first attempt in which a delivery keeps back the later ones of its run (D51). */
  hook_ordered_s: 30,
  /** Attempts of a delivery that are kept, while its receiver cannot be reached (own). */
  hook_attempts: 20,
  /** Signing secrets of a user before rotations of the last day (own). */
  former_secrets: 32,
  /** Webhook requests in flight of one owner to one host (own). */
  hook_in_flight_per_host: 4,
  /** Bytes that are read of the reply of a receiver (own). */
  hook_reply_bytes: 64 * 1024,
  /** Longest Retry-After of a receiver that is followed (own). */
  hook_retry_after_s: 60 * 60,

  // Updates
  /** Twin time that the installation of an update takes (D32). */
  update_duration_s: 30,
} as const;
