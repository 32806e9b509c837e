/** What a callback on twin time threw (`cause`), for those who wait for the clock. */
export class CallbackError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'CallbackError';
  }
}
