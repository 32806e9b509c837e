import type { JawGripper } from '../../../../contract/types.generated.ts';
import type { Numbers } from '../../../math/vector.ts';
import { SOLID_POSE, turn } from '../../pose.ts';
import { crosses, crossing } from '../../solids/solids.ts';
import type { SearchedWorld } from '../gripper-world.ts';

/** Sample lines across each pad: rows and columns. */
const LINES = 5;
/** Lines that must meet a body for a grasp: less is an edge that would turn away. */
const LINES_MIN = 4;

const NONE: readonly number[] = [];

const origin = new Float64Array(3);
const axis = new Float64Array(3);

/** Lines across the pads of jaws, along the closing direction, by which they measure bodies. */
export class PadLines {
  /** The last measured body along the closing direction, from the grasp centre (m). */
  low = 0;
  high = 0;
  /** How many lines met it. */
  private count = 0;
  /** Its width along each line (m). */
  private readonly widths = new Float64Array(LINES * LINES);
  private readonly description: JawGripper;
  private readonly grasp: Numbers;

  /** `grasp` is the pose of the grasp centre at the time of a measurement. */
  constructor(description: JawGripper, grasp: Numbers) {
    this.description = description;
    this.grasp = grasp;
  }

  /** Measures a body within the pads. */
  measure({ model, states }: SearchedWorld, body: number): void {
    const { description, grasp } = this;
    this.count = 0;
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
    this.widths.fill(0);
    turn(grasp, 3, [1, 0, 0], axis);
    for (let row = 0; row < LINES; row++) {
      for (let column = 0; column < LINES; column++) {
        const y = ((row + 0.5) / LINES - 0.5) * description.pad_width_m;
        const z = ((column + 0.5) / LINES - 0.5) * description.pad_height_m;
        turn(grasp, 3, [0, y, z], origin);
        for (let k = 0; k < 3; k++) origin[k]! += grasp[k]!;
        if (!crosses(model.bodies[body]!, states.poses, SOLID_POSE * body, origin, axis)) continue;
        this.count += 1;
        this.widths[LINES * row + column] = crossing.leave - crossing.enter;
        this.low = Math.min(this.low, crossing.enter);
        this.high = Math.max(this.high, crossing.leave);
      }
    }
  }

  /** Whether enough of the last measured body is at the pads for a grip. */
  get isMet(): boolean {
    return this.count >= LINES_MIN;
  }

  /** Whether a body is between pads so far apart (m): the lines go on beyond them. */
  isBetween(world: SearchedWorld, body: number, opening: number): boolean {
    this.measure(world, body);
    return this.isMet && this.low < opening / 2 && this.high > -opening / 2;
  }

  /** The loose bodies that enough lines meet between pads so far apart (m). */
  candidates(world: SearchedWorld, opening: number): readonly number[] {
    const { model, states } = world;
    let found = NONE;
    for (let i = 0; i < model.bodies.length; i++) {
      if (!states.isLoose(i)) continue;
      const { half } = model.bodies[i]!;
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        const d = states.poses[SOLID_POSE * i + k]! - this.grasp[k]!;
        squared += d * d;
      }
      const reach = half[0]! + half[1]! + half[2]! + this.description.stroke_m;
      if (squared > reach * reach) continue;
      if (this.isBetween(world, i, opening)) found = [...found, i];
    }
    return found;
  }

  /** The least opening for these bodies (m): along each line their widths add up. */
  widthOf(world: SearchedWorld, bodies: readonly number[]): number {
    const sums = new Float64Array(this.widths.length);
    for (const body of bodies) {
      this.measure(world, body);
      for (let line = 0; line < sums.length; line++) sums[line]! += this.widths[line]!;
    }
    return Math.max(...sums);
  }
}
