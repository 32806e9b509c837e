/**
 * Feeds the build worker: one build at a time, and of those that wait only the newest, so that an
 * edit on every key press costs no more builds than the worker can do. Knows nothing of the page.
 */
import type { BuildAnswer, BuildRequest } from './build-messages.ts';
import type { Choices } from './way.ts';

/** A toolpath to build: as it was opened, or as an edit of the one that is open. */
export interface Build {
  readonly text: string;
  readonly edited: boolean;
}

export interface BuildQueue {
  /** Has a toolpath built, after the one that is being built and instead of any that waits. */
  build(build: Build): void;
  /** Asks for another way through the toolpath that was built last. */
  choose(choices: Choices): void;
  /** To be called with everything the worker says. */
  hear(answer: BuildAnswer): void;
}

/** A queue before a worker; `take` is told of each answer that is not overtaken. */
export function createBuildQueue(
  ask: (request: BuildRequest) => void,
  take: (answer: BuildAnswer, edited: boolean) => void,
): BuildQueue {
  let running: Build | null = null;
  let waiting: Build | null = null;
  function start(build: Build): void {
    running = build;
    ask({ kind: 'open', text: build.text });
  }
  return {
    build(next) {
      if (running) waiting = next;
      else start(next);
    },
    choose(choices) {
      if (!running) ask({ kind: 'choose', choices });
    },
    hear(answer) {
      if (answer.kind === 'way') {
        if (!running) take(answer, false);
        return;
      }
      const edited = running?.edited ?? false;
      const next = waiting;
      running = null;
      waiting = null;
      if (next) start(next);
      else take(answer, edited);
    },
  };
}
