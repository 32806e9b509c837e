/**
 * Turns of the event loop for long work: it is done in short slices, between which ticks run and
 * sockets are served.
 */

import { runDueTicks } from './pacer.ts';
import type { WallClock } from './wall-clock.ts';

/** Longest work between two turns of the event loop (ms). No result depends on it. */
const TURN_MS = 2;

/** Slices of work that wait for their turn of the event loop; each returns whether it is done. */
const waiting: (() => boolean)[] = [];
let isTaking = false;

/** Runs one slice in each turn of the event loop, however many pieces of work there are. */
function takeTurns(wall: WallClock): void {
  const slice = waiting.shift();
  isTaking = slice !== undefined;
  if (!slice) return;
  runDueTicks();
  if (!slice()) waiting.push(slice);
  wall.soon(() => takeTurns(wall));
}

/** Calls `step` in short slices until it returns something other than null; resolves to that. */
export function runCooperatively<Answer>(
  wall: WallClock,
  step: () => Answer | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const slice = (): boolean => {
      const end_ms = wall.now_ms() + TURN_MS;
      try {
        do {
          const answer = step();
          if (answer !== null) {
            resolve(answer);
            return true;
          }
        } while (wall.now_ms() < end_ms);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    waiting.push(slice);
    if (isTaking) return;
    isTaking = true;
    wall.soon(() => takeTurns(wall));
  });
}

/** Resolves in a turn of the event loop without other slices: what follows may take one. */
export async function ownTurn(wall: WallClock): Promise<void> {
  await runCooperatively(wall, () => true);
}

/** Divides work that other tasks interrupt into slices. */
export class Slices {
  private readonly wall: WallClock;
  private end_ms = Number.NEGATIVE_INFINITY;

  constructor(wall: WallClock) {
    this.wall = wall;
  }

  /** Resolves at once within a slice, else in a turn of its own, where the next one begins. */
  async next(): Promise<void> {
    if (this.wall.now_ms() < this.end_ms) return;
    await ownTurn(this.wall);
    this.end_ms = this.wall.now_ms() + TURN_MS;
  }
}
