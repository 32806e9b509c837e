/** Thrown when a rule is broken; the message is the reason. */
export class RuleBroken extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RuleBroken';
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof RuleBroken) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
