import type { ArmWorld, Touch } from '../../../bridge/arm-world.ts';
import type { SimClock } from '../../../contract/types.generated.ts';
import { TICKS_PER_S } from '../../clock/twin-time.ts';
import type { LoopEvent } from '../../robot/loop-event.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { LockMemory } from '../../robot/memory.ts';
import { EVERYONE } from '../stream/audience.ts';
import type { Hub } from '../stream/hub.ts';

export interface SimulationStreamParts {
  readonly hub: Hub;
  readonly world: ArmWorld | null;
  readonly lock: () => LockMemory | null;
  readonly clock: () => SimClock;
}

function pairsOf(touches: readonly Touch[]): string {
  return touches.map(({ link, obstacle }) => `${link} ${obstacle}`).join('\n');
}

/**
 * The event stream of the simulation control API (decision D8): the robot's log, touching bodies,
 * holder and remaining time of the lock, and the clock. The arm's stream carries none of these.
 */
export class SimulationStream implements LoopListener {
  private readonly parts: SimulationStreamParts;
  private touching = '';
  private second = 0;

  constructor(parts: SimulationStreamParts) {
    this.parts = parts;
  }

  onEvents(events: readonly LoopEvent[], tick: number): void {
    const { hub } = this.parts;
    if (hub.size === 0) return;
    for (const event of events) {
      if (event.kind === 'log') {
        hub.publish({ type: 'log', level: event.level, text: event.text, tick }, EVERYONE);
      } else if (event.kind === 'lock_status') this.publishLock(tick);
    }
  }

  onTick(_feedback: unknown, tick: number): void {
    const { hub, clock } = this.parts;
    if (hub.size === 0) return;
    this.publishTouches();
    const second = Math.floor(tick / TICKS_PER_S);
    if (second === this.second) return;
    this.second = second;
    hub.publish({ type: 'clock', clock: clock() }, EVERYONE);
    if (this.parts.lock()) this.publishLock(tick);
  }

  private publishTouches(): void {
    const touches = this.parts.world?.touches() ?? [];
    const pairs = pairsOf(touches);
    if (pairs === this.touching) return;
    this.touching = pairs;
    this.parts.hub.publish({ type: 'touching', touches: [...touches] }, EVERYONE);
  }

  private publishLock(tick: number): void {
    const lock = this.parts.lock();
    const holder = lock && { user_id: lock.holder.user_id, role: lock.holder.role };
    const left_s = lock ? (lock.expires_tick - tick) / TICKS_PER_S : 0;
    this.parts.hub.publish({ type: 'lock', holder, left_s }, EVERYONE);
  }
}
