/**
 * Queue in front of the build worker, and the messages between page and worker. One build runs at a
 * time; of the waiting ones only the newest is kept, so that an edit on every key press costs no
 * more builds than the worker can do. Also: checks of the toolpaths of a list.
 */

import type { Problem } from '../../contract/refusal.ts';
import type { ArmProfile, Toolpath, ToolpathHead } from '../../contract/types.ts';
import type { ArmRange } from '../../physics/arm/arm-model.ts';
import { isOpenEnded } from '../link/arm-store.ts';
import { startBuildWorker } from '../workers.ts';
import type { FindingReply } from './remedies.ts';
import type { BranchChoices, Finding, TimedPath } from './timed-path.ts';

/** The arm that a toolpath is built for; null, or none, for the model's. */
export interface BuiltArm {
  readonly profile?: ArmProfile | null;
  readonly jointRange?: ArmRange | null;
}

/**
 * `open` sends a toolpath as text, and the arm that it is built for; `choose` requests another path
 * through the open toolpath.
 */
export type BuildRequest =
  | ({ readonly kind: 'open'; readonly text: string } & BuiltArm)
  | { readonly kind: 'choose'; readonly choices: BranchChoices };

export interface OpenedToolpath {
  readonly kind: 'opened';
  /** In the latest format. */
  readonly toolpath: Toolpath;
  /** What the migration to the latest format may have changed. */
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
  readonly path: TimedPath;
  /** Duration of checking and building (ms). */
  readonly took_ms: number;
}

/** A request for what would remove a finding. */
export interface RemedyRequest extends BuiltArm {
  readonly kind: 'remedy';
  readonly text: string;
  readonly finding: Finding;
}

export type BuildReply =
  | OpenedToolpath
  | { readonly kind: 'path'; readonly path: TimedPath }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

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

/** Errors that have a depth and remedies. */
const COLLISIONS: ReadonlySet<string> = new Set([
  'object_collision',
  'plane_collision',
  'self_collision',
]);

export interface RemedySearch {
  /** Looks for remedies of a collision; a new search ends the one before. */
  find(wanted: Omit<RemedyRequest, 'kind'>, onFound: (reply: FindingReply) => void): void;
}

/** Searches in a worker of its own: each remedy is built, which takes a while. */
export function createRemedySearch(startWorker: () => Worker): RemedySearch {
  let running: Worker | null = null;
  return {
    find(wanted, onFound) {
      running?.terminate();
      running = null;
      if (!COLLISIONS.has(wanted.finding.code)) return;
      const worker = startWorker();
      running = worker;
      worker.addEventListener('message', ({ data }: MessageEvent<FindingReply>) => {
        worker.terminate();
        onFound(data);
      });
      worker.postMessage({ kind: 'remedy', ...wanted } satisfies RemedyRequest);
    },
  };
}

/** The path of a toolpath and its findings, from a worker that ends; null if it cannot be built. */
export function buildOnce(worker: Worker, toolpath: Toolpath): Promise<OpenedToolpath | null> {
  worker.postMessage({ kind: 'open', text: JSON.stringify(toolpath) } satisfies BuildRequest);
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<BuildReply>) => {
      worker.terminate();
      resolve(data.kind === 'opened' ? data : null);
    });
  });
}

/** What a check of a toolpath found. */
export interface ToolpathDetails {
  /** Without the branches, and with signals that are waited for at once (s). */
  readonly duration_s: number;
  /** Whether signals may lengthen it. */
  readonly isOpenEnded: boolean;
  readonly errors: number;
  readonly bytes: number;
}

const DETAILS_KEY = 'armtwin.toolpath-times';
/** As many details are kept between visits. */
const KEPT_MAX = 2000;

function readDetails(): [string, ToolpathDetails][] {
  try {
    return JSON.parse(localStorage.getItem(DETAILS_KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** Checks toolpaths one at a time in a worker; the newest wish first. */
export class DetailsReader {
  private readonly known = new Map(readDetails());
  private readonly read: (head: ToolpathHead) => Promise<string | null>;
  private readonly onKnown: () => void;
  private wishes: ToolpathHead[] = [];
  private worker: Worker | null = null;
  private isBusy = false;

  constructor(read: (head: ToolpathHead) => Promise<string | null>, onKnown: () => void) {
    this.read = read;
    this.onKnown = onKnown;
  }

  of = (hash: string): ToolpathDetails | undefined => this.known.get(hash);

  /** Finds out the details of these toolpaths, in place of what was wished before. */
  wish(heads: readonly ToolpathHead[]): void {
    this.wishes = heads.filter(({ hash }) => !this.known.has(hash));
    if (!this.isBusy) void this.work();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (let head = this.wishes.shift(); head; head = this.wishes.shift()) {
      const text = await this.read(head);
      if (text === null) break;
      this.keep(head.hash, await this.check(text));
    }
    this.isBusy = false;
  }

  private check(text: string): Promise<ToolpathDetails> {
    this.worker ??= startBuildWorker();
    const { worker } = this;
    return new Promise((resolve) => {
      const onReply = ({ data }: MessageEvent<BuildReply>): void => {
        const bytes = text.length;
        if (data.kind === 'refused') {
          resolve({ duration_s: 0, isOpenEnded: false, errors: data.problems.length, bytes });
        } else if (data.kind === 'opened') {
          const errors = data.findings.filter(({ kind }) => kind === 'error').length;
          resolve({
            duration_s: data.path.duration_s,
            isOpenEnded: isOpenEnded(data.toolpath),
            errors,
            bytes,
          });
        }
      };
      worker.addEventListener('message', onReply, { once: true });
      worker.postMessage({ kind: 'open', text } satisfies BuildRequest);
    });
  }

  private keep(hash: string, details: ToolpathDetails): void {
    this.known.set(hash, details);
    localStorage.setItem(DETAILS_KEY, JSON.stringify([...this.known].slice(-KEPT_MAX)));
    this.onKnown();
  }
}
