/**
 * The planned path of the tool: 3 px by kind of move or by speed, a dot each 100 ms, faulty parts
 * thicker in the colour of faults. Drawn twice, faintly without depth test and then solid, so that
 * what lies behind the arm stays visible.
 */
import { Color, Group } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Way } from '../toolpath/way.ts';
import { colourOf, type PathColouring, type WayColours } from './way-colours.ts';

const STEP_M = 0.004;
const SEGMENTS_MAX = 20_000;
const DOT_S = 0.1;
const DOTS_MAX = 3_000;
/** Just long enough to have a direction on the screen: the round ends make the dot. */
const DOT_M = 1e-4;

export interface WayLines {
  readonly object: Group;
  set(way: Way | null, colouring: PathColouring): void;
  paint(colours: WayColours): void;
  resize(width: number, height: number): void;
}

/** Segments of a track as pairs of sample indexes, shorter ones joined. */
function segmentsOf({ track }: Way): number[] {
  const { count, tips, stretches } = track;
  const pairs: number[] = [];
  let step_m = STEP_M;
  let from = 0;
  for (let i = 1; i < count; i++) {
    if (stretches[i] !== stretches[from]) {
      from = i;
      continue;
    }
    const far = Math.hypot(...[0, 1, 2].map((k) => tips[3 * i + k]! - tips[3 * from + k]!));
    const last = stretches[i + 1] !== stretches[i];
    if (far < step_m && !(last && far > 0)) continue;
    pairs.push(from, i);
    from = i;
    if (pairs.length > SEGMENTS_MAX) step_m = 10 * STEP_M;
  }
  return pairs;
}

function tipAt(tips: Float32Array, i: number): [number, number, number] {
  return [tips[3 * i]!, tips[3 * i + 1]!, tips[3 * i + 2]!];
}

/** Where the tool is each 100 ms while it moves, as short strokes. */
function dotsOf({ track, duration_s }: Way): number[] {
  const every_s = Math.max(DOT_S, duration_s / DOTS_MAX);
  const dots: number[] = [];
  let next_s = 0;
  for (let i = 0; i < track.count; i++) {
    if (track.times_s[i]! < next_s) continue;
    next_s = track.times_s[i]! + every_s * 0.999;
    if (track.speeds[i]! < 1e-4) continue;
    const [x, y, z] = tipAt(track.tips, i);
    dots.push(x, y, z, x + DOT_M, y, z + DOT_M);
  }
  return dots;
}

/** The parts of the way that cannot be made. */
function faultySegments(way: Way, pairs: readonly number[]): number[] {
  const { track, stretches } = way;
  const faulty: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const stretch = stretches[track.stretches[pairs[i]!]!]!;
    const { problem } = stretch;
    const late = problem && track.times_s[pairs[i + 1]!]! > stretch.start_s + problem.from_s;
    if (late) faulty.push(...tipAt(track.tips, pairs[i]!), ...tipAt(track.tips, pairs[i + 1]!));
  }
  return faulty;
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

class PaintedLines implements WayLines {
  readonly object = new Group();
  private readonly hidden = stroke(3, 0.25, false);
  private readonly solid = stroke(3, 1, true);
  private readonly faulty = stroke(4.5, 1, false);
  private readonly dots = stroke(2, 0.9, true);
  private way: Way | null = null;
  private colouring: PathColouring = 'type';
  private colours: WayColours | null = null;

  constructor() {
    const lines = [this.hidden, this.solid, this.dots, this.faulty];
    for (const [order, line] of lines.entries()) line.renderOrder = order + 1;
    for (const line of [this.hidden, this.solid]) line.material.vertexColors = true;
    this.object.add(...lines);
  }

  set(way: Way | null, colouring: PathColouring): void {
    if (way === this.way && colouring === this.colouring) return;
    this.way = way;
    this.colouring = colouring;
    this.draw();
  }

  paint(colours: WayColours): void {
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
    const { way, colours } = this;
    if (!colours) return;
    const pairs = way ? segmentsOf(way) : [];
    const positions = way ? pairs.flatMap((i) => tipAt(way.track.tips, i)) : [];
    const paint = new Color();
    const tints = way
      ? pairs.flatMap((i) => colourOf(way, i, this.colouring, colours, paint).toArray())
      : [];
    for (const line of [this.hidden, this.solid]) fill(line, positions, tints);
    fill(this.faulty, way ? faultySegments(way, pairs) : []);
    fill(this.dots, way ? dotsOf(way) : []);
  }
}

/** Lines of no way yet. */
export function createWayLines(): WayLines {
  return new PaintedLines();
}
