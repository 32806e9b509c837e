/**
 * Looks at the way that the arm takes in an emergency stop, because no plan has checked it: at the
 * floor, the arm itself and the zones of the loaded toolpath, and in a simulated world at obstacles
 * and the cell (D31).
 */
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { checkPose } from '../../../physics/collision/pose-check.ts';
import { createCollisionScene } from '../../../physics/collision/scene.ts';
import { createFrames, forward } from '../../../physics/kinematics/forward.ts';
import { posesOfStop } from '../../../physics/motion/emergency-stop.ts';
import type { LoopEvent } from '../../robot/loop-event.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { RobotMemory } from '../../robot/memory.ts';
import { nameOf } from './contacts-reply.ts';

/** Distance from the way of a stop that the log names (m). */
const NEAR_M = 0.02;

/** Takes a line for the log; a warning where the arm meets something. */
export type StopReports = (level: 'info' | 'warning', text: string) => void;

interface StopWatchParts {
  readonly memory: () => Readonly<Pick<RobotMemory, 'loaded'>>;
  readonly world: Pick<ArmWorld, 'nearestTo'> | null;
  readonly report: StopReports;
}

export class StopWatch implements LoopListener {
  private readonly parts: StopWatchParts;
  private readonly frames = createFrames();

  constructor(parts: StopWatchParts) {
    this.parts = parts;
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event.kind === 'emergency_stop') this.look(posesOfStop(event.stop));
    }
  }

  private look(poses: readonly Float64Array[]): void {
    const { world, report } = this.parts;
    const hit = this.firstHit(poses);
    const near = world?.nearestTo(poses, NEAR_M) ?? null;
    if (hit !== null) report('warning', `On the way of the emergency stop: ${hit}`);
    if (near !== null) {
      const pair = `${nameOf(near.link)} and “${near.obstacle}”`;
      if (near.distance_m <= 0) report('warning', `The emergency stop meets: ${pair}`);
      else {
        const gap_mm = (1000 * near.distance_m).toFixed(1);
        report('info', `Nearest on the way of the emergency stop: ${pair}, ${gap_mm} mm`);
      }
    }
    if (hit !== null || near !== null) return;
    const cell = world ? `; obstacles and the cell are more than ${1000 * NEAR_M} mm away` : '';
    report('info', `The emergency stop meets neither the floor, the arm nor a zone${cell}`);
  }

  /** The first collision with the floor, the arm itself or a zone, as a sentence. */
  private firstHit(poses: readonly Float64Array[]): string | null {
    const metadata = this.parts.memory().loaded?.metadata;
    const scene = createCollisionScene({
      ...(metadata?.tcp_config && { tool: metadata.tcp_config }),
      zones: metadata?.avoidance_zones ?? [],
    });
    for (const pose of poses) {
      forward(pose, this.frames);
      const hit = checkPose(scene, this.frames);
      if (hit) return hit.message;
    }
    return null;
  }
}
