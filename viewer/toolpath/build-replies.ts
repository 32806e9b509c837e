/** What the build worker answers. */
import type { BuildReply, BuildRequest } from './build-messages.ts';
import { openToolpath } from './open-toolpath.ts';
import type { Preview } from './preview.ts';
import { withLines } from './problem-lines.ts';

/**
 * Checks and builds one toolpath after another. The open one is kept, because each choice of branches
 * requests another path through it; null answers a choice while none is open.
 */
export function createBuildReplies(): (request: BuildRequest) => BuildReply | null {
  let open: Preview | null = null;
  return (request) => {
    if (request.kind === 'choose') {
      return open && { kind: 'path', path: open.path(request.choices) };
    }
    const since_ms = performance.now();
    const outcome = openToolpath(request.text, request);
    open = outcome.ok ? outcome.value.preview : null;
    if (!outcome.ok) return { kind: 'refused', problems: withLines(request.text, outcome.error) };
    const { toolpath, notes, preview } = outcome.value;
    const { findings, checkedAgainst } = preview;
    const path = preview.path(findings[0]?.choices ?? {});
    const took_ms = performance.now() - since_ms;
    return { kind: 'opened', toolpath, notes, findings, checkedAgainst, path, took_ms };
  };
}
