import type { ReadonlySignal } from '@preact/signals';
import type { Stage } from '../scene/stage.ts';
import { AXES } from '../ui/units.ts';

const ARM_PX = 23;
const HALF_PX = 34;

interface CompassProps {
  /** Where the axes point on the screen, and towards the camera. */
  readonly axes: ReadonlySignal<ReturnType<Stage['axes']>>;
}

/** The compass over the scene: the axes of the robot frame as the camera sees them. */
export function Compass({ axes }: CompassProps) {
  const nearestLast = AXES.map((name, i) => ({ name, at: axes.value[i]! })).sort(
    (a, b) => a.at[2] - b.at[2],
  );
  return (
    <svg
      class="compass"
      viewBox={[-HALF_PX, -HALF_PX, 2 * HALF_PX, 2 * HALF_PX].join(' ')}
      aria-hidden="true"
    >
      {nearestLast.map(({ name, at: [x, y] }) => {
        const [px, py] = [x * ARM_PX, -y * ARM_PX].map((length) => length.toFixed(1));
        return (
          <g key={name} class={`axis axis-${name}`}>
            <line x2={px} y2={py} />
            <circle r={7.8} cx={px} cy={py} />
            <text x={px} y={py}>
              {name.toUpperCase()}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
