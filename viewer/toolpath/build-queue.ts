/**
 * Queue in front of the build worker. One build runs at a time; of the waiting ones only the
 * newest is kept, so that an edit on every key press costs no more builds than the worker can do.
 */

import type { BuildReply, BuildRequest } from './build-messages.ts';
import type { BranchChoices } from './timed-path.ts';

/** A toolpath to build: newly opened, or an edit of the open one. */
export interface Build {
  readonly text: string;
  readonly edited: boolean;
}

export interface BuildQueue {
  /** Builds a toolpath after the running build; replaces any waiting one. */
  build(build: Build): void;
  /** Requests another path through the toolpath; after the running build of an edit. */
  choose(choices: BranchChoices): void;
  /** Builds again what is being built; false when nothing is. */
  repeat(): boolean;
  /** Forgets what is being built: another toolpath, or none, is shown. */
  forget(): void;
  /** Must be called with every reply of the worker. */
  handleReply(reply: BuildReply): void;
}

/** Creates a queue for a worker; calls `onReply` with each reply that is not outdated. */
export function createBuildQueue(
  ask: (request: BuildRequest) => void,
  onReply: (reply: BuildReply, edited: boolean) => void,
): BuildQueue {
  let running: Build | null = null;
  let waiting: Build | null = null;
  let chosen: BranchChoices | null = null;
  let isForgotten = false;
  function start(build: Build): void {
    [running, isForgotten] = [build, false];
    ask({ kind: 'open', text: build.text });
  }
  return {
    build(next) {
      chosen = null;
      if (running) waiting = next;
      else start(next);
    },
    choose(choices) {
      if (running) chosen = choices;
      else ask({ kind: 'choose', choices });
    },
    repeat() {
      if (!running || (isForgotten && !waiting)) return false;
      waiting ??= running;
      return true;
    },
    forget() {
      [waiting, chosen, isForgotten] = [null, null, true];
    },
    handleReply(reply) {
      if (reply.kind === 'path') {
        if (!running && !isForgotten) onReply(reply, false);
        return;
      }
      const edited = running?.edited ?? false;
      const [next, choices] = [waiting, chosen];
      [running, waiting, chosen] = [null, null, null];
      if (next) {
        start(next);
        return;
      }
      if (isForgotten) return;
      onReply(reply, edited);
      if (choices && reply.kind === 'opened') ask({ kind: 'choose', choices });
    },
  };
}
