/** Raw TCP and wall time for rules, which the runner gets from its host program. */

/** A raw TCP connection. */
export interface RawConnection {
  send(text: string): void;
  /** All text received so far. */
  received(): string;
  isOpen(): boolean;
  close(): void;
}

/** Raw TCP and wall time, which the runner gets from its host program. */
export interface RawTcp {
  /** Opens a TCP connection to the host of a URL. */
  dial(url: string): RawConnection;
  /** Lets wall time pass. */
  wait(duration_s: number): Promise<void>;
}
