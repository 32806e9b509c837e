/**
 * A vitest plugin that keeps the thread of a project without isolation between runs: its modules
 * stay loaded, so that a mutant costs only its tests. vitest starts a thread per run otherwise.
 */
import { Worker } from 'node:worker_threads';

/** Runs of one thread: what a broken mutant leaves behind ends with it. */
const RUNS = 100;

/** Channel on which the tests in the thread report the file that noticed a mutant. */
export const NOTICED = 'armtwin-noticed-mutants';

/** @typedef {(value: any) => void} Listener */

/** @type {{ thread: Worker, runs: number } | null} */
let kept = null;

/** The thread as the pool of vitest takes it. It does not stop when the pool stops it. */
class KeptThread {
  name = 'kept';
  /** @type {[string, Listener][]} */
  listeners = [];
  hasStopped = false;

  /** @param {{ distPath: string, env: NodeJS.ProcessEnv, execArgv: string[] }} options */
  constructor(options) {
    this.options = options;
  }

  start() {
    const { distPath, env, execArgv } = this.options;
    if (kept === null) {
      const options = { env, execArgv, stdout: true, stderr: true };
      const thread = new Worker(`${distPath}/workers/threads.js`, options);
      thread.unref();
      thread.stdout.resume();
      thread.stderr.resume();
      kept = { thread, runs: 0 };
    }
    kept.runs += 1;
    this.thread = kept.thread;
    this.thread.setMaxListeners(0);
  }

  /** @param {any} message */
  send(message) {
    if (message.type !== 'stop') return this.thread?.postMessage(message);
    this.hasStopped = true;
    const answer = { type: 'stopped', __vitest_worker_response__: true };
    queueMicrotask(() => {
      for (const [event, listener] of this.listeners) if (event === 'message') listener(answer);
    });
  }

  /** Ends the thread after a run that had to be ended by force, and from time to time. */
  async stop() {
    for (const [event, listener] of this.listeners) this.thread?.off(event, listener);
    if (this.hasStopped && kept !== null && kept.runs < RUNS) return;
    kept = null;
    await this.thread?.terminate();
  }

  /** @param {string} event @param {Listener} listener */
  on(event, listener) {
    this.listeners.push([event, listener]);
    this.thread?.on(event, listener);
  }

  /** @param {string} event @param {Listener} listener */
  off(event, listener) {
    this.listeners = this.listeners.filter((one) => one[0] !== event || one[1] !== listener);
    this.thread?.off(event, listener);
  }

  /** @param {unknown} data */
  deserialize(data) {
    return data;
  }
}

export const keptThread = {
  name: 'kept-thread',
  /** @param {{ project: { config: Record<string, unknown> } }} hook */
  configureVitest({ project }) {
    project.config['pool'] = 'kept';
    project.config['poolRunner'] = {
      name: 'kept',
      createPoolWorker: (/** @type {ConstructorParameters<typeof KeptThread>[0]} */ options) =>
        new KeptThread(options),
    };
  },
};
