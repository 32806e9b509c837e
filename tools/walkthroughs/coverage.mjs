/**
 * Traces which source files of this process run: V8 precise coverage in the main thread and in
 * every worker thread that starts after `start`. Counts are reset by `reset`.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ url: string, functions: { ranges: { count: number }[] }[] }} ScriptCoverage
 * @typedef {{ method: string, params?: object }} Message
 */

const START = { callCount: true, detailed: false };

/** Where the compiled sources are, each in a file of its own, unlike in the build. */
export const COMPILED = 'node_modules/.cache/walkthroughs';

/**
 * The source file of a compiled script, or null when it is not one of the product.
 * @param {string} url
 * @param {string} root
 */
function sourceOf(url, root) {
  if (!url.startsWith('file:')) return null;
  const path = relative(`${root}/${COMPILED}`, fileURLToPath(url));
  return path.startsWith('..') || !path.endsWith('.js') ? null : path.replace(/\.js$/, '.ts');
}

/**
 * The files in which a function ran.
 * @param {ScriptCoverage[]} scripts
 * @param {(url: string) => string | null} fileOf
 */
export function filesRun(scripts, fileOf) {
  const ran = scripts.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  return ran.flatMap(({ url }) => fileOf(url) ?? []);
}

/** The worker threads of this process, as far as they take commands. @param {Session} session */
function workerThreads(session) {
  /** @type {Set<string>} */
  const attached = new Set();
  let last = 0;
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  const send = (/** @type {string} */ sessionId, /** @type {Message} */ message) => {
    const id = ++last;
    const text = JSON.stringify({ id, ...message });
    const reply = new Promise((resolve) => waiting.set(id, resolve));
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: text });
    return reply;
  };
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    attached.add(sessionId);
    send(sessionId, { method: 'Profiler.enable' });
    send(sessionId, { method: 'Profiler.startPreciseCoverage', params: START });
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }) => attached.delete(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const take = (/** @type {string} */ sessionId) =>
    send(sessionId, { method: 'Profiler.takePreciseCoverage' });
  return { takeAll: () => Promise.all([...attached].map(take)) };
}

/** Starts tracing; call it before the product is imported. @param {string} root */
export async function traceProcess(root) {
  const session = new Session();
  session.connect();
  const workers = workerThreads(session);
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', START);
  /** The files that ran since the last call, in all threads. */
  const take = async () => {
    const [own, others] = await Promise.all([
      session.post('Profiler.takePreciseCoverage'),
      workers.takeAll(),
    ]);
    const scripts = [own, ...others].flatMap(({ result }) => result);
    return new Set(filesRun(scripts, (url) => sourceOf(url, root)));
  };
  return { take, close: () => session.disconnect() };
}
