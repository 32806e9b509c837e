/** The compass over the scene: the axes of the robot frame as the camera sees them. */
import type { Stage } from '../scene/stage.ts';
import { svg } from '../ui/svg.ts';
import { AXES } from '../ui/units.ts';

const ARM_PX = 23;
const HALF_PX = 34;

interface CompassAxis {
  readonly group: SVGGElement;
  readonly line: SVGLineElement;
  readonly ball: SVGCircleElement;
  readonly letter: SVGTextElement;
}

function compassAxis(name: string): CompassAxis {
  const line = svg('line');
  const ball = svg('circle', { r: '7.8' });
  const letter = svg('text', {}, name.toUpperCase());
  const group = svg('g', { class: `axis axis-${name}` }, line, ball, letter);
  return { group, line, ball, letter };
}

export function compass(stage: Stage) {
  const axes = AXES.map(compassAxis);
  const drawing = svg(
    'svg',
    {
      class: 'compass',
      viewBox: `${-HALF_PX} ${-HALF_PX} ${2 * HALF_PX} ${2 * HALF_PX}`,
      'aria-hidden': 'true',
    },
    ...axes.map(({ group }) => group),
  );
  let drawn = '';
  return {
    element: drawing,
    turn(): void {
      const directions = stage.axes();
      const look = directions.map((axis) => axis.map((value) => value.toFixed(2)).join()).join();
      if (look === drawn) return;
      drawn = look;
      const order = [0, 1, 2].sort((a, b) => directions[a]![2] - directions[b]![2]);
      for (const i of order) {
        const [x, y] = directions[i]!;
        const { group, line, ball, letter } = axes[i]!;
        const px = (x * ARM_PX).toFixed(1);
        const py = (-y * ARM_PX).toFixed(1);
        line.setAttribute('x2', px);
        line.setAttribute('y2', py);
        ball.setAttribute('cx', px);
        ball.setAttribute('cy', py);
        letter.setAttribute('x', px);
        letter.setAttribute('y', py);
        drawing.append(group);
      }
    },
  };
}
