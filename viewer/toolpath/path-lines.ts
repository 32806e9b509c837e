/**
 * Draws the planned tool path: 3 px lines coloured by move type or speed, a dot every 100 ms,
 * faulty parts thicker in the fault colour. Lines are drawn twice, faint without depth test and
 * then solid, so that parts behind the arm stay visible.
 */
import { Color, Group } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { type PathColouring, type PathColours, sampleColour } from './path-colours.ts';
import { chordsOf, dotsOf, isFaulty } from './path-strokes.ts';
import type { TimedPath } from './timed-path.ts';

/** Length of a stroke that looks like a dot because of its round ends. */
const DOT_M = 1e-4;

function tipAt(tips: Float32Array, i: number): [number, number, number] {
  return [tips[3 * i]!, tips[3 * i + 1]!, tips[3 * i + 2]!];
}

/** Short strokes at samples, long enough to have a direction on the screen. */
function pointsAt(tips: Float32Array, samples: readonly number[]): number[] {
  return samples.flatMap((i) => {
    const [x, y, z] = tipAt(tips, i);
    return [x, y, z, x + DOT_M, y, z + DOT_M];
  });
}

function stroke(width: number, opacity: number, depthTest: boolean): LineSegments2 {
  const material = new LineMaterial({
    linewidth: width,
    opacity,
    depthTest,
    transparent: true,
    depthWrite: false,
    toneMapped: false,
  });
  const line = new LineSegments2(new LineSegmentsGeometry(), material);
  line.frustumCulled = false;
  line.visible = false;
  return line;
}

function fill(
  line: LineSegments2,
  positions: readonly number[],
  colours?: readonly number[],
): void {
  line.visible = positions.length > 0;
  line.geometry.dispose();
  line.geometry = new LineSegmentsGeometry();
  if (positions.length === 0) return;
  line.geometry.setPositions([...positions]);
  if (colours) line.geometry.setColors([...colours]);
}

/** The lines of a path in the scene, at first without a path. */
export class PathLines {
  readonly object = new Group();
  private readonly hidden = stroke(3, 0.25, false);
  private readonly solid = stroke(3, 1, true);
  private readonly faulty = stroke(4.5, 1, false);
  private readonly dots = stroke(2, 0.9, true);
  private path: TimedPath | null = null;
  private colouring: PathColouring = 'type';
  private colours: PathColours | null = null;

  constructor() {
    const lines = [this.hidden, this.solid, this.dots, this.faulty];
    for (const [order, line] of lines.entries()) line.renderOrder = order + 1;
    for (const line of [this.hidden, this.solid]) line.material.vertexColors = true;
    this.object.add(...lines);
  }

  set(path: TimedPath | null, colouring: PathColouring): void {
    if (path === this.path && colouring === this.colouring) return;
    this.path = path;
    this.colouring = colouring;
    this.draw();
  }

  paint(colours: PathColours): void {
    this.colours = colours;
    this.faulty.material.color.copy(colours.fault);
    this.dots.material.color.copy(colours.dot);
    this.draw();
  }

  resize(width: number, height: number): void {
    for (const line of [this.hidden, this.solid, this.faulty, this.dots]) {
      line.material.resolution.set(width, height);
    }
  }

  private draw(): void {
    const { path, colours } = this;
    if (!colours) return;
    const tips = path?.samples.tips ?? new Float32Array();
    const ends = path ? chordsOf(path, this.colouring === 'speed') : [];
    const paint = new Color();
    const colourAt = (i: number) =>
      sampleColour(path!, i, this.colouring, colours, paint).toArray();
    const place = (samples: readonly number[]) => samples.flatMap((i) => tipAt(tips, i));
    for (const line of [this.hidden, this.solid]) fill(line, place(ends), ends.flatMap(colourAt));
    const faulty = ends.filter((_, at) => isFaulty(path!, ends[at | 1]!));
    fill(this.faulty, place(faulty));
    fill(this.dots, path ? pointsAt(tips, dotsOf(path)) : []);
  }
}
