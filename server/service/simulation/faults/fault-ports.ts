import type { ArmWorld } from '../../../../bridge/arm-world.ts';
import type { ControlLoop } from '../../../robot/loop.ts';
import type { Robot } from '../../../robot/robot.ts';
import type { ConnectionFaults } from './connection-faults.ts';
import type { InjectedFaults } from './injected-faults.ts';
import type { ReplyFaults } from './reply-faults.ts';

/** The ports at which faults act. */
export interface FaultPorts {
  readonly driverName: string;
  readonly loop: ControlLoop;
  /** The simulated world with the cell; null without one. */
  readonly world: ArmWorld | null;
  readonly robot: Pick<Robot, 'memory'>;
  /** Rules of the fault-injecting parts; null where the plain parts are composed. */
  readonly injected: InjectedFaults | null;
  /** Rules of the replies to calls. */
  readonly replies: ReplyFaults;
  /** Rules of the connections of clients. */
  readonly connections: ConnectionFaults;
  /** The users whose connections can fail. */
  readonly users: { readonly has: (user_id: number) => boolean };
}
