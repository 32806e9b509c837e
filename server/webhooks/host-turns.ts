/** The turns of the hosts that one owner's deliveries go to, each with a bounded number of calls. */
import { limits } from '../../contract/limits.ts';

/** What waits to be sent to a host. */
interface ToHost {
  readonly host: string;
}

export class HostTurns<Lane extends ToHost> {
  /** Lanes with a delivery to send now, by host. */
  private readonly ready = new Map<string, Set<Lane>>();
  /** Hosts with ready lanes and a free call, in the order of their turns. */
  private readonly open = new Set<string>();
  private readonly inFlight = new Map<string, number>();

  /** Whether nothing is ready or in flight. */
  get isEmpty(): boolean {
    return this.ready.size === 0 && this.inFlight.size === 0;
  }

  /** A lane has something to send. */
  add(lane: Lane): this {
    const lanes = this.ready.get(lane.host);
    if (lanes) lanes.add(lane);
    else this.ready.set(lane.host, new Set([lane]));
    this.update(lane.host);
    return this;
  }

  /** The lane whose turn it is, with a call in flight from now on; null if none may be sent. */
  take(): Lane | null {
    const [host] = this.open;
    if (host === undefined) return null;
    const lanes = this.ready.get(host)!;
    const [lane] = lanes;
    lanes.delete(lane!);
    if (lanes.size === 0) this.ready.delete(host);
    this.inFlight.set(host, (this.inFlight.get(host) ?? 0) + 1);
    this.open.delete(host);
    this.update(host);
    return lane!;
  }

  /** A call to a host has ended. */
  release(host: string): void {
    const left = (this.inFlight.get(host) ?? 0) - 1;
    if (left > 0) this.inFlight.set(host, left);
    else this.inFlight.delete(host);
    this.update(host);
  }

  /** Forgets what is ready; calls in flight go on. */
  clear(): void {
    this.ready.clear();
    this.open.clear();
  }

  /** Adds a host to the turns or removes it; a new one goes last. */
  private update(host: string): void {
    const hasFreeCall = (this.inFlight.get(host) ?? 0) < limits.hook_in_flight_per_host;
    if (hasFreeCall && this.ready.has(host)) this.open.add(host);
    else this.open.delete(host);
  }
}
