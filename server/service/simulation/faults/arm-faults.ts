/** Faults of joints and input signals. */

import { refuse } from '../../../../contract/refusal.ts';
import { stateAfter } from '../../../../contract/robot-states.ts';
import type { FaultBody, FaultProducer } from './fault-kind.ts';
import type { FaultPorts } from './fault-ports.ts';

const DETECTION_IS_OFF =
  'Collision detection is off: switch it on (POST /api/v1/controls/collision_detection), or send ' +
  'with_detection: true';

/** The kinds of joints and input signals. */
export function armFaults({ driverName, loop, robot, world }: FaultPorts) {
  const stuckInputs = () => robot.memory.io.stuck;
  const driver: FaultProducer<'driver'> = ({ joint, fault }, { applied }) => {
    if (!loop.applyWorldAction({ kind: 'joint_fault', joint, fault })) {
      return refuse(
        'not_supported',
        `The driver ${driverName} does not support the fault ${fault}`,
      );
    }
    applied();
    return () => void loop.applyWorldAction({ kind: 'joint_fault', joint, fault: null });
  };
  const collision: FaultProducer<'collision'> = (fault, { applied, expired }) => {
    const { joint, with_detection = false } = fault;
    const unsupported = () =>
      refuse('not_supported', `The driver ${driverName} does not support injected collisions`);
    if (!world) return unsupported();
    const { state, detection } = robot.memory;
    if (stateAfter(state, 'collision') === null) {
      return refuse('fault_cannot_act', `In ${state} the robot moves nothing; leave it first`);
    }
    if (!detection.enabled && !with_detection) return refuse('fault_cannot_act', DETECTION_IS_OFF);
    if (!detection.enabled) loop.apply({ kind: 'detect_collisions' });
    if (!loop.applyWorldAction({ kind: 'contact', joint })) return unsupported();
    applied();
    expired();
    return () => {};
  };
  const sensor_noise: FaultProducer<'sensor_noise'> = (fault, { applied }) => {
    const { position_rad = 0, velocity_rad_s = 0, temperature_c = 0, seed = 0 } = fault;
    const noise = { position_rad, velocity_rad_s, temperature_c, seed };
    if (!loop.applyWorldAction({ kind: 'noise', noise })) {
      return refuse('not_supported', `The driver ${driverName} does not support sensor noise`);
    }
    applied();
    return () => void loop.applyWorldAction({ kind: 'noise', noise: null });
  };
  const stuck_input: FaultProducer<'stuck_input'> = ({ input }, { applied }) => {
    loop.apply({ kind: 'stick_inputs', stuck: { ...stuckInputs(), [input]: true } });
    applied();
    return () => {
      const { [input]: _, ...stuck } = stuckInputs();
      loop.apply({ kind: 'stick_inputs', stuck });
    };
  };
  return {
    driver: { produce: driver, targetOf: ({ joint }: FaultBody<'driver'>) => `joint ${joint}` },
    collision: { produce: collision },
    sensor_noise: { produce: sensor_noise },
    stuck_input: { produce: stuck_input },
  };
}
