import type { Joints } from '../../contract/types.generated.ts';
import type { Actor } from '../actor.ts';
import type { RuleContext } from '../rule-context.ts';
import { userWithLock } from './users.ts';

/** Turn of joint 2, which moves the flange in every pose but a folded one (rad). */
const TURN_RAD = 0.4;
const HALF = { x: 0.02, y: 0.02, z: 0.02 };

/** Sets a small obstacle in the way of the flange and moves into it; returns the obstacle's id. */
export async function moveIntoObstacle(
  context: RuleContext,
  admin: Actor,
  name: string,
): Promise<number> {
  const { 'servos.telemetry.position': here } = await context.snapshot();
  const there = [...here] as Joints;
  there[1] += here[1] > -1 ? -TURN_RAD : TURN_RAD;
  const { fk } = await admin.does('forwardKinematics', { joints: there });
  if (fk.result !== 'success') return context.expect.fail(`result is ${fk.error}`);
  const { obstacle } = await admin.does('addObstacle', {
    ...{ name, position: fk.position, half: HALF },
  });
  const user = await userWithLock(context);
  await user.does('goTo', { mode: 'automatic', joints: there });
  await context.settle(3);
  return obstacle.id;
}
