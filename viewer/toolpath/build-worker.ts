/** The worker that checks and builds toolpaths, so that the page stays responsive. */
import type { Action, Joints } from '../../contract/types.generated.ts';
import type { BuildRequest, RemedyRequest } from './build-messages.ts';
import { createBuildReplies } from './build-replies.ts';
import { openToolpath } from './open-toolpath.ts';
import { remediesFor } from './remedies.ts';
import type { PathSamples } from './timed-path.ts';
import { emptyToolpath } from './toolpath-edit.ts';

function buffersOf({
  times_s,
  joints,
  velocities,
  tips,
  speeds,
  segmentIndex: segments,
}: PathSamples): ArrayBufferLike[] {
  return [times_s, joints, velocities, tips, speeds, segments].map(({ buffer }) => buffer);
}

const replyTo = createBuildReplies();

/**
 * The browser compiles the planner while it runs: built in idle time, this toolpath makes the first
 * one of the user open sooner.
 */
const WARM_UP_MS = 400;
const WARM_UP_WAYPOINTS = 100;

function warmUp(): void {
  const waypoints = Array.from({ length: WARM_UP_WAYPOINTS }, (_, i) => ({
    label_id: i + 1,
    joints: [0.9 * Math.sin(i), 0.4, -1.7, 0, -1.1, Math.cos(i)] as Joints,
  }));
  const timeline = waypoints.map((_, waypoint_id): Action => {
    if (waypoint_id === 0) return { type: 'home', waypoint_id };
    return { type: 'trajectory', trajectory: 'joint_space', waypoint_id, time: 2 };
  });
  const outcome = openToolpath(JSON.stringify({ ...emptyToolpath(), waypoints, timeline }));
  if (outcome.ok) outcome.value.preview.path({});
}

const warmingUp = setTimeout(warmUp, WARM_UP_MS);

self.addEventListener('message', (event: MessageEvent<BuildRequest | RemedyRequest>) => {
  clearTimeout(warmingUp);
  if (event.data.kind === 'remedy') {
    const { text, finding } = event.data;
    self.postMessage(remediesFor(text, finding, event.data));
    return;
  }
  const reply = replyTo(event.data);
  if (!reply) return;
  const transfer = reply.kind === 'refused' ? [] : buffersOf(reply.path.samples);
  self.postMessage(reply, { transfer: transfer as ArrayBuffer[] });
});
