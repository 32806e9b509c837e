/**
 * The worker that checks and builds toolpaths, so that the page stays responsive. It keeps the open
 * toolpath, because each choice of branches requests another path through it.
 */
import { keepJointRange } from '../../physics/arm/arm-range.ts';
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

self.addEventListener('message', (event: MessageEvent<BuildRequest | RemedyRequest>) => {
  if (event.data.kind !== 'choose') keepJointRange(event.data.jointRange ?? null);
  if (event.data.kind === 'remedy') {
    const { text, finding, profile = null } = event.data;
    self.postMessage(remediesFor(text, finding, profile));
    return;
  }
  const reply = replyTo(event.data);
  if (!reply) return;
  const transfer = reply.kind === 'refused' ? [] : buffersOf(reply.path.samples);
  self.postMessage(reply, { transfer: transfer as ArrayBuffer[] });
});
