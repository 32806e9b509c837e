/**
 * The bodies in the way of the arm that its own software is never told of: numbered, so that each
 * can be taken out again. The world behind the joints is told the whole list at every change.
 */
import { limits } from '../../contract/limits.ts';
import type { AddObstacleBody, Quaternion, SimObstacle } from '../../contract/types.ts';
import type { Loop } from '../robot/loop.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';

/** Stiffness where none is given (N/m): a stiff foam. */
const STIFFNESS_N_PER_M = 25_000;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

function normalised({ w, x, y, z }: Quaternion): Quaternion {
  const size = Math.sqrt(w * w + x * x + y * y + z * z);
  return { w: w / size, x: x / size, y: y / size, z: z / size };
}

/** An obstacle with its number and with all that was left to its default. */
function numbered(body: AddObstacleBody, id: number): SimObstacle {
  return {
    id,
    stiffness_n_per_m: STIFFNESS_N_PER_M,
    ...body,
    orientation: normalised(body.orientation ?? UPRIGHT),
  };
}

export class Obstacles {
  private readonly loop: Loop;
  private entries: readonly SimObstacle[] = [];
  private lastId = 0;

  constructor(loop: Loop) {
    this.loop = loop;
  }

  list(): readonly SimObstacle[] {
    return this.entries;
  }

  add(body: AddObstacleBody): SimObstacle | Refusal {
    if (this.entries.length >= limits.obstacles) {
      return refuse('invalid_arguments', `There may be ${limits.obstacles} obstacles at most`);
    }
    const obstacle = numbered(body, this.lastId + 1);
    this.set([...this.entries, obstacle]);
    return obstacle;
  }

  /** Takes one out; false when there is none of this number. */
  remove(id: number): boolean {
    const left = this.entries.filter((entry) => entry.id !== id);
    if (left.length === this.entries.length) return false;
    this.set(left);
    return true;
  }

  /** The world was put back and holds these already. */
  adopt(entries: readonly SimObstacle[]): void {
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), 0);
  }

  /** Puts these in place of all that there were. */
  set(entries: readonly SimObstacle[]): void {
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), this.lastId);
    this.loop.act({
      kind: 'obstacles',
      obstacles: entries.map(({ id: _, ...obstacle }) => obstacle),
    });
  }

  /** Puts these in place of all that there were, numbered anew. */
  seed(bodies: readonly AddObstacleBody[]): void {
    this.set(bodies.map((body, i) => numbered(body, i + 1)));
  }
}
