/** Prints the memory of V8's young generation in the main thread on stderr at SIGUSR2 (bytes). */
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const spaces = getHeapSpaceStatistics();
    const { space_size } = spaces.find(({ space_name }) => space_name === 'new_space');
    process.stderr.write(`young generation ${space_size} bytes\n`);
  });
}
