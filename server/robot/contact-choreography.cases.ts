/**
 * A move into an obstacle that the robot does not know, from the touch to the move away: robot and
 * simulated arm without the service around them (test code). D30.
 */
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import type { Realism } from '../../physics/arm/arm-model.ts';
import { ballLoad } from '../../physics/dynamics/load.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { ArmRun, CALLER } from './arm-run.cases.ts';
import { toolpathOf } from './robot-harness.cases.ts';

export const PLANTS = ['fast', 'rapier'] as const;
export const SENSITIVITIES = ['high', 'medium', 'low'] as const;
export const SPEEDS_M_S = [0.1, 0.25, 0.5, 0.75, 1, 1.5];
export const STIFFNESSES_N_PER_M = [5_000, 25_000, 100_000];

/** Body that meets the obstacle: its numbers, and how far beyond the flange the obstacle is (m). */
export const BODIES = {
  link: { numbers: [5, 6], beyond_m: 0, half_m: 0.05 },
  tool: { numbers: [7], beyond_m: 0.13, half_m: 0.015 },
  load: { numbers: [8], beyond_m: 0.1, half_m: 0.015 },
} as const;

export interface Touch {
  readonly body: keyof typeof BODIES;
  readonly plant: (typeof PLANTS)[number];
  readonly sensitivity: (typeof SENSITIVITIES)[number];
  readonly speed_m_s: number;
  readonly stiffness_n_per_m: number;
  /** Imperfections of the arm; default none. */
  readonly realism?: Realism;
}

export interface TouchReport {
  /** States in order from the first tick of the move to the acknowledgement. */
  readonly states: readonly string[];
  /** Bodies of the arm that touched the obstacle: links, 7 for the tool, 8 for the load. */
  readonly bodies: readonly number[];
  readonly peak_n: number;
  /** Force when the arm has come to rest (N). */
  readonly residual_n: number;
  /** Time from `collision` until nothing moves any more (s). */
  readonly rest_s: number;
  readonly acknowledged: string;
  /** State and distance from the start (rad) after the move away. */
  readonly away: string;
  readonly apart_rad: number;
  /** How far the move away starts from where the arm really stood (rad). */
  readonly step_rad: number;
}

const START = [-0.7, -0.9, -0.6, 0, -1.2, 0];
const END = [1.5, -0.9, -0.6, 0, -1.2, 0];
/** Share of the way to the obstacle. */
const SHARE = 0.6;

/** Point on the flange axis, on the way (m). */
function obstaclePosition(beyond_m: number): { x: number; y: number; z: number } {
  const frames = createFrames();
  forward(
    START.map((angle, j) => angle + SHARE * (END[j]! - angle)),
    frames,
  );
  const at = FLANGE_FRAME * FRAME_SIZE;
  const [x, y, z] = [0, 1, 2].map((k) => frames[at + 9 + k]! + beyond_m * frames[at + 3 * k + 2]!);
  return { x: x!, y: y!, z: z! };
}

/** What moves an arm off its path, or lets it be moved. */
export const INTERRUPTIONS = ['reset_errors', 'guided by hand'] as const;

/** An interruption of a worn arm in motion; how far the next setpoint is from the arm (rad). */
export async function stepAfter(kind: (typeof INTERRUPTIONS)[number]): Promise<number> {
  const arm = createSimulatedArm({ plant: 'fast', realism: 'worn', seed: 3, start: START });
  const run = new ArmRun(arm, await arm.start());
  run.apply({ kind: 'lock', caller: CALLER });
  run.goTo(END, 1);
  const rest = () => run.until(() => run.isStill && run.tick % 100 === 0);
  if (kind === 'reset_errors') {
    run.until(() => run.tick === 150);
    arm.world.setFault(1, 'overload');
    run.step();
    arm.world.setFault(1, null);
    rest();
    run.apply({ kind: 'reset_errors', caller: CALLER });
  } else {
    run.until(() => run.state !== 'running');
    run.apply({ kind: 'backdriving', pressed: true });
    run.until(() => run.tick % 250 === 0);
    run.apply({ kind: 'backdriving', pressed: false });
  }
  run.until(() => run.state === 'ready');
  const step_rad = run.stepOfMove(START);
  await arm.stop();
  return step_rad;
}

/** Mounts a tool of 160 mm, or lets the arm carry 0.5 kg that its toolpath names. */
function carry(run: ArmRun, body: Touch['body']): void {
  const payload_kg = body === 'load' ? 0.5 : 0;
  const toolpath = toolpathOf([], { payload_kg });
  const offsets = { x: 0, y: 0, z: 0.16 };
  const rotations = { x: 0, y: 0, z: 0 };
  const tcp = body === 'tool' ? { tcp_config: { offsets, rotations, radius: 0.03 } } : {};
  const metadata = { ...toolpath.metadata, ...tcp };
  run.apply({ kind: 'load', caller: CALLER, toolpath: { ...toolpath, metadata } });
  if (body !== 'load') return;
  run.arm.world.setLoad({ ...ballLoad(payload_kg), centre_of_mass_m: [0, 0, 0.09] });
}

/** Plays one case. */
export async function collide(touch: Touch): Promise<TouchReport> {
  const { plant, realism = 'ideal' } = touch;
  const arm = createSimulatedArm({ plant, realism, start: START });
  const run = new ArmRun(arm, await arm.start());
  run.apply({ kind: 'lock', caller: CALLER });
  const { sensitivity, stiffness_n_per_m } = touch;
  run.apply({ kind: 'collision_detection', caller: CALLER, enabled: true, sensitivity });
  const { half_m, beyond_m } = BODIES[touch.body];
  const half = { x: half_m, y: half_m, z: half_m };
  carry(run, touch.body);
  const orientation = { w: 1, x: 0, y: 0, z: 0 };
  const position = obstaclePosition(beyond_m);
  arm.world.setObstacles([{ name: 'post', position, half, orientation, stiffness_n_per_m }]);
  run.goTo(END, touch.speed_m_s);
  run.until(() => run.state !== 'running');
  let still = 0;
  const rest_s = run.until(() => {
    still = run.isStill ? still + 1 : 0;
    return still === 50;
  });
  const residual_n = run.force_n;
  run.until(() => run.tick % 250 === 0);
  const states = [...run.states];
  run.apply({ kind: 'acknowledge_collision', caller: CALLER });
  run.until(() => run.state === 'ready');
  const acknowledged = `${run.state} ${run.isStill ? 'at rest' : 'moving'}`;
  const step_rad = run.stepOfMove(START);
  run.until(() => run.state !== 'running');
  const apart = START.map((angle, j) => Math.abs(angle - run.robot.restPose[j]!));
  await arm.stop();
  return {
    states,
    bodies: [...run.bodies],
    peak_n: run.peak_n,
    residual_n,
    rest_s,
    acknowledged,
    away: run.state,
    apart_rad: Math.max(...apart),
    step_rad,
  };
}

/**
 * Largest start of a motion away from where the arm stands (rad): the accuracy with which a hold
 * takes over a reference, and what a load of unknown centre sags by.
 */
const STEP_MAX_RAD = { link: 1e-5, tool: 1e-5, load: 5e-4 } as const;

/** What is wrong with a report; empty for nothing. */
export function faultsOf(report: TouchReport, body: Touch['body']): string[] {
  const faults: string[] = [];
  const expected: readonly number[] = BODIES[body].numbers;
  if (!report.bodies.every((number) => expected.includes(number))) {
    faults.push(`touched by ${report.bodies.join(', ')}`);
  }
  if (report.states.join(' ') !== 'running collision') faults.push(report.states.join(' '));
  if (!(report.peak_n > 0)) faults.push('no touch');
  if (!(report.residual_n <= 20)) faults.push(`${report.residual_n.toFixed(1)} N at rest`);
  if (!(report.rest_s < 4)) faults.push(`at rest after ${report.rest_s} s`);
  if (report.acknowledged !== 'ready at rest') faults.push(report.acknowledged);
  if (report.away !== 'ready' || report.apart_rad > 1e-6) faults.push(`away: ${report.away}`);
  if (!(report.step_rad <= STEP_MAX_RAD[body])) faults.push(`a step of ${report.step_rad} rad`);
  return faults;
}
