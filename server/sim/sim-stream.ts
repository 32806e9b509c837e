/**
 * The twin's own stream (decision D8): the robot's log, the bodies that touch, who holds the lock
 * and for how long, the clock. Apart from the arm's stream, which carries nothing of this.
 */
import type { ArmWorld, Touch } from '../../bridge/arm-world.ts';
import type { SimClock } from '../../contract/types.ts';
import { TICKS_PER_S } from '../clock/twin-time.ts';
import type { RobotEvent } from '../robot/events.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { LockMemory } from '../robot/memory.ts';
import { EVERYONE, type Hub } from '../stream/hub.ts';

export interface SimStreamParts {
  readonly hub: Hub;
  readonly world: ArmWorld | null;
  readonly lock: () => LockMemory | null;
  readonly clock: () => SimClock;
}

function pairsOf(touches: readonly Touch[]): string {
  return touches.map(({ link, obstacle }) => `${link} ${obstacle}`).join('\n');
}

export class SimStream implements LoopListener {
  private readonly parts: SimStreamParts;
  private touching = '';
  private second = 0;

  constructor(parts: SimStreamParts) {
    this.parts = parts;
  }

  onEvents(events: readonly RobotEvent[], tick: number): void {
    const { hub } = this.parts;
    if (hub.size === 0) return;
    for (const event of events) {
      if (event.kind === 'log') {
        hub.tell({ type: 'log', level: event.level, text: event.text, tick }, EVERYONE);
      } else if (event.kind === 'lock_status') this.tellLock(tick);
    }
  }

  onTick(_feedback: unknown, tick: number): void {
    const { hub, clock } = this.parts;
    if (hub.size === 0) return;
    this.tellTouches();
    const second = Math.floor(tick / TICKS_PER_S);
    if (second === this.second) return;
    this.second = second;
    hub.tell({ type: 'clock', clock: clock() }, EVERYONE);
    if (this.parts.lock()) this.tellLock(tick);
  }

  private tellTouches(): void {
    const touches = this.parts.world?.touches() ?? [];
    const pairs = pairsOf(touches);
    if (pairs === this.touching) return;
    this.touching = pairs;
    this.parts.hub.tell({ type: 'touching', touches: [...touches] }, EVERYONE);
  }

  private tellLock(tick: number): void {
    const lock = this.parts.lock();
    const holder = lock && { user_id: lock.holder.user_id, role: lock.holder.role };
    const left_s = lock ? (lock.expires_tick - tick) / TICKS_PER_S : 0;
    this.parts.hub.tell({ type: 'lock', holder, left_s }, EVERYONE);
  }
}
