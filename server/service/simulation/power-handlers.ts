/** Handlers of the arm's power and equipment under /sim/v1. */

import { refuse } from '../../../contract/refusal.ts';
import { MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, EMPTY } from '../http/reply.ts';
import { EVERYONE } from '../stream/audience.ts';
import { FIDELITY } from './fidelity.ts';
import type { Simulation } from './simulation.ts';

export function powerHandlers({ parts }: Simulation): Handlers {
  const { loop, sessions, hub, library, passwords } = parts.services;
  const { driver, instruments, world } = parts;
  return {
    cyclePower() {
      loop.apply({ kind: 'power_cycle' });
      sessions.endWhere(() => true);
      passwords.clear();
      library.forgetShared();
      return EMPTY;
    },
    changeConfig({ body }) {
      hub.publish({ type: 'config_change', ...body }, EVERYONE);
      return EMPTY;
    },
    getFidelity: () => {
      const { realism = null, profile = null } = world ?? {};
      const { min_rad, max_rad } = parts.services.robot.range ?? MODEL_RANGE;
      const joint_range = { min_rad: Array.from(min_rad), max_rad: Array.from(max_rad) };
      return answer({ ...FIDELITY, realism, profile, joint_range });
    },
    getServos() {
      const { name } = driver;
      if (!instruments) return refuse('not_supported', `The driver ${name} has no servos`);
      return answer({ driver: name, ...instruments.read() });
    },
  };
}
