/**
 * The worker that checks and builds toolpaths for the page, so that the page stays responsive.
 * Keeps the one that is open, since each choice of branches asks for another way through it.
 */
import type { BuildAnswer, BuildRequest } from './build-messages.ts';
import { openToolpath } from './open-toolpath.ts';
import type { Preview } from './preview.ts';
import type { Track } from './way.ts';

let open: Preview | null = null;

function buffersOf({
  times_s,
  joints,
  velocities,
  tips,
  speeds,
  stretches,
}: Track): ArrayBufferLike[] {
  return [times_s, joints, velocities, tips, speeds, stretches].map(({ buffer }) => buffer);
}

function answerTo(request: BuildRequest): BuildAnswer | null {
  if (request.kind === 'choose') {
    return open && { kind: 'way', way: open.way(request.choices) };
  }
  const since_ms = performance.now();
  const outcome = openToolpath(request.text);
  open = outcome.ok ? outcome.value.preview : null;
  if (!outcome.ok) return { kind: 'refused', problems: outcome.error };
  const { toolpath, notes, preview } = outcome.value;
  const { findings } = preview;
  const way = preview.way(findings[0]?.choices ?? {});
  const took_ms = performance.now() - since_ms;
  return { kind: 'opened', toolpath, notes, findings, way, took_ms };
}

self.addEventListener('message', (event: MessageEvent<BuildRequest>) => {
  const answer = answerTo(event.data);
  if (!answer) return;
  const transfer = answer.kind === 'refused' ? [] : buffersOf(answer.way.track);
  self.postMessage(answer, { transfer: transfer as ArrayBuffer[] });
});
