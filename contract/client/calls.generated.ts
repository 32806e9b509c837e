// GENERATED from contract/routes by tools/generate.mjs; do not edit.
import type { ClientCall } from './calls.ts';

/**
 * One method for each endpoint. Each rejects with ArmError when the service refuses; any of them
 * with not_ready (503), timed_out (503), storage_failed (503), internal (500).
 */
export interface Calls {
  /**
   * Exchanges an API token for a session token.
   *
   * `POST /api/v1/auth`. Needs no session.
   * Refused with wrong_content_type (415), wrong_credentials (401), body_too_large (413),
   * malformed_body (400), invalid_arguments (400).
   */
  readonly createSession: ClientCall<'createSession'>;
  /**
   * Ends the session of the header.
   *
   * `DELETE /api/v1/auth`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly endSession: ClientCall<'endSession'>;
  /**
   * Extends the session by 30 minutes, up to 48 hours in total.
   *
   * `POST /api/v1/auth/renew`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly renewSession: ClientCall<'renewSession'>;
  /**
   * Exchanges e-mail and password for a session token.
   *
   * `POST /api/v1/auth/login`. Needs no session.
   * Refused with wrong_content_type (415), wrong_credentials (401), body_too_large (413),
   * malformed_body (400), invalid_arguments (400), too_many_log_ins (429), log_ins_busy (429).
   */
  readonly logIn: ClientCall<'logIn'>;
  /**
   * Lists all users.
   *
   * `GET /api/v1/users`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listUsers: ClientCall<'listUsers'>;
  /**
   * Creates a user with the role user.
   *
   * `POST /api/v1/users`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), storage_used_up (507), share_used_up (429), idempotency_key_used (400).
   */
  readonly createUser: ClientCall<'createUser'>;
  /**
   * Changes a user: admins any user, others themselves except the role.
   *
   * `PUT /api/v1/users/{user_id}`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), role_too_low (403), body_too_large (413), malformed_body
   * (400), invalid_arguments (400), too_many_log_ins (429), log_ins_busy (429), share_used_up
   * (429), not_found (404), last_admin (400).
   */
  readonly updateUser: ClientCall<'updateUser'>;
  /**
   * Deletes a user with all sessions and tokens, except the last admin.
   *
   * `DELETE /api/v1/users/{user_id}`. Needs an admin.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404), last_admin (400).
   */
  readonly deleteUser: ClientCall<'deleteUser'>;
  /**
   * Lists the API tokens of a user, without their secrets.
   *
   * `GET /api/v1/users/{user_id}/tokens`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404).
   */
  readonly listTokens: ClientCall<'listTokens'>;
  /**
   * Creates an API token; the secret is shown only once.
   *
   * `POST /api/v1/users/{user_id}/tokens`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), role_too_low (403), body_too_large (413), malformed_body
   * (400), invalid_arguments (400), storage_used_up (507), share_used_up (429), not_found (404),
   * idempotency_key_used (400).
   */
  readonly createToken: ClientCall<'createToken'>;
  /**
   * Returns what each user uses of what all share.
   *
   * `GET /api/v1/usage`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly getUsage: ClientCall<'getUsage'>;
  /**
   * Revokes an API token and ends every session created from it.
   *
   * `DELETE /api/v1/users/{user_id}/tokens/{token_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404).
   */
  readonly deleteToken: ClientCall<'deleteToken'>;
  /**
   * Lists the caller's toolpaths.
   *
   * `GET /api/v1/toolpaths`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listToolpaths: ClientCall<'listToolpaths'>;
  /**
   * Saves a new toolpath.
   *
   * `POST /api/v1/toolpaths`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), storage_used_up
   * (507), share_used_up (429), idempotency_key_used (400).
   */
  readonly createToolpath: ClientCall<'createToolpath'>;
  /**
   * Retrieves the toolpath that another user shared last with the caller.
   *
   * `GET /api/v1/toolpaths/-1`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * not_found (404).
   */
  readonly getSharedToolpath: ClientCall<'getSharedToolpath'>;
  /**
   * Retrieves a saved toolpath.
   *
   * `GET /api/v1/toolpaths/{toolpath_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getToolpath: ClientCall<'getToolpath'>;
  /**
   * Computes the motion of a saved toolpath.
   *
   * `GET /api/v1/toolpaths/{toolpath_id}/build`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly buildToolpath: ClientCall<'buildToolpath'>;
  /**
   * Replaces a saved toolpath.
   *
   * `PUT /api/v1/toolpaths/{toolpath_id}`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), storage_used_up (507), share_used_up (429), not_found (404).
   */
  readonly updateToolpath: ClientCall<'updateToolpath'>;
  /**
   * Deletes a saved toolpath.
   *
   * `DELETE /api/v1/toolpaths/{toolpath_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly deleteToolpath: ClientCall<'deleteToolpath'>;
  /**
   * Selects a saved toolpath: computes its motion and loads it.
   *
   * `POST /api/v1/toolpaths/{toolpath_id}/use`. Needs the robot lock. Allowed in the state ready.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), lock_not_held (403), wrong_state (400), toolpath_error
   * (400).
   */
  readonly useToolpath: ClientCall<'useToolpath'>;
  /**
   * Sends a toolpath to another user.
   *
   * `POST /api/v1/toolpath/share`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), not_found (404).
   */
  readonly shareToolpath: ClientCall<'shareToolpath'>;
  /**
   * Computes the motion of a toolpath that is not saved.
   *
   * `PUT /api/v1/toolpath/calc`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly calcToolpath: ClientCall<'calcToolpath'>;
  /**
   * Selects a toolpath that is not saved: computes its motion and loads it.
   *
   * `POST /api/v1/toolpath/use`. Needs the robot lock. Allowed in the state ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), lock_not_held (403), wrong_state (400), toolpath_error (400).
   */
  readonly useUnsavedToolpath: ClientCall<'useUnsavedToolpath'>;
  /**
   * Migrates a toolpath of an older format to the latest one.
   *
   * `PUT /api/v1/toolpath/migrate`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly migrateToolpath: ClientCall<'migrateToolpath'>;
  /**
   * Returns the holder of the robot lock.
   *
   * `GET /api/v1/controls/lock`. Allowed in the state ready, error, running, paused, stopping,
   * backdriving, updating, disabled, collision.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * wrong_state (400).
   */
  readonly getLock: ClientCall<'getLock'>;
  /**
   * Acquires the robot lock.
   *
   * `POST /api/v1/controls/lock`. Allowed in the state ready, error, running, paused, stopping,
   * backdriving, updating, disabled, collision.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_held_by_other (403), lock_held_by_you (403), wrong_state (400).
   */
  readonly takeLock: ClientCall<'takeLock'>;
  /**
   * Restarts the expiry of the held lock.
   *
   * `PUT /api/v1/controls/lock`. Allowed in the state ready, error, running, paused, stopping,
   * backdriving, updating, disabled, collision.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly renewLock: ClientCall<'renewLock'>;
  /**
   * Releases the held lock.
   *
   * `DELETE /api/v1/controls/lock`. Allowed in the state ready, error, running, paused, stopping,
   * backdriving, updating, disabled, collision.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly releaseLock: ClientCall<'releaseLock'>;
  /**
   * Runs the selected toolpath.
   *
   * `POST /api/v1/controls/run`. Needs the robot lock. Allowed in the state ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), lock_not_held (403), wrong_state (400), toolpath_missing (400), motion_refused (400).
   */
  readonly run: ClientCall<'run'>;
  /**
   * Moves to the first waypoint of the selected toolpath, in teach mode.
   *
   * `POST /api/v1/controls/home`. Needs the robot lock. Allowed in the state ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), lock_not_held (403), wrong_state (400), toolpath_missing (400), motion_refused (400).
   */
  readonly home: ClientCall<'home'>;
  /**
   * Pauses the motion on its path.
   *
   * `POST /api/v1/controls/pause`. Needs the robot lock. Allowed in the state running, stopping.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly pause: ClientCall<'pause'>;
  /**
   * Resumes the paused motion.
   *
   * `POST /api/v1/controls/resume`. Needs the robot lock. Allowed in the state paused.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly resume: ClientCall<'resume'>;
  /**
   * Aborts the paused motion.
   *
   * `POST /api/v1/controls/cancel`. Needs the robot lock. Allowed in the state paused.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly cancel: ClientCall<'cancel'>;
  /**
   * Stops once the current loop is finished.
   *
   * `POST /api/v1/controls/stop_loop`. Needs the robot lock. Allowed in the state running.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly stopLoop: ClientCall<'stopLoop'>;
  /**
   * Leaves the error state after its cause has been removed.
   *
   * `POST /api/v1/controls/reset_errors`. Needs the robot lock. Allowed in the state error.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly resetErrors: ClientCall<'resetErrors'>;
  /**
   * Leaves the collision state; the robot can move again.
   *
   * `POST /api/v1/controls/acknowledge_collision`. Needs the robot lock. Allowed in the state
   * collision.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly acknowledgeCollision: ClientCall<'acknowledgeCollision'>;
  /**
   * Moves to joint angles.
   *
   * `POST /api/v1/controls/go_to`. Needs the robot lock. Allowed in the state ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), lock_not_held (403), wrong_state (400), motion_refused (400).
   */
  readonly goTo: ClientCall<'goTo'>;
  /**
   * Sets the daily time range in which the selected toolpath runs automatically.
   *
   * `POST /api/v1/controls/scheduler`. Needs the robot lock. Allowed in the state ready, error,
   * running, paused, stopping, backdriving, disabled, collision.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), lock_not_held (403), wrong_state (400).
   */
  readonly setScheduler: ClientCall<'setScheduler'>;
  /**
   * Switches collision detection on or off and sets its sensitivity.
   *
   * `POST /api/v1/controls/collision_detection`. Needs an admin. Needs the robot lock. Allowed in
   * the state ready, error, running, paused, stopping, backdriving, disabled, collision.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), lock_not_held (403), wrong_state (400).
   */
  readonly setCollisionDetection: ClientCall<'setCollisionDetection'>;
  /**
   * Reads the whole state of the robot.
   *
   * `GET /api/v1/data/snapshot`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly getSnapshot: ClientCall<'getSnapshot'>;
  /**
   * Changes outputs and analog modes.
   *
   * `POST /api/v1/data/globals`. Needs the robot lock. Allowed in the state ready, error,
   * running, paused, stopping, backdriving, collision.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), invalid_changes
   * (400), share_used_up (429), lock_not_held (403), wrong_state (400), changes_not_applied
   * (400).
   */
  readonly changeGlobals: ClientCall<'changeGlobals'>;
  /**
   * Checks a pose: limits of the joints, collisions with the arm and the floor, zones.
   *
   * `PUT /api/v1/calc/pose_valid`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly checkPose: ClientCall<'checkPose'>;
  /**
   * Computes the pose of the tool point from joint angles.
   *
   * `PUT /api/v1/calc/forward_kinematics`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly forwardKinematics: ClientCall<'forwardKinematics'>;
  /**
   * Computes joint angles near a guess from a pose of the tool point.
   *
   * `PUT /api/v1/calc/inverse_kinematics`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly inverseKinematics: ClientCall<'inverseKinematics'>;
  /**
   * Computes joint angles for a straight shift that keeps the orientation.
   *
   * `PUT /api/v1/calc/nudge`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly nudge: ClientCall<'nudge'>;
  /**
   * Computes joint angles for a turn that keeps the position.
   *
   * `PUT /api/v1/calc/rotate`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly rotate: ClientCall<'rotate'>;
  /**
   * Lists the API versions and the software version.
   *
   * `GET /api/versions`. Needs no session.
   */
  readonly getVersions: ClientCall<'getVersions'>;
  /**
   * Reads the name of the robot.
   *
   * `GET /api/v1/name`. Needs no session.
   */
  readonly getName: ClientCall<'getName'>;
  /**
   * Lists the updates in the order they must be applied.
   *
   * `PUT /api/v1/config/update/check`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly checkUpdates: ClientCall<'checkUpdates'>;
  /**
   * Downloads and installs the next update.
   *
   * `POST /api/v1/config/update/apply`. Needs an admin. Needs the robot lock. Allowed in the
   * state ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), lock_not_held (403), wrong_state (400).
   */
  readonly applyUpdate: ClientCall<'applyUpdate'>;
  /**
   * Installs an uploaded update package.
   *
   * `POST /api/v1/config/update`. Needs an admin. Needs the robot lock. Allowed in the state
   * ready.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), share_used_up (429),
   * lock_not_held (403), wrong_state (400).
   */
  readonly uploadUpdate: ClientCall<'uploadUpdate'>;
  /**
   * Returns the simulated time and its pace.
   *
   * `GET /sim/v1/clock`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly getClock: ClientCall<'getClock'>;
  /**
   * Sets the pace of simulated time or pauses it.
   *
   * `PUT /sim/v1/clock`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly setClock: ClientCall<'setClock'>;
  /**
   * Steps the clock by a number of ticks.
   *
   * `POST /sim/v1/clock/step`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501), wrong_state (400).
   */
  readonly stepClock: ClientCall<'stepClock'>;
  /**
   * Advances the clock by seconds of simulated time.
   *
   * `POST /sim/v1/clock/advance`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501), wrong_state (400).
   */
  readonly advanceClock: ClientCall<'advanceClock'>;
  /**
   * Advances the clock until the robot reaches a state or the limit passes.
   *
   * `POST /sim/v1/clock/until`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501), wrong_state (400).
   */
  readonly runUntil: ClientCall<'runUntil'>;
  /**
   * Returns the robot's state with its cause, and the progress of its activity.
   *
   * `GET /sim/v1/status`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly getStatus: ClientCall<'getStatus'>;
  /**
   * Sets digital and analog inputs.
   *
   * `PUT /sim/v1/inputs`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly setInputs: ClientCall<'setInputs'>;
  /**
   * Returns which outputs are wired to inputs.
   *
   * `GET /sim/v1/loopback`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly getLoopback: ClientCall<'getLoopback'>;
  /**
   * Wires outputs to inputs, which replaces the previous wiring.
   *
   * `PUT /sim/v1/loopback`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly setLoopback: ClientCall<'setLoopback'>;
  /**
   * Presses or releases the emergency stop.
   *
   * `PUT /sim/v1/emergency_stop`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly setEmergencyStop: ClientCall<'setEmergencyStop'>;
  /**
   * Applies a force to the flange.
   *
   * `PUT /sim/v1/push`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly pushArm: ClientCall<'pushArm'>;
  /**
   * Presses or releases the backdriving button.
   *
   * `PUT /sim/v1/buttons`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), wrong_state (400).
   */
  readonly setButtons: ClientCall<'setButtons'>;
  /**
   * Presses the waypoint button once.
   *
   * `POST /sim/v1/buttons/waypoint`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), wrong_state (400).
   */
  readonly pressWaypoint: ClientCall<'pressWaypoint'>;
  /**
   * Lists the obstacles that the controller does not know about.
   *
   * `GET /sim/v1/obstacles`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly listObstacles: ClientCall<'listObstacles'>;
  /**
   * Adds an obstacle to the simulated world.
   *
   * `POST /sim/v1/obstacles`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly addObstacle: ClientCall<'addObstacle'>;
  /**
   * Removes an obstacle from the simulated world.
   *
   * `DELETE /sim/v1/obstacles/{obstacle_id}`. Needs an admin.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404), not_supported (501).
   */
  readonly removeObstacle: ClientCall<'removeObstacle'>;
  /**
   * Lists the contacts of the arm with obstacles and floor, with their forces.
   *
   * `GET /sim/v1/contacts`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * not_supported (501).
   */
  readonly listContacts: ClientCall<'listContacts'>;
  /**
   * Returns the load that was set at the flange, and the payload that the arm expects.
   *
   * `GET /sim/v1/load`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly getLoad: ClientCall<'getLoad'>;
  /**
   * Sets the load that the flange really carries, apart from the payload of the toolpath.
   *
   * `PUT /sim/v1/load`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly setLoad: ClientCall<'setLoad'>;
  /**
   * Lets the flange carry again what the toolpath states.
   *
   * `DELETE /sim/v1/load`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly clearLoad: ClientCall<'clearLoad'>;
  /**
   * Lists the injected faults and how often each occurred.
   *
   * `GET /sim/v1/faults`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly listFaults: ClientCall<'listFaults'>;
  /**
   * Injects a fault.
   *
   * `POST /sim/v1/faults`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501), fault_cannot_act (409).
   */
  readonly addFault: ClientCall<'addFault'>;
  /**
   * Clears one fault.
   *
   * `DELETE /sim/v1/faults/{fault_id}`. Needs an admin.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404).
   */
  readonly clearFault: ClientCall<'clearFault'>;
  /**
   * Clears all faults.
   *
   * `DELETE /sim/v1/faults`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly clearFaults: ClientCall<'clearFaults'>;
  /**
   * Lists the named situations: what each does, and whether it is possible now.
   *
   * `GET /sim/v1/situations`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly listSituations: ClientCall<'listSituations'>;
  /**
   * Begins a named situation, such as a jammed gripper or a network that is cut.
   *
   * `POST /sim/v1/situations`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501), fault_cannot_act (409).
   */
  readonly beginSituation: ClientCall<'beginSituation'>;
  /**
   * Ends one situation.
   *
   * `DELETE /sim/v1/situations/{situation_name}`. Needs an admin.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404).
   */
  readonly endSituation: ClientCall<'endSituation'>;
  /**
   * Ends all situations.
   *
   * `DELETE /sim/v1/situations`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly endSituations: ClientCall<'endSituations'>;
  /**
   * Cycles the power: sessions, lock, selected toolpath and outputs are lost.
   *
   * `POST /sim/v1/power_cycle`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly cyclePower: ClientCall<'cyclePower'>;
  /**
   * Publishes a change of the configuration on the stream.
   *
   * `POST /sim/v1/config_change`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly changeConfig: ClientCall<'changeConfig'>;
  /**
   * Lists what is not simulated and what is approximate.
   *
   * `GET /sim/v1/fidelity`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly getFidelity: ClientCall<'getFidelity'>;
  /**
   * Returns the status of servos and bus, and the deviation of the arm from its model.
   *
   * `GET /sim/v1/servos`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly getServos: ClientCall<'getServos'>;
  /**
   * Resets the twin to its initial state.
   *
   * `POST /sim/v1/reset`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly resetTwin: ClientCall<'resetTwin'>;
  /**
   * Loads a seed: users, toolpaths, outputs and other initial data.
   *
   * `POST /sim/v1/seed`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly seedTwin: ClientCall<'seedTwin'>;
  /**
   * Lists the saved snapshots.
   *
   * `GET /sim/v1/states`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly listStates: ClientCall<'listStates'>;
  /**
   * Saves a snapshot of the whole twin under a name.
   *
   * `POST /sim/v1/states`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly keepState: ClientCall<'keepState'>;
  /**
   * Restores a snapshot; the simulation then continues bit-identically.
   *
   * `POST /sim/v1/states/restore`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), not_supported (501).
   */
  readonly restoreState: ClientCall<'restoreState'>;
  /**
   * Exports a snapshot as a file.
   *
   * `POST /sim/v1/states/export`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404).
   */
  readonly exportState: ClientCall<'exportState'>;
  /**
   * Imports a snapshot from a file.
   *
   * `POST /sim/v1/states/import`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly importState: ClientCall<'importState'>;
  /**
   * Deletes all snapshots.
   *
   * `DELETE /sim/v1/states`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly forgetStates: ClientCall<'forgetStates'>;
  /**
   * Searches the journal of completed calls.
   *
   * `POST /sim/v1/journal/search`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly searchJournal: ClientCall<'searchJournal'>;
  /**
   * Verifies that an expected call happened; lists near misses.
   *
   * `POST /sim/v1/journal/verify`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly verifyJournal: ClientCall<'verifyJournal'>;
  /**
   * Clears the journal.
   *
   * `DELETE /sim/v1/journal`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly clearJournal: ClientCall<'clearJournal'>;
  /**
   * Returns the status of the recording.
   *
   * `GET /sim/v1/recording`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly getRecording: ClientCall<'getRecording'>;
  /**
   * Starts a recording, which replaces the previous one.
   *
   * `POST /sim/v1/recording`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly startRecording: ClientCall<'startRecording'>;
  /**
   * Stops the recording and keeps it.
   *
   * `POST /sim/v1/recording/stop`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly stopRecording: ClientCall<'stopRecording'>;
  /**
   * Returns the recording.
   *
   * `GET /sim/v1/recording/tape`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_found (404).
   */
  readonly getTape: ClientCall<'getTape'>;
  /**
   * Lists the toolpaths of the caller with the time of their last save and their size.
   *
   * `GET /sim/v1/toolpaths`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429).
   */
  readonly listSavedToolpaths: ClientCall<'listSavedToolpaths'>;
  /**
   * Lists the runs of toolpaths that the twin keeps.
   *
   * `GET /sim/v1/robot_runs`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listRobotRuns: ClientCall<'listRobotRuns'>;
  /**
   * Replays a kept run beside the twin, as it was or, for admins, with a change.
   *
   * `POST /sim/v1/robot_runs/{robot_run_id}/replay`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), role_too_low (403), body_too_large (413), malformed_body
   * (400), invalid_arguments (400), share_used_up (429), not_found (404), not_supported (501),
   * fault_cannot_act (409), toolpath_error (400).
   */
  readonly replayRobotRun: ClientCall<'replayRobotRun'>;
  /**
   * Returns the cell and the state of its moving parts.
   *
   * `GET /sim/v1/cell`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly getCell: ClientCall<'getCell'>;
  /**
   * Replaces the cell: all objects are where the description puts them.
   *
   * `PUT /sim/v1/cell`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_supported (501).
   */
  readonly setCell: ClientCall<'setCell'>;
  /**
   * Removes the cell.
   *
   * `DELETE /sim/v1/cell`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly removeCell: ClientCall<'removeCell'>;
  /**
   * Returns what the loaded toolpath meets in the cell, once that is known.
   *
   * `GET /sim/v1/cell/check`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly getCellCheck: ClientCall<'getCellCheck'>;
  /**
   * Returns one object of the cell with its latest events.
   *
   * `GET /sim/v1/cell/objects/{object_name}`. Needs an admin.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404), not_supported (501).
   */
  readonly getCellObject: ClientCall<'getCellObject'>;
  /**
   * Puts an object to another place, as a person would.
   *
   * `PUT /sim/v1/cell/objects/{object_name}`. Needs an admin.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), role_too_low (403), body_too_large (413), malformed_body
   * (400), invalid_arguments (400), share_used_up (429), not_found (404), not_supported (501).
   */
  readonly moveCellObject: ClientCall<'moveCellObject'>;
  /**
   * Presses a button or opens a door of the cell, or undoes it.
   *
   * `PUT /sim/v1/cell/controls/{control_name}`. Needs an admin.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), role_too_low (403), body_too_large (413), malformed_body
   * (400), invalid_arguments (400), share_used_up (429), not_found (404), not_supported (501).
   */
  readonly setCellControl: ClientCall<'setCellControl'>;
  /**
   * Lists what happened in the cell, oldest first.
   *
   * `GET /sim/v1/cell/events`. Needs an admin.
   * Refused with not_authenticated (401), malformed_authorization (401), role_too_low (403),
   * share_used_up (429), not_supported (501).
   */
  readonly listCellEvents: ClientCall<'listCellEvents'>;
  /**
   * Advances the clock until an object is somewhere or the limit passes.
   *
   * `POST /sim/v1/cell/until`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), not_supported (501), wrong_state (400).
   */
  readonly runUntilObject: ClientCall<'runUntilObject'>;
  /**
   * Saves a new workflow definition.
   *
   * `POST /workflow/v1/workflows`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), storage_used_up
   * (507), share_used_up (429), idempotency_key_used (400).
   */
  readonly createWorkflow: ClientCall<'createWorkflow'>;
  /**
   * Lists the caller's workflows.
   *
   * `GET /workflow/v1/workflows`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listWorkflows: ClientCall<'listWorkflows'>;
  /**
   * Validates a definition without saving it.
   *
   * `POST /workflow/v1/workflows/validate`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429).
   */
  readonly validateWorkflow: ClientCall<'validateWorkflow'>;
  /**
   * Returns a workflow definition as it was sent, with the tasks that its templates make; numbers
   * have the precision of a double.
   *
   * `GET /workflow/v1/workflows/{workflow_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getWorkflow: ClientCall<'getWorkflow'>;
  /**
   * Replaces a workflow definition.
   *
   * `PUT /workflow/v1/workflows/{workflow_id}`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), storage_used_up (507), share_used_up (429), not_found (404).
   */
  readonly updateWorkflow: ClientCall<'updateWorkflow'>;
  /**
   * Deletes a workflow; its runs remain.
   *
   * `DELETE /workflow/v1/workflows/{workflow_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly deleteWorkflow: ClientCall<'deleteWorkflow'>;
  /**
   * Creates a workcell with an empty deck.
   *
   * `POST /workflow/v1/workcells`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), storage_used_up
   * (507), share_used_up (429), idempotency_key_used (400).
   */
  readonly createWorkcell: ClientCall<'createWorkcell'>;
  /**
   * Lists the caller's workcells.
   *
   * `GET /workflow/v1/workcells`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listWorkcells: ClientCall<'listWorkcells'>;
  /**
   * Returns the instruments and move times of a workcell.
   *
   * `GET /workflow/v1/workcells/{workcell_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getWorkcell: ClientCall<'getWorkcell'>;
  /**
   * Replaces the instruments and move times of a workcell; its deck stays.
   *
   * `PUT /workflow/v1/workcells/{workcell_id}`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), storage_used_up (507), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly updateWorkcell: ClientCall<'updateWorkcell'>;
  /**
   * Deletes a workcell and its deck.
   *
   * `DELETE /workflow/v1/workcells/{workcell_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly deleteWorkcell: ClientCall<'deleteWorkcell'>;
  /**
   * Returns where each piece of labware stands and what the gripper holds.
   *
   * `GET /workflow/v1/workcells/{workcell_id}/deck`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getDeck: ClientCall<'getDeck'>;
  /**
   * Corrects the deck, except for the labware of active runs.
   *
   * `PUT /workflow/v1/workcells/{workcell_id}/deck`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly setDeck: ClientCall<'setDeck'>;
  /**
   * Plans a workflow without running it.
   *
   * `POST /workflow/v1/workflows/{workflow_id}/plan`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * invalid_arguments (400), share_used_up (429), not_found (404).
   */
  readonly planWorkflow: ClientCall<'planWorkflow'>;
  /**
   * Executes a plan many times with scattered durations: how often each limit holds.
   *
   * `GET /workflow/v1/workflows/{workflow_id}/robustness`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * invalid_arguments (400), share_used_up (429), not_found (404).
   */
  readonly getRobustness: ClientCall<'getRobustness'>;
  /**
   * Plans a workflow and starts a run of it.
   *
   * `POST /workflow/v1/workflows/{workflow_id}/runs`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), storage_used_up (507), share_used_up (429), not_found (404), lock_held_by_other (403),
   * not_supported (501), wrong_state (400), idempotency_key_used (400).
   */
  readonly startRun: ClientCall<'startRun'>;
  /**
   * Lists the caller's runs.
   *
   * `GET /workflow/v1/runs`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly listRuns: ClientCall<'listRuns'>;
  /**
   * Returns a run: tasks, labware, plan, and what each task waits for.
   *
   * `GET /workflow/v1/runs/{run_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getRun: ClientCall<'getRun'>;
  /**
   * Pauses a run after its current operations, or immediately.
   *
   * `POST /workflow/v1/runs/{run_id}/pause`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly pauseRun: ClientCall<'pauseRun'>;
  /**
   * Resumes a paused run with a new plan, or withdraws a pause that has not begun.
   *
   * `POST /workflow/v1/runs/{run_id}/resume`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly resumeRun: ClientCall<'resumeRun'>;
  /**
   * Stops a run permanently: admins any run.
   *
   * `POST /workflow/v1/runs/{run_id}/stop`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly stopRun: ClientCall<'stopRun'>;
  /**
   * Replans the tasks that have not started.
   *
   * `POST /workflow/v1/runs/{run_id}/replan`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly replanRun: ClientCall<'replanRun'>;
  /**
   * Retries a failed task of a paused run.
   *
   * `POST /workflow/v1/runs/{run_id}/retry`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly retryTask: ClientCall<'retryTask'>;
  /**
   * Skips a failed task of a paused run.
   *
   * `POST /workflow/v1/runs/{run_id}/skip`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly skipTask: ClientCall<'skipTask'>;
  /**
   * Ends a failed task, or one that asks for a person, as done by the operator; takes what a
   * waiting task lacks for refilled.
   *
   * `POST /workflow/v1/runs/{run_id}/complete_manually`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly completeTask: ClientCall<'completeTask'>;
  /**
   * Plans each choice for a failed task, from the live state, without making it.
   *
   * `POST /workflow/v1/runs/{run_id}/what_if`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly whatIf: ClientCall<'whatIf'>;
  /**
   * Gives up the tasks of one piece of labware and what depends on them.
   *
   * `POST /workflow/v1/runs/{run_id}/abort_labware`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly abortLabware: ClientCall<'abortLabware'>;
  /**
   * Holds one piece of labware: nothing begins with it, nor with what depends on it.
   *
   * `POST /workflow/v1/runs/{run_id}/hold_labware`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly holdLabware: ClientCall<'holdLabware'>;
  /**
   * Ends the hold of a piece of labware.
   *
   * `POST /workflow/v1/runs/{run_id}/release_labware`.
   * Refused with unknown_path (404), wrong_content_type (415), not_authenticated (401),
   * malformed_authorization (401), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly releaseLabware: ClientCall<'releaseLabware'>;
  /**
   * Lists the events of a run that can trigger a hook, in order, page by page.
   *
   * `GET /workflow/v1/runs/{run_id}/events`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * invalid_arguments (400), share_used_up (429), not_found (404).
   */
  readonly listRunEvents: ClientCall<'listRunEvents'>;
  /**
   * Returns the plan that a run follows, with the slack of each operation.
   *
   * `GET /workflow/v1/runs/{run_id}/plan`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), wrong_state (400).
   */
  readonly getRunPlan: ClientCall<'getRunPlan'>;
  /**
   * Returns every task and move of a run as first planned and as it happened.
   *
   * `GET /workflow/v1/runs/{run_id}/report`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getRunReport: ClientCall<'getRunReport'>;
  /**
   * Returns the report of a run as CSV (RFC 4180).
   *
   * `GET /workflow/v1/runs/{run_id}/report.csv`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getRunReportCsv: ClientCall<'getRunReportCsv'>;
  /**
   * Lists the runs of a user: admins those of any user.
   *
   * `GET /workflow/v1/users/{user_id}/runs`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), share_used_up (429), not_found (404).
   */
  readonly listRunsOfUser: ClientCall<'listRunsOfUser'>;
  /**
   * Takes a simulated instrument offline in all workcells, or online again.
   *
   * `PUT /sim/v1/instruments`. Needs an admin.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), role_too_low (403), body_too_large (413), malformed_body (400), invalid_arguments
   * (400), share_used_up (429).
   */
  readonly setInstrument: ClientCall<'setInstrument'>;
  /**
   * Lists webhook deliveries with every attempt, newest first, page by page.
   *
   * `GET /workflow/v1/webhooks/deliveries`.
   * Refused with not_authenticated (401), malformed_authorization (401), invalid_arguments (400),
   * share_used_up (429).
   */
  readonly listDeliveries: ClientCall<'listDeliveries'>;
  /**
   * Lists the deliveries of a user without their bodies: admins those of any user.
   *
   * `GET /workflow/v1/users/{user_id}/deliveries`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * role_too_low (403), invalid_arguments (400), share_used_up (429), not_found (404).
   */
  readonly listDeliveriesOfUser: ClientCall<'listDeliveriesOfUser'>;
  /**
   * Returns a delivery with every attempt.
   *
   * `GET /workflow/v1/webhooks/deliveries/{delivery_id}`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404).
   */
  readonly getDelivery: ClientCall<'getDelivery'>;
  /**
   * Sends a delivery again under the same id.
   *
   * `POST /workflow/v1/webhooks/deliveries/{delivery_id}/redeliver`.
   * Refused with unknown_path (404), not_authenticated (401), malformed_authorization (401),
   * share_used_up (429), not_found (404), not_supported (501), wrong_state (400).
   */
  readonly redeliver: ClientCall<'redeliver'>;
  /**
   * Sends all deliveries of a state again, of one run or hook if given, in their order.
   *
   * `POST /workflow/v1/webhooks/deliveries/redeliver`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), share_used_up
   * (429), not_supported (501).
   */
  readonly redeliverAll: ClientCall<'redeliverAll'>;
  /**
   * Sends a sample body to an address.
   *
   * `POST /workflow/v1/webhooks/test`.
   * Refused with wrong_content_type (415), not_authenticated (401), malformed_authorization
   * (401), body_too_large (413), malformed_body (400), invalid_arguments (400), storage_used_up
   * (507), share_used_up (429), not_supported (501), idempotency_key_used (400).
   */
  readonly testHook: ClientCall<'testHook'>;
  /**
   * Returns the secret that signs the caller's deliveries.
   *
   * `GET /workflow/v1/webhooks/secret`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429).
   */
  readonly getSecret: ClientCall<'getSecret'>;
  /**
   * Creates a new secret; every former one stays valid for a day.
   *
   * `POST /workflow/v1/webhooks/rotate`.
   * Refused with not_authenticated (401), malformed_authorization (401), share_used_up (429),
   * wrong_state (400).
   */
  readonly rotateSecret: ClientCall<'rotateSecret'>;
}
