/**
 * What is wrong with a line, told by what it shows since all joints were last read: answers that do
 * not come, come garbled or come late, from all servos, from those behind a place, or from any.
 */

import type { Bus, Transaction } from './bus.ts';

/** Exchanges that went wrong before anything is said of a line. */
const EXCHANGES_MIN = 3;

/** Answers to one exchange: who was asked, and who has answered. */
export interface ExchangeAnswers {
  readonly asked: readonly number[];
  readonly answered: ReadonlySet<number>;
}

export class LineSymptoms {
  private readonly bus: Bus;
  private exchanges = 0;
  private missing = 0;
  private asked = 0;
  /** Servos that have answered an exchange or a ping, and those that have not. */
  private readonly heard = new Set<number>();
  private readonly unheard = new Set<number>();
  /** Counts of the bus when all were last read. */
  private corrupted = 0;
  private unexpected = 0;

  /** Whether servos answer one exchange and not another. */
  isErratic = false;

  constructor(bus: Bus) {
    this.bus = bus;
  }

  /** Starts over: all joints have been read. */
  reset(): void {
    this.exchanges = 0;
    this.missing = 0;
    this.asked = 0;
    this.isErratic = false;
    this.heard.clear();
    this.unheard.clear();
    this.corrupted = this.bus.corrupted;
    this.unexpected = this.bus.counts.unexpected;
  }

  /** Takes an exchange in which an answer was missing. */
  add({ asked, answered }: ExchangeAnswers): void {
    this.exchanges += 1;
    this.asked += asked.length;
    for (const id of asked) {
      const came = answered.has(id);
      if (this.exchanges > 1 && came === this.unheard.has(id)) this.isErratic = true;
      if (came) this.heard.add(id);
      else {
        this.unheard.add(id);
        this.missing += 1;
      }
    }
  }

  /** Whether answers come garbled: silence says nothing of a servo then. */
  get isGarbled(): boolean {
    return this.bus.corrupted > this.corrupted;
  }

  /** Notes that a servo has answered a ping. */
  hear(id: number): void {
    this.heard.add(id);
  }

  /** Whether a servo has answered since all joints were last read: it is not gone. */
  hasHeard(id: number): boolean {
    return this.heard.has(id);
  }

  /** What is wrong with the line, as a sentence; null: it shows nothing yet. */
  describe(exchange: Transaction): string | null {
    if (this.exchanges < EXCHANGES_MIN) return null;
    const { bus } = this;
    const share = `${Math.round((100 * this.missing) / this.asked)} %`;
    const late = bus.counts.unexpected - this.unexpected;
    if (this.isGarbled) {
      const what = `${share} of the answers on ${bus.name} are missing, and what comes is corrupt`;
      return `${what}: check ground, termination and that no two servos have one id`;
    }
    if (2 * late >= this.exchanges) return this.tooSlow(exchange);
    const gone = exchange.ids.filter((id) => this.unheard.has(id) && !this.heard.has(id));
    if (gone.length === exchange.ids.length) {
      return `No servo answers on ${bus.name}; check the supply, the cable and the baud`;
    }
    if (gone.length > 0) return cutText(gone, exchange.ids);
    const what = `${share} of the answers on ${bus.name} are lost`;
    return `${what}, of one servo as of the other: check its connectors, adapter and gateway`;
  }

  private tooSlow(exchange: Transaction): string {
    const { bus } = this;
    const by = `answers come at least ${Math.round(bus.late_ms)} ms after their questions`;
    const waits = `a cycle waits for ${Math.round(bus.timeout_ms(exchange))} ms`;
    return `${bus.name} is too slow: ${by}, and ${waits}; check adapter, gateway and this computer`;
  }
}

/**
 * Where a line is cut: the servos that do not answer are the last ones of those on it, as a sentence;
 * null: they are others, one alone, or all.
 */
export function cutText(gone: readonly number[], ids: readonly number[]): string | null {
  const first = ids.indexOf(gone[0]!);
  const isTail = ids.slice(first).every((id) => gone.includes(id));
  if (!isTail || first < 1 || gone.length < 2) return null;
  const where = `between servo ${ids[first - 1]} and servo ${ids[first]}`;
  const which = `Servos ${gone.join(', ')} do not answer, and those before them do`;
  return `${which}: the cable ${where} is cut or loose`;
}
