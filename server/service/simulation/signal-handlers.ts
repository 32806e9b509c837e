/** Handlers of status, signals, loopback wires, emergency stop and buttons under /sim/v1. */

import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Cell, Loopback } from '../../../contract/types.generated.ts';
import { inputsOf } from '../../../physics/cell/cell-inputs.ts';
import type { Handlers } from '../http/handler.ts';
import { answer, done } from '../http/reply.ts';
import type { Simulation } from './simulation.ts';

const END_EFFECTOR = /^ee_/;

function isDigital(key: string): boolean {
  return key.replace(END_EFFECTOR, '').startsWith('d');
}

/** A wire connects an output and an input of one kind; each has at most one wire, or the cell. */
function wiringRefusal(
  { wires }: Loopback,
  cell: Cell | undefined,
): Refusal<'invalid_arguments'> | null {
  const problems: { path: string; problem: string }[] = [];
  const drivers = new Map(cell && inputsOf(cell).map(({ path, input }) => [input, path]));
  wires.forEach(({ output, input }, i) => {
    if (isDigital(output) !== isDigital(input)) {
      problems.push({ path: `/wires/${i}`, problem: 'must not connect digital and analog' });
    }
    if (wires.some((other, at) => at < i && (other.output === output || other.input === input))) {
      problems.push({
        path: `/wires/${i}`,
        problem: 'uses an input or output that is already wired',
      });
    }
    const driver = drivers.get(input);
    if (driver !== undefined) {
      const problem = `input ${input} is already driven by ${driver} of the cell`;
      problems.push({ path: `/wires/${i}/input`, problem });
    }
  });
  return problems.length > 0 ? refuse('invalid_arguments', problems) : null;
}

export function signalHandlers({ parts }: Simulation): Handlers {
  const { robot, loop } = parts.services;
  const wires = () =>
    Object.entries(robot.memory.io.loopback).map(([output, input]) => ({ output, input }));
  return {
    getStatus: () => answer(parts.status.status()),
    setInputs({ body }) {
      const refusal = loop.apply({ kind: 'inputs', values: body.values });
      return refusal ?? answer({ inputs: robot.snapshot()['global.inputs'] });
    },
    getLoopback: () => answer({ wires: wires() }),
    setLoopback({ body }) {
      const refusal = wiringRefusal(body, parts.world?.cell?.model.description);
      if (refusal) return refusal;
      const pairs = body.wires.map(({ output, input }) => [output, input] as const);
      loop.apply({ kind: 'loopback', wires: Object.fromEntries(pairs) });
      return answer({ wires: wires() });
    },
    setEmergencyStop: ({ body }) => done(loop.apply({ kind: 'estop', engaged: body.engaged })),
    setButtons: ({ body }) => done(loop.apply({ kind: 'backdriving', pressed: body.backdriving })),
    pressWaypoint: () => done(loop.apply({ kind: 'waypoint_button' })),
  };
}
