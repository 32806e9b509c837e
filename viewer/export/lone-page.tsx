/** What a page without an arm has in the place of the frame: a bar, the scene, and a cell that stands. */
import type { ComponentChildren } from 'preact';
import { CellLayer, type CellSource } from '../scene/cell-layer.ts';
import type { Theme } from '../scene/palette.ts';
import type { Stage } from '../scene/stage.ts';
import { Logo } from '../ui/drawn-icon.tsx';
import { drawn } from '../ui/mount.ts';

/** The frame of the page that `name` names, with what its bar holds. */
export function createLoneFrame(name: string, stage: Stage, bar: ComponentChildren) {
  const frame = drawn(
    <div class="page" data-page={name}>
      <header class="top-bar export-bar">
        <Logo />
        {bar}
      </header>
      <main class="scene" aria-label="Arm" />
    </div>,
  );
  const scene = frame.querySelector('main')!;
  scene.append(stage.element);
  return { frame, scene };
}

export function applyTheme(stage: Stage, theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  stage.setTheme(theme);
}

/** Draws a cell around the arm. */
export function showCell(stage: Stage, cell: CellSource['cell']): CellLayer {
  const layer = new CellLayer({
    cell,
    pace: () => 0,
    arm: stage.arm,
    redraw: () => stage.requestRender(),
    onCell: () => stage.frame(),
    isSlow: () => true,
  });
  stage.element.append(layer.labels);
  stage.setOverlay(layer, true);
  return layer;
}
