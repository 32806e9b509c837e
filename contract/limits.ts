/**
 * All limits of spec §8 and of the service in one record. Names end with their unit; names without
 * a unit are counts.
 */
export const limits = {
  // Sessions and users (spec §3.3, §8)
  session_idle_s: 30 * 60,
  session_age_s: 48 * 60 * 60,
  failed_log_ins_per_min: 10,
  token_bytes: 32,
  name_min_characters: 1,
  name_max_characters: 128,
  email_max_characters: 254,
  password_min_characters: 8,
  password_max_characters: 256,
  users: 1_000,
  tokens_per_user: 100,
  sessions: 10_000,

  // Lock (spec §8)
  lock_expiry_automatic_s: 5 * 60,
  lock_expiry_teach_s: 5,

  // Motion (spec §8)
  speed_automatic_m_per_s: 1.5,
  speed_teach_m_per_s: 0.25,
  speed_go_to_default_m_per_s: 0.25,
  payload_max_kg: 1.25,
  joints: 6,
  pose_stale_rad: 1e-3,
  feedback_stale_s: 0.15,

  // Toolpaths (spec §2.2, §8)
  toolpath_version: 2,
  label_max_characters: 16,
  avoidance_zones: 10,
  waypoints: 10_000,
  timeline_actions: 5_000,
  routines: 1_000,
  routine_expansion_actions: 100_000,
  grid_cells: 10_000,
  entry_variants: 64,
  pass_through_waypoints: 1_000,
  loops: 2_147_483_647,
  reply_setpoints: 200_000,
  setpoint_period_s: 0.01,
  toolpaths_per_user: 10_000,

  // Outputs and inputs (spec §2.5)
  voltage_min_v: 0,
  voltage_max_v: 10,
  current_min_ma: 4,
  current_max_ma: 20,
  end_effector_voltage_max_v: 24,
  changes_per_call: 64,

  // Request bodies
  body_default_bytes: 64 * 1024,
  body_toolpath_bytes: 1024 * 1024,
  body_upload_bytes: 256 * 1024 * 1024,
  body_seed_bytes: 64 * 1024 * 1024,
  nesting_levels: 64,
  reported_problems: 100,

  // Time a call may take, wall time
  call_default_s: 15,
  call_plan_s: 300,
  call_upload_s: 120,
  call_advance_s: 600,

  // Connections, wall time
  headers_s: 5,
  body_default_s: 8,
  unread_body_s: 4,
  connection_idle_s: 3,
  request_s: 120,
  connections_check_s: 1,
  connections: 512,
  retry_after_s: 1,
  drain_s: 1,
  shutdown_s: 4.5,

  // Stream (spec §6.1)
  stream_message_bytes: 4 * 1024,
  stream_soft_bytes: 128 * 1024,
  stream_hard_bytes: 1024 * 1024,
  stream_subscribers: 256,
  stream_ping_s: 15,
  stream_missed_pings: 2,
  stream_telemetry_ticks: 5,
  stream_session_ended_code: 4401,

  // Simulation control API
  obstacles: 100,
  faults: 100,
  snapshots: 20,
  journal_entries: 1_000,
  near_misses: 5,
  recording_bytes: 64 * 1024 * 1024,

  // Workflows and notifications
  workflows_per_user: 1_000,
  workflow_tasks: 1_000,
  live_runs: 100,
  stored_runs: 200,
  run_events: 100_000,
  page_entries: 1_000,
  finished_deliveries: 20_000,
  queued_deliveries_in_memory: 2_000,
  pending_deliveries: 200_000,
  disabled_hooks: 1_000,
  log_compaction_bytes: 1024 * 1024,
  hook_in_flight: 32,
  hook_in_flight_per_host: 4,
  hook_dns_lookups: 2,
  hook_reply_bytes: 64 * 1024,
  hook_retry_after_s: 60 * 60,

  // Updates
  update_duration_s: 30,
} as const;
