/** The line of the servos: whether its answers are those to the latest questions. */
export interface ServoLine {
  readonly name: string;
  /** Answers so far that were missing, unexpected or corrupt. */
  readonly disturbances: number;
  /** Answers so far to no question, which are late or doubled. */
  readonly counts: { readonly unexpected: number };
  /** Waits until no answer comes unasked; false when the line does not come to that. */
  settle(): Promise<boolean>;
}

/** What is wrong with a line that gave so many wrong answers, and the remedy. */
export function lineTrouble({ name }: ServoLine, count: number): string {
  const what = `${count} answers came late, doubled or spoiled on ${name}`;
  return `${what}: check its cables, adapter and gateway before the arm gets torque`;
}
