/** Whether the memory that this process may use is nearly used up. */
import { totalmem } from 'node:os';
import { limits } from '../../contract/limits.ts';

/** The memory of the container, or of the machine where none limits it (bytes). */
function available_bytes(): number {
  const constrained_bytes = process.constrainedMemory();
  return constrained_bytes > 0 ? Math.min(constrained_bytes, totalmem()) : totalmem();
}

/** True above the high-water mark of limits.ts. */
export function isMemoryShort(): boolean {
  return process.memoryUsage.rss() > limits.memory_high_water * available_bytes();
}
