import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { insetsOf, NO_INSETS, startView } from './viewpoint.ts';

const FRAME = { left: 0, right: 800, top: 100, bottom: 600 };
const POINTS = [new Vector3(), new Vector3(0, 0, 0.4), new Vector3(-0.065, 0, 0.88)];

describe('insetsOf', () => {
  it('counts boxes across the middle at the edge that they are nearer to', () => {
    const line = { left: 10, right: 700, top: 150, bottom: 200 };
    const values = { left: 10, right: 500, top: 550, bottom: 590 };
    expect(insetsOf(FRAME, [line, values])).toEqual({ top: 0.2, bottom: 0.1, left: 0 });
  });

  it('leaves out boxes beside the middle, and hidden ones', () => {
    const beside = { left: 10, right: 390, top: 110, bottom: 400 };
    const hidden = { left: 0, right: 0, top: 0, bottom: 0 };
    expect(insetsOf(FRAME, [beside, hidden])).toEqual(NO_INSETS);
  });

  it('counts a panel at the left that leaves space for the arm', () => {
    const panel = { left: 0, right: 400, top: 110, bottom: 600 };
    expect(insetsOf(FRAME, [], panel)).toEqual({ top: 0, bottom: 0, left: 0.5 });
    expect(insetsOf(FRAME, [], { ...panel, right: 780 })).toEqual(NO_INSETS);
  });

  it('keeps a part of the frame for the arm', () => {
    const upper = { left: 0, right: 800, top: 100, bottom: 340 };
    const lower = { left: 0, right: 800, top: 360, bottom: 600 };
    const { top, bottom } = insetsOf(FRAME, [upper, lower]);
    expect(top + bottom).toBeCloseTo(0.72, 9);
  });
});

describe('startView', () => {
  it.each([
    ['nothing', NO_INSETS],
    ['a line at the top', { top: 0.25, bottom: 0, left: 0 }],
    ['a line at the bottom and values at the top', { top: 0.2, bottom: 0.4, left: 0 }],
    ['a panel at the left', { top: 0.1, bottom: 0, left: 0.5 }],
  ])('shows all points beside %s', (_, insets) => {
    for (const aspect of [1.2, 1.6]) {
      const camera = new PerspectiveCamera(28, aspect, 0.02, 20);
      camera.up.set(0, 0, 1);
      const [position, target] = startView(camera, POINTS, insets);
      camera.position.copy(position);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const across = POINTS.map((point) => point.clone().project(camera).x);
      expect(Math.min(...across)).toBeGreaterThan(-1 + 2 * insets.left);
      const heights = POINTS.map((point) => point.clone().project(camera).y);
      expect(Math.max(...heights)).toBeLessThan(1 - 2 * insets.top);
      expect(Math.min(...heights)).toBeGreaterThan(-1 + 2 * insets.bottom);
    }
  });
});
