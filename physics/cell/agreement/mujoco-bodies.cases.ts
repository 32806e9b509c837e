/** Free boxes on a floor in MuJoCo, an independent engine (test code). */
import loadMujoco from '@mujoco/mujoco';
import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import type { Numbers } from '../../math/vector.ts';

/** A box (m): its size, centre, turn (w, x, y, z) and velocity at the start. */
interface FreeBox {
  readonly size: readonly [number, number, number];
  readonly mass_kg: number;
  readonly friction: number;
  readonly at: readonly [number, number, number];
  readonly turn?: readonly [number, number, number, number];
  readonly velocity?: readonly [number, number, number];
}

interface Conditions {
  readonly gravity?: readonly [number, number, number];
  readonly steps?: number;
}

/** Numbers of the position and of the velocity of a free body. */
const [PLACE, SPEED] = [7, 6];

/** Where the centres of boxes are after so many ms (m). The floor is as smooth as each box. */
export async function bodiesInMujoco(
  boxes: readonly FreeBox[],
  { gravity = [0, 0, -GRAVITY_M_S2], steps = 500 }: Conditions = {},
): Promise<readonly Numbers[]> {
  const mujoco = await loadMujoco();
  const bodies = boxes.map(({ size, mass_kg, friction, at, turn = [1, 0, 0, 0] }) => {
    const half = size.map((side) => side / 2).join(' ');
    // No rolling or turning resistance; stiff contacts whose friction hardly creeps.
    const geom = `type="box" size="${half}" mass="${mass_kg}" friction="${friction} 0 0" condim="3"`;
    const pose = `pos="${at.join(' ')}" quat="${turn.join(' ')}"`;
    return `<body ${pose}><freejoint/><geom ${geom} solref="0.004 1"/></body>`;
  });
  const option = `<option timestep="0.001" gravity="${gravity.join(' ')}" cone="elliptic" impratio="20"/>`;
  const floor = '<geom type="plane" size="5 5 0.1" friction="0 0 0" solref="0.004 1"/>';
  const xml = `<mujoco>${option}<worldbody>${floor}${bodies.join('')}</worldbody></mujoco>`;
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  boxes.forEach(({ velocity = [0, 0, 0] }, i) => {
    for (let k = 0; k < 3; k++) data.qvel[SPEED * i + k] = velocity[k]!;
  });
  for (let step = 0; step < steps; step++) mujoco.mj_step(model, data);
  const ends = boxes.map((_, i) => [0, 1, 2].map((k) => Number(data.qpos[PLACE * i + k])));
  data.delete();
  model.delete();
  return ends;
}
