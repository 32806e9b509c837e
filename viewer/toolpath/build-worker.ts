/**
 * The worker that checks and builds toolpaths, so that the page stays responsive. It keeps the open
 * toolpath, because each choice of branches requests another path through it.
 */
import { emptyToolpath } from '../teach/toolpath-edit.ts';
import type { BuildReply, BuildRequest, RemedyRequest } from './build-queue.ts';
import type { Preview } from './preview.ts';
import { openToolpath } from './preview.ts';
import { remediesFor } from './remedies.ts';
import type { PathSamples } from './timed-path.ts';

let open: Preview | null = null;

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

function replyTo(request: BuildRequest): BuildReply | null {
  if (request.kind === 'choose') {
    return open && { kind: 'path', path: open.path(request.choices) };
  }
  const since_ms = performance.now();
  const outcome = openToolpath(request.text, request.profile);
  open = outcome.ok ? outcome.value.preview : null;
  if (!outcome.ok) return { kind: 'refused', problems: outcome.error };
  const { toolpath, notes, preview } = outcome.value;
  const { findings } = preview;
  const path = preview.path(findings[0]?.choices ?? {});
  const took_ms = performance.now() - since_ms;
  return { kind: 'opened', toolpath, notes, findings, path, took_ms };
}

/** Builds before the first request, and the waypoints of each. */
const PRACTICE_BUILDS = 8;
const PRACTICE_WAYPOINTS = 10;

/** A small toolpath back and forth, with straight moves. */
function practiceText(): string {
  const waypoints = Array.from({ length: PRACTICE_WAYPOINTS }, (_, i) => ({
    label_id: i + 1,
    joints: [0.3 * Math.sin(i), 0.45 + 0.02 * i, -1.7, 0, -1.15 - 0.02 * i, 0],
  }));
  const moves = waypoints.slice(1).map((_, i) => ({
    type: 'trajectory',
    trajectory: i % 4 === 3 ? 'linear' : 'joint_space',
    waypoint_id: i + 1,
  }));
  const timeline = [{ type: 'home', waypoint_id: 0 }, ...moves];
  return JSON.stringify({ ...emptyToolpath(), waypoints, timeline });
}

let isAsked = false;

/** Builds until a request comes: the code that builds is fast only after it has run for a while. */
function practise(left: number): void {
  if (isAsked || left === 0) return;
  const built = openToolpath(practiceText());
  if (built.ok) built.value.preview.path({});
  setTimeout(() => practise(left - 1));
}

setTimeout(() => practise(PRACTICE_BUILDS));

self.addEventListener('message', (event: MessageEvent<BuildRequest | RemedyRequest>) => {
  isAsked = true;
  if (event.data.kind === 'remedy') {
    const { text, finding, profile } = event.data;
    self.postMessage(remediesFor(text, finding, profile));
    return;
  }
  const reply = replyTo(event.data);
  if (!reply) return;
  const transfer = reply.kind === 'refused' ? [] : buffersOf(reply.path.samples);
  self.postMessage(reply, { transfer: transfer as ArrayBuffer[] });
});
