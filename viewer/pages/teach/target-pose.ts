/**
 * The target pose of teaching: the pose of the ghost. It follows the arm until the user moves it,
 * and it stays within valid poses: beyond a limit or on a collision it keeps the last valid pose
 * and reports the reason. §2.4, §2.6.
 */
import { computed, type Signal, signal } from '@preact/signals';
import type { MotionError } from '../../../contract/motion-errors.ts';
import type { Joints } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ArmRange } from '../../../physics/arm/arm-range.ts';
import { jointOfCode } from '../../../physics/arm/joint-error-codes.ts';
import { checkPose } from '../../../physics/collision/pose-check.ts';
import { createFrames, forward } from '../../../physics/kinematics/forward.ts';
import { solveInverse } from '../../../physics/kinematics/inverse.ts';
import { POSE_SIZE, type Tool, toolPose } from '../../../physics/kinematics/tool.ts';
import { boundaryProblem } from '../../../physics/motion/motion-problem.ts';
import {
  createPlanningScene,
  type PlanningScene,
  type PlanningSceneOptions,
} from '../../../physics/toolpath/planning-scene.ts';
import { decimal, degrees } from '../../ui/value-text.ts';
import { applyPoseChange, HANDLE_KINDS, type PoseChange } from './handle-kinds.ts';

/** Reason why the ghost did not reach a requested pose, or why its pose is invalid. */
export interface TargetProblem {
  readonly code: MotionError;
  readonly message: string;
}

export interface TargetView {
  /** Joint angles of the ghost (rad). */
  readonly joints: Joints;
  /** Whether the ghost is detached from the arm. */
  readonly detached: boolean;
  readonly problem: TargetProblem | null;
  /** Whether the arm may stand at the ghost's pose. */
  readonly valid: boolean;
}

const STEPS_MAX = 60;

/** The first joint beyond its limits, in degrees. */
function beyondLimits(range: ArmRange, joints: Joints): TargetProblem | null {
  const outside = boundaryProblem(Float64Array.from(joints), range);
  if (!outside) return null;
  const j = jointOfCode(outside.code, 'boundary_limit');
  const [at, low, high] = [joints[j]!, range.min_rad[j]!, range.max_rad[j]!].map(
    (angle) => `${decimal(degrees(angle), 1)}°`,
  );
  const message = `${jointName(j)} cannot be at ${at}. Stay between ${low} and ${high}.`;
  return { code: outside.code, message };
}

type Drag = Omit<PoseChange, 'amount'>;

export class TargetPose {
  private readonly state: Signal<TargetView>;
  private readonly planningScene = signal<PlanningScene>(createPlanningScene({}));
  private readonly frames = createFrames();
  readonly detached = computed(() => this.view().detached);
  readonly problem = computed(() => this.view().problem);
  readonly valid = computed(() => this.view().valid);
  private dragged: { readonly drag: Drag; readonly from: Float64Array; reached: number } | null =
    null;

  constructor(joints: Joints) {
    this.state = signal({ joints, detached: false, problem: null, valid: true });
  }

  /** The view, which changes with each pose that the ghost follows; its parts change less often. */
  view(): TargetView {
    return this.state.value;
  }

  get tool(): Tool {
    return this.planningScene.value.tool;
  }

  /** Range that the joints of the ghost keep to. */
  get range(): ArmRange {
    return this.planningScene.value.range;
  }

  /** Tool pose of the ghost in the robot frame: rotation row-major, then position (m). */
  pose(): Float64Array {
    return this.poseOf(this.current.joints);
  }

  /** Tool pose of other joint angles (rad). */
  poseOf(joints: Joints): Float64Array {
    const pose = new Float64Array(POSE_SIZE);
    forward(joints, this.frames);
    toolPose(this.frames, this.tool, pose);
    return pose;
  }

  /** Sets the tool, the avoidance zones and the range of the joints. */
  setEnvironment(request: PlanningSceneOptions): void {
    this.planningScene.value = createPlanningScene(request);
    const problem = this.current.detached ? this.problemAt(this.current.joints) : null;
    this.set({ problem, valid: problem === null });
  }

  /** Follows the arm while attached. */
  follow(joints: Joints): void {
    const { detached, joints: known } = this.current;
    if (!detached && joints.some((angle, j) => angle !== known[j])) this.set({ joints });
  }

  /** Moves back to the arm and follows it. */
  attach(joints: Joints): void {
    this.dragged = null;
    this.set({ joints, detached: false, problem: null, valid: true });
  }

  /** Shows a pose, valid or not, such as a selected waypoint. */
  show(joints: Joints): void {
    const problem = this.problemAt(joints);
    this.set({ joints, detached: true, problem, valid: problem === null });
  }

  /** Moves to joint angles. Stays and reports the problem if they are invalid. */
  tryJoints(joints: Joints): boolean {
    const problem = this.problemAt(joints);
    if (!problem || !this.current.valid) {
      this.set({ joints, detached: true, problem, valid: problem === null });
      return problem === null;
    }
    this.set({ problem });
    return false;
  }

  /**
   * Moves the tool to a pose, close to the current joint angles. Stays and reports the problem if
   * it cannot.
   */
  tryPose(pose: Float64Array): boolean {
    const { joints: guess } = this.current;
    const { tool, range } = this.planningScene.peek();
    const reply = solveInverse({ pose, guess, tool, range });
    if (reply.ok) return this.tryJoints([...reply.joints] as Joints);
    this.set({ problem: { code: reply.code, message: reply.message } });
    return false;
  }

  /** Amount of the active drag so far (m, rad). */
  get reached(): number {
    return this.dragged?.reached ?? 0;
  }

  /** Starts a drag along or about an axis of the robot frame. */
  begin(drag: Drag): void {
    this.dragged = { drag, from: this.pose(), reached: 0 };
  }

  /** Drags to an amount (m, rad) from the start of the drag, as far as poses are valid. */
  dragTo(amount: number): void {
    const { dragged } = this;
    if (!dragged) return;
    const { drag, from, reached } = dragged;
    const step = HANDLE_KINDS[drag.kind].dragStep;
    const steps = Math.min(Math.max(Math.ceil(Math.abs(amount - reached) / step), 1), STEPS_MAX);
    for (let i = 1; i <= steps; i++) {
      const next = reached + ((amount - reached) * i) / steps;
      if (!this.tryPose(applyPoseChange(from, { ...drag, amount: next }))) return;
      dragged.reached = next;
    }
  }

  /** Ends the drag; its problem stays until the next one. */
  end(): void {
    this.dragged = null;
  }

  private get current(): TargetView {
    return this.state.peek();
  }

  private problemAt(joints: Joints): TargetProblem | null {
    const outside = beyondLimits(this.range, joints);
    if (outside) return outside;
    forward(joints, this.frames);
    const hit = checkPose(this.planningScene.peek().scene, this.frames);
    return hit && { code: hit.code, message: hit.message };
  }

  private set(patch: Partial<TargetView>): void {
    this.state.value = { ...this.current, ...patch };
  }
}
