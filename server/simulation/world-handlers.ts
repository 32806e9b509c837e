/**
 * Handlers under /sim/v1 of signals, emergency stop, buttons, external forces, obstacles, faults
 * and power (decisions D34, D36). Calls that need a simulated world return 501 without one. Also:
 * the handlers of the clock.
 */
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Cell, Loopback, SimClock, SimLoad } from '../../contract/types.ts';
import { MODEL_RANGE } from '../../physics/arm/arm-model.ts';
import { inputsOf } from '../../physics/cell/check-cell.ts';
import { ballLoad, type Load, principalAxes } from '../../physics/dynamics/inertia.ts';
import type { Pace } from '../clock/clock.ts';
import { TICKS_PER_S, tickOf, ticksLeft, timestamp } from '../clock/twin-time.ts';
import { answer, type Deadline, done, EMPTY, type Handlers } from '../http/reply.ts';
import { EVERYONE } from '../stream/hub.ts';
import { FIDELITY } from './fidelity.ts';
import type { Simulation, SimulationParts } from './simulation.ts';
import { contactsReply } from './watches.ts';

/** Handlers of the clock under /sim/v1: pace, pause, step and advance (decision D38). */

/** The wire format of the twin's clock. */
export function clockOf({
  services,
  clock,
}: Pick<SimulationParts, 'services' | 'clock'>): SimClock {
  const { pace, paused } = clock;
  return {
    tick: services.time.tick,
    now_s: services.time.tick / TICKS_PER_S,
    date: timestamp(services.time),
    pace: pace.kind === 'scaled' ? pace.factor : pace.kind,
    paused,
    real_time_factor: clock.statistics().real_time_factor,
  };
}

/** Converts a pace from its wire format. */
export function paceFrom(name: number | 'max' | 'stepped'): Pace {
  return typeof name === 'number' ? { kind: 'scaled', factor: name } : { kind: name };
}

/** Refuses pace and pause where the driver runs in real time only. */
function paceRefusal({ driver }: SimulationParts): Refusal<'not_supported'> | null {
  if (driver.pace === 'any') return null;
  return refuse('not_supported', `The driver ${driver.name} runs in real time only`);
}

/** Refuses to let time pass for a cell that cannot be simulated any further. */
export function haltRefusal({ world }: SimulationParts): Refusal<'wrong_state'> | null {
  const reason = world?.cell?.failure ?? null;
  return reason === null ? null : refuse('wrong_state', `The clock stands: ${reason}`);
}

/**
 * Whether no client waits for the answer any more: its time is over, or the client has left. A
 * clock that goes on for hours would hold up every other call that advances it.
 */
export function isUnawaited({ passed, isLeft }: Deadline): boolean {
  return passed || isLeft;
}

/** The clock handlers; with a driver of real joints they reject all but real time with 501. */
export function clockHandlers({ parts }: Simulation): Handlers {
  const { clock, services } = parts;

  async function advance(ticks: number, deadline: Deadline, reached = () => false) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    await clock.advance(ticks, () => reached() || isUnawaited(deadline));
    return haltRefusal(parts) ?? answer(clockOf(parts));
  }

  /** Advances, unless that leads beyond the last date that the API can write. */
  async function dated(path: string, ticks: number, deadline: Deadline) {
    const refusal = paceRefusal(parts);
    if (refusal) return refusal;
    if (ticks <= ticksLeft(services.loop)) return advance(ticks, deadline);
    const problem = 'leads beyond the year 9999, the last that a date can have; reset the clock';
    return refuse('invalid_arguments', [{ path, problem }]);
  }

  return {
    getClock: () => answer(clockOf(parts)),
    async setClock({ body }) {
      // Servos stop by their watchdog when no setpoint arrives: their clock cannot be paused.
      if ((body.pace ?? 1) !== 1 || body.paused) {
        const refusal = paceRefusal(parts);
        if (refusal) return refusal;
      }
      const { pace, paused } = body;
      clock.set({ pace: pace === undefined ? undefined : paceFrom(pace), paused });
      // The ticks of a command that waits for standstill are played first.
      if (services.robot.isCommandAwaited) await clock.advance(0);
      return answer(clockOf(parts));
    },
    stepClock: ({ body, deadline }) => dated('/ticks', body.ticks, deadline),
    advanceClock: ({ body, deadline }) => dated('/seconds', tickOf(body.seconds), deadline),
    async runUntil({ body, deadline }) {
      const reached = () => services.robot.memory.state === body.state;
      const passed = reached() ? null : await advance(tickOf(body.limit_s), deadline, reached);
      if (passed && 'refused' in passed) return passed;
      const { state } = services.robot.memory;
      return answer({ reached: reached(), state, clock: clockOf(parts) });
    },
  };
}

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

function signalHandlers({ parts }: Simulation): Handlers {
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

function forceHandlers(simulation: Simulation): Handlers {
  return {
    pushArm({ body: { force, duration_s } }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      simulation.forces.apply([force.x, force.y, force.z], duration_s ?? null);
      return EMPTY;
    },
  };
}

function obstacleHandlers(simulation: Simulation): Handlers {
  const { obstacles } = simulation;
  return {
    listObstacles: () => simulation.worldRefusal ?? answer({ obstacles: obstacles.list() }),
    addObstacle({ body }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const obstacle = obstacles.add(body);
      return 'refused' in obstacle ? obstacle : answer({ obstacle });
    },
    removeObstacle({ parameters }) {
      if (simulation.worldRefusal) return simulation.worldRefusal;
      const id = parameters['obstacle_id']!;
      return obstacles.remove(id) ? EMPTY : refuse('not_found', `There is no obstacle ${id}`);
    },
  };
}

/** A tensor of a real body: positive moments, none greater than the other two together. */
function inertiaProblem(tensor: readonly number[]): string | null {
  const moments = [...principalAxes(tensor).moments].sort((a, b) => a - b);
  const [least, middle, most] = moments as [number, number, number];
  if (!(least > 0)) return `is not positive definite: least principal moment ${least}`;
  const slack = 1e-9 * most;
  if (most <= least + middle + slack) return null;
  return `belongs to no body: principal moment ${most} exceeds the sum of the others`;
}

/** The load of a request, or why it is refused. Ranges are the schema's. */
function loadOf(body: SimLoad): Load | Refusal<'invalid_arguments'> {
  const { mass_kg, centre_of_mass_m: centre, inertia } = body;
  const centre_of_mass_m = [centre.x, centre.y, centre.z];
  if (!inertia) return { ...ballLoad(mass_kg), centre_of_mass_m };
  const { xx, yy, zz, xy, xz, yz } = inertia;
  const inertia_kg_m2 = [xx, yy, zz, xy, xz, yz];
  const problem = inertiaProblem(inertia_kg_m2);
  if (problem) return refuse('invalid_arguments', [{ path: '/inertia', problem }]);
  return { mass_kg, centre_of_mass_m, inertia_kg_m2 };
}

/** A load as the API shows it. */
function wireLoad(load: Load): SimLoad {
  const [x, y, z] = load.centre_of_mass_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = load.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const inertia = { xx, yy, zz, xy, xz, yz };
  return { mass_kg: load.mass_kg, centre_of_mass_m: { x, y, z }, inertia };
}

function contactHandlers({ parts, worldRefusal }: Simulation): Handlers {
  const { world } = parts;
  const { robot, loop } = parts.services;
  if (!world) {
    const refused = () => worldRefusal ?? EMPTY;
    return { listContacts: refused, getLoad: refused, setLoad: refused, clearLoad: refused };
  }
  const reply = () =>
    answer({
      load: world.load && wireLoad(world.load),
      payload_kg: robot.memory.loaded?.program.payload_kg ?? 0,
    });
  return {
    listContacts: () => answer(contactsReply(world)),
    getLoad: reply,
    setLoad({ body }) {
      const load = loadOf(body);
      if ('refused' in load) return load;
      loop.applyWorldAction({ kind: 'load', load });
      return reply();
    },
    clearLoad() {
      loop.applyWorldAction({ kind: 'load', load: null });
      return EMPTY;
    },
  };
}

function faultHandlers(simulation: Simulation): Handlers {
  const { faults } = simulation;
  return {
    listFaults: () => answer({ faults: faults.list() }),
    addFault({ body }) {
      const fault = faults.add(body);
      return 'refused' in fault ? fault : answer({ fault });
    },
    clearFault({ parameters }) {
      const id = parameters['fault_id']!;
      return faults.clear(id) ? EMPTY : refuse('not_found', `There is no fault ${id}`);
    },
    clearFaults() {
      faults.clearAll();
      return EMPTY;
    },
  };
}

function powerHandlers({ parts }: Simulation): Handlers {
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

/** All handlers of this file. */
export function worldHandlers(simulation: Simulation): Handlers {
  return {
    ...signalHandlers(simulation),
    ...forceHandlers(simulation),
    ...obstacleHandlers(simulation),
    ...contactHandlers(simulation),
    ...faultHandlers(simulation),
    ...powerHandlers(simulation),
  };
}
