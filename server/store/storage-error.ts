/** The error of data that could not be read or written, and what it says of the data folder. */

interface StorageErrorOptions extends ErrorOptions {
  /** The change may be found after a restart: what was written could not be removed. */
  readonly isUncertain?: boolean;
  /** What is wrong with the data folder, in a sentence that names no path. */
  readonly fault?: string;
}

/** Stored data could not be read or written; the message names the file. */
export class StorageError extends Error {
  readonly isUncertain: boolean;
  readonly fault: string | null;

  constructor(
    message: string,
    { isUncertain = false, fault, ...options }: StorageErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'StorageError';
    this.fault = fault ?? null;
    this.isUncertain = isUncertain;
  }
}

export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** The error of a file that could not be saved: its name and the reason. */
export function saveError(path: string, error: unknown, isUncertain = false): StorageError {
  if (error instanceof StorageError) {
    return isUncertain ? new StorageError(error.message, { cause: error, isUncertain }) : error;
  }
  const code = errorCode(error) ?? String(error);
  const reason = code === 'ENOSPC' ? `${code}, no space is left on the disk` : code;
  const text = `${path} could not be saved: ${reason}`;
  return new StorageError(text, { cause: error, isUncertain });
}

/** Why a save failed, in a sentence that names no path. */
export function faultOf(error: unknown): string {
  const cause = error instanceof StorageError ? (error.cause ?? error) : error;
  if (cause instanceof StorageError && cause !== error) return faultOf(cause);
  if (cause instanceof StorageError && cause.fault !== null) return cause.fault;
  const code = errorCode(cause) ?? '';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return 'the disk of the data folder is full';
  if (['EROFS', 'EACCES', 'EPERM'].includes(code)) return 'the data folder is read-only';
  return 'the data folder fails';
}
