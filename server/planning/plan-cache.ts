/**
 * Answers of the planner by the hash of their toolpath, the ones used last kept, up to a number of
 * bytes. Calls for an answer that is still being planned share it.
 */
interface Entry<Value> {
  readonly answer: Promise<Value>;
  bytes: number;
}

export class PlanCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly limit_bytes: number;
  private readonly sizeOf: (value: Value) => number | null;
  private used_bytes = 0;

  /** `sizeOf` tells how many bytes a value takes, or null for one that is not to be kept. */
  constructor(limit_bytes: number, sizeOf: (value: Value) => number | null) {
    this.limit_bytes = limit_bytes;
    this.sizeOf = sizeOf;
  }

  /** The answer for `key`, planned by `plan` unless it is known; failures are not kept. */
  get(key: string, plan: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.answer;
    }
    const entry: Entry<Value> = { answer: plan(), bytes: 0 };
    this.entries.set(key, entry);
    entry.answer.then(
      (value) => this.weigh(key, entry, this.sizeOf(value)),
      () => this.forget(key, entry),
    );
    return entry.answer;
  }

  /** Bytes of all answers that are kept. */
  get bytes(): number {
    return this.used_bytes;
  }

  private forget(key: string, entry: Entry<Value>): void {
    if (this.entries.get(key) !== entry) return;
    this.entries.delete(key);
    this.used_bytes -= entry.bytes;
  }

  private weigh(key: string, entry: Entry<Value>, bytes: number | null): void {
    if (this.entries.get(key) !== entry) return;
    if (bytes === null) {
      this.forget(key, entry);
      return;
    }
    entry.bytes = bytes;
    this.used_bytes += bytes;
    for (const [oldKey, old] of this.entries) {
      if (this.used_bytes <= this.limit_bytes) return;
      this.forget(oldKey, old);
    }
  }
}
