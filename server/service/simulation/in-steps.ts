import { StorageError, saveError } from '../../store/storage-error.ts';

/** The result of work in several transactions: when one fails, earlier ones have happened. */
export async function inSteps<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageError ? saveError('', error, true) : error;
  }
}
