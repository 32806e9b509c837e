/**
 * What a client started and what keeps a process alive: streams, renewals of locks, waits. It ends
 * with the client.
 */
export class Lifetime {
  private readonly enders = new Set<() => void>();
  private isOver = false;

  /** Throws once the client is closed. */
  requireOpen(): void {
    if (this.isOver) throw new Error('the client is closed; connect() creates another');
  }

  /** Calls back at the end; returns the function that withdraws this. */
  onEnd(ender: () => void): () => void {
    this.enders.add(ender);
    return () => this.enders.delete(ender);
  }

  /** Ends what was started; repeated calls do nothing. */
  end(): void {
    this.isOver = true;
    const enders = [...this.enders];
    this.enders.clear();
    for (const ender of enders) ender();
  }
}
