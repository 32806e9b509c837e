/** How a signal ends `verify`: the run cleans up on the service, within a few seconds. */
import { constants } from 'node:os';
import { systemClock } from '../../clock/wall-clock.ts';

/** Calls that are under way this long after a signal are given up (ms). */
const CALLS_MS = 2000;
/** Within this time after a signal the command ends (ms). */
const END_MS = 8000;

/** The exit code for a signal, which is the reason of the abort, as a shell has it. */
export function stopCode({ reason }: AbortSignal): number {
  const number = constants.signals[String(reason) as NodeJS.Signals] ?? constants.signals.SIGTERM;
  return 128 + number;
}

/** Calls back after a delay from the abort on. */
function afterAbort(signal: AbortSignal, delay_ms: number, task: () => void): void {
  const start = () => void systemClock.afterUnreferenced(delay_ms, task);
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
}

/** Gives up the calls under way some time after the signal; those of the clean-up come later. */
export function stoppableFetch(send: typeof fetch, signal: AbortSignal): typeof fetch {
  let underWay = new AbortController();
  afterAbort(signal, CALLS_MS, () => {
    const old = underWay;
    underWay = new AbortController();
    old.abort();
  });
  return (input, init) => send(input, { ...init, signal: underWay.signal });
}

/** The work, which a signal gives only some seconds for its clean-up. */
export function endsSoon<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    afterAbort(signal, END_MS, () => {
      reject(new Error('its users rules-… and the lock may be left on the service; check both'));
    });
  });
}
