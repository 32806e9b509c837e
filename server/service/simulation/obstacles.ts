import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { limits } from '../../../contract/limits.ts';
import type { Problem } from '../../../contract/problem.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../../contract/refusal.ts';
import type { AddObstacleBody, SimObstacle } from '../../../contract/types.generated.ts';
import { millimetres } from '../../../physics/cell/millimetres.ts';
import { OVERLAP_M } from '../../../physics/cell/place-problems.ts';
import { normaliseQuaternion } from '../../../physics/math/rotation.ts';
import { STIFFNESS_N_PER_M } from '../../../physics/plant/obstacle.ts';
import type { ControlLoop } from '../../robot/loop.ts';

const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

/** An obstacle with its id and with defaults filled in. */
function withDefaults(body: AddObstacleBody, id: number): SimObstacle {
  return {
    id,
    stiffness_n_per_m: STIFFNESS_N_PER_M,
    ...body,
    // The schema refuses zero, which alone has no direction.
    orientation: normaliseQuaternion(body.orientation ?? UPRIGHT) ?? UPRIGHT,
  };
}

/**
 * Obstacles in the simulated world, which the arm's own software does not know. Each has an id. The
 * simulated world receives the whole list at every change.
 */
export class Obstacles {
  private readonly loop: ControlLoop;
  private readonly world: ArmWorld | null;
  private entries: readonly SimObstacle[] = [];
  private lastId = 0;

  constructor(loop: ControlLoop, world: ArmWorld | null) {
    this.loop = loop;
    this.world = world;
  }

  list(): readonly SimObstacle[] {
    return this.entries;
  }

  add(body: AddObstacleBody): SimObstacle | Refusal<'invalid_arguments'> {
    if (this.entries.length >= limits.obstacles) {
      return refuseLimitReached('obstacles', limits.obstacles);
    }
    const obstacle = withDefaults(body, this.lastId + 1);
    const [met] = this.metByArm([obstacle], '');
    if (met) return refuse('invalid_arguments', [{ ...met, path: '/position' }]);
    this.replaceAll([...this.entries, obstacle]);
    return obstacle;
  }

  /**
   * The obstacles in which the arm would stand now, with the path of each behind `path`: their
   * springs would push it out with hundreds of newtons.
   */
  metByArm(bodies: readonly AddObstacleBody[], path: string): readonly Problem[] {
    const depths = this.world?.depthsIn(bodies.map((body) => withDefaults(body, 0))) ?? [];
    return bodies.flatMap(({ name }, i) => {
      const depth_m = depths[i] ?? 0;
      if (depth_m <= OVERLAP_M) return [];
      const problem = `${name} overlaps the arm by ${millimetres(depth_m)}; move the arm away first`;
      return [{ path: `${path}/${i}`, problem }];
    });
  }

  /** Removes an obstacle; false for an unknown id. */
  remove(id: number): boolean {
    const left = this.entries.filter((entry) => entry.id !== id);
    if (left.length === this.entries.length) return false;
    this.replaceAll(left);
    return true;
  }

  /** Takes over the list of a restored world. */
  adopt(entries: readonly SimObstacle[]): void {
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), 0);
  }

  /** Replaces all obstacles. */
  replaceAll(entries: readonly SimObstacle[]): void {
    this.loop.applyWorldAction({
      kind: 'obstacles',
      obstacles: entries.map(({ id: _, ...obstacle }) => obstacle),
    });
    this.entries = entries;
    this.lastId = entries.reduce((highest, { id }) => Math.max(highest, id), this.lastId);
  }

  /** Replaces all obstacles and numbers them from 1. */
  replaceNumbered(bodies: readonly AddObstacleBody[]): void {
    this.replaceAll(bodies.map((body, i) => withDefaults(body, i + 1)));
  }
}
