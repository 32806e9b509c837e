/** A robot description that cannot be used as an arm: a sentence for each reason. */
export class UrdfError extends Error {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
