/**
 * LRU cache of planning results, keyed by the hash of the toolpath and limited in bytes. Concurrent
 * calls for the same key share one planning task.
 */
interface Entry<Value> {
  readonly result: Promise<Value>;
  bytes: number;
}

export class PlanCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly limit_bytes: number;
  private readonly sizeOf: (value: Value) => number | null;
  private used_bytes = 0;

  /** `sizeOf` returns the bytes of a value, or null for a value that is not cached. */
  constructor(limit_bytes: number, sizeOf: (value: Value) => number | null) {
    this.limit_bytes = limit_bytes;
    this.sizeOf = sizeOf;
  }

  /** The result for `key`, planned by `plan` unless cached. Rejections are not cached. */
  get(key: string, plan: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.result;
    }
    const entry: Entry<Value> = { result: plan(), bytes: 0 };
    this.entries.set(key, entry);
    entry.result.then(
      (value) => this.account(key, entry, this.sizeOf(value)),
      () => this.evict(key, entry),
    );
    return entry.result;
  }

  /** Whether the result for `key` is cached or being planned. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Bytes of all cached results. */
  get bytes(): number {
    return this.used_bytes;
  }

  private evict(key: string, entry: Entry<Value>): void {
    if (this.entries.get(key) !== entry) return;
    this.entries.delete(key);
    this.used_bytes -= entry.bytes;
  }

  private account(key: string, entry: Entry<Value>, bytes: number | null): void {
    if (this.entries.get(key) !== entry) return;
    if (bytes === null) {
      this.evict(key, entry);
      return;
    }
    entry.bytes = bytes;
    this.used_bytes += bytes;
    for (const [oldKey, old] of this.entries) {
      if (this.used_bytes <= this.limit_bytes) return;
      this.evict(oldKey, old);
    }
  }
}
