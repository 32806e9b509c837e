/**
 * The pose that is taught: where the ghost stands. It follows the arm until it is taken elsewhere,
 * and never leaves the poses that the arm may stand at: what is asked beyond a limit or into
 * something leaves it at its last valid pose, with the sentence that says why. Spec 2.4, 2.6.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Joints } from '../../contract/types.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import { checkPose } from '../../physics/collision/pose-check.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { solveInverse } from '../../physics/kinematics/inverse.ts';
import { BOUNDARY_CODES } from '../../physics/kinematics/joint-range.ts';
import { POSE_SIZE, type Tool, toolPose } from '../../physics/kinematics/tool.ts';
import { boundaryProblem } from '../../physics/motion/segment.ts';
import {
  createSurroundings,
  type Surroundings,
  type SurroundingsRequest,
} from '../../physics/toolpath/leg.ts';
import { decimal, degrees } from '../panels/value-text.ts';
import { changedPose, type PoseChange } from './gizmo-maths.ts';

/** Why the ghost does not stand where it was asked to, or may not stand where it does. */
export interface TargetProblem {
  readonly code: MotionError;
  readonly message: string;
}

export interface TargetView {
  /** Joint angles of the ghost (rad). */
  readonly joints: Joints;
  /** Whether it stands apart from the arm. */
  readonly apart: boolean;
  readonly problem: TargetProblem | null;
  /** Whether the arm may stand where the ghost does. */
  readonly sound: boolean;
}

/** A drag is followed in steps of at most this, so that it ends at what stands in its way. */
const STEP_M = 0.01;
const STEP_RAD = (4 * Math.PI) / 180;
const STEPS_MAX = 60;

/** The first joint beyond its limits, in the degrees that people jog in. */
function beyondLimits(joints: Joints): TargetProblem | null {
  const outside = boundaryProblem(Float64Array.from(joints));
  if (!outside) return null;
  const j = (BOUNDARY_CODES as readonly string[]).indexOf(outside.code);
  const [at, low, high] = [joints[j]!, JOINT_MIN_RAD[j]!, JOINT_MAX_RAD[j]!].map(
    (angle) => `${decimal(degrees(angle), 1)}°`,
  );
  const message = `Joint ${j + 1} cannot stand at ${at}. Stay between ${low} and ${high}.`;
  return { code: outside.code, message };
}

type Drag = Omit<PoseChange, 'amount'>;

export class Target {
  private current: TargetView;
  private surroundings: Surroundings = createSurroundings({});
  private readonly frames = createFrames();
  private readonly listeners: ((view: TargetView) => void)[] = [];
  private dragged: { readonly drag: Drag; readonly from: Float64Array; reached: number } | null =
    null;

  constructor(joints: Joints) {
    this.current = { joints, apart: false, problem: null, sound: true };
  }

  view(): TargetView {
    return this.current;
  }

  subscribe(listener: (view: TargetView) => void): void {
    this.listeners.push(listener);
  }

  get tool(): Tool {
    return this.surroundings.tool;
  }

  /** The tool pose of the ghost in the robot frame: rotation row-major, then position (m). */
  pose(): Float64Array {
    const pose = new Float64Array(POSE_SIZE);
    forward(this.current.joints, this.frames);
    toolPose(this.frames, this.tool, pose);
    return pose;
  }

  /** Changes the tool that is carried and the zones that are avoided. */
  surround(request: SurroundingsRequest): void {
    this.surroundings = createSurroundings(request);
    const problem = this.current.apart ? this.problemAt(this.current.joints) : null;
    this.set({ problem, sound: problem === null });
  }

  /** Goes along with the arm, as long as it does not stand apart. */
  follow(joints: Joints): void {
    const { apart, joints: known } = this.current;
    if (!apart && joints.some((angle, j) => angle !== known[j])) this.set({ joints });
  }

  /** Goes back to the arm. */
  rejoin(joints: Joints): void {
    this.dragged = null;
    this.set({ joints, apart: false, problem: null, sound: true });
  }

  /** Stands at a pose as it is, sound or not: a waypoint that is looked at. */
  show(joints: Joints): void {
    const problem = this.problemAt(joints);
    this.set({ joints, apart: true, problem, sound: problem === null });
  }

  /** Goes to joint angles; stays where it is, and says why, if the arm may not stand there. */
  tryJoints(joints: Joints): boolean {
    const problem = this.problemAt(joints);
    if (!problem || !this.current.sound) {
      this.set({ joints, apart: true, problem, sound: problem === null });
      return problem === null;
    }
    this.set({ problem });
    return false;
  }

  /** Brings the tool to a pose, near the pose it has; stays, and says why, if it cannot. */
  tryPose(pose: Float64Array): boolean {
    const { joints: guess } = this.current;
    const reply = solveInverse({ pose, guess, tool: this.tool });
    if (reply.ok) return this.tryJoints([...reply.joints] as Joints);
    this.set({ problem: { code: reply.code, message: reply.message } });
    return false;
  }

  /** How far the drag under way has come (m, rad). */
  get reached(): number {
    return this.dragged?.reached ?? 0;
  }

  /** Begins a drag along or about an axis of the robot frame. */
  begin(drag: Drag): void {
    this.dragged = { drag, from: this.pose(), reached: 0 };
  }

  /** Drags to an amount (m, rad) from where the drag began, as far as there is a way. */
  dragTo(amount: number): void {
    const { dragged } = this;
    if (!dragged) return;
    const { drag, from, reached } = dragged;
    const step = drag.kind === 'move' ? STEP_M : STEP_RAD;
    const steps = Math.min(Math.max(Math.ceil(Math.abs(amount - reached) / step), 1), STEPS_MAX);
    for (let i = 1; i <= steps; i++) {
      const next = reached + ((amount - reached) * i) / steps;
      if (!this.tryPose(changedPose(from, { ...drag, amount: next }))) return;
      dragged.reached = next;
    }
  }

  /** Ends the drag; a sentence about what stood in its way stays until the next. */
  end(): void {
    this.dragged = null;
  }

  private problemAt(joints: Joints): TargetProblem | null {
    const outside = beyondLimits(joints);
    if (outside) return outside;
    forward(joints, this.frames);
    const hit = checkPose(this.surroundings.scene, this.frames);
    return hit && { code: hit.code, message: hit.message };
  }

  private set(patch: Partial<TargetView>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener(this.current);
  }
}
