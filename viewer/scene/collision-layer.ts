/**
 * The collision layer: capsules as wire, obstacles, and whatever is near or touches, with a line
 * between the closest points and the distance in words. Lies over any page; poses and surroundings
 * come from its source. What it drew can be read back for tests.
 */
import { BufferGeometry, Group, LineBasicMaterial, LineSegments, Vector3 } from 'three';
import type { AvoidanceZone, SimObstacle, TcpConfig } from '../../contract/types.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import {
  bodiesOf,
  createProximity,
  type Nearness,
  type Proximity,
} from '../collision/proximity.ts';
import { frameMatrix } from './arm.ts';
import { type BodyWire, createBodyWires, type DrawnBody, readWire } from './body-wires.ts';
import { createLabels, type Label } from './labels.ts';
import { createObstacleBoxes } from './obstacle-boxes.ts';
import type { Palette } from './palette.ts';
import type { SceneLayer } from './scene-layer.ts';

/** A touch that the plant reports: link 7 is the tool. */
export interface PlantTouch {
  readonly link: number;
  readonly obstacle: string;
  readonly force_n: number;
}

/** What the layer shows; a new object whenever anything but the pose has changed. */
export interface Surroundings {
  readonly tool: TcpConfig | undefined;
  readonly zones: readonly AvoidanceZone[];
  readonly obstacles: readonly SimObstacle[];
  readonly touches: readonly PlantTouch[];
  readonly shown: { readonly capsules: boolean; readonly obstacles: boolean };
}

export interface CollisionSource {
  /** Joint angles (rad) of the pose to look at. */
  joints(): ArrayLike<number>;
  surroundings(): Surroundings;
}

/** What is really drawn. */
export interface DrawnCollision {
  readonly bodies: readonly (DrawnBody & { readonly hit: boolean })[];
  readonly obstacles: ReturnType<ReturnType<typeof createObstacleBoxes>['drawn']>;
  /** The words at the lines between closest points. */
  readonly words: readonly string[];
  readonly lines: readonly (readonly number[])[];
}

export interface CollisionLayer extends SceneLayer {
  readonly labels: HTMLElement;
  drawn(): DrawnCollision;
  /** The drawn capsules themselves, so that a test can hide one. */
  readonly wires: () => readonly { visible: boolean }[];
}

/** Pairs farther apart than this are nobody's concern (m). */
const NEAR_M = 0.15;
const JOINTS = 6;

function millimetres(distance_m: number): string {
  return `${(distance_m * 1000).toFixed(1).replace('-', '−')} mm`;
}

function wordsOf({ other, distance_m, colliding }: Nearness): string {
  return `${other}, ${millimetres(distance_m)}${colliding ? ', collision' : ''}`;
}

function middleOf({ points: { from_m, to_m } }: Nearness): Vector3 {
  return new Vector3(...from_m).add(new Vector3(...to_m)).divideScalar(2);
}

class WiredLayer implements CollisionLayer {
  readonly object = new Group();
  readonly labels: HTMLElement;
  readonly wires = () => this.bodies.map(({ object }) => object);
  private readonly source: CollisionSource;
  private readonly words = createLabels();
  private readonly boxes = createObstacleBoxes();
  private readonly free = new LineBasicMaterial({ toneMapped: false, depthTest: false });
  private readonly hit = new LineBasicMaterial({ toneMapped: false, depthTest: false });
  private readonly joints = new Float64Array(JOINTS).fill(Number.NaN);
  private readonly frames = createFrames();
  private bodies: readonly BodyWire[] = [];
  private around: Surroundings | null = null;
  private shown: Surroundings['shown'] | null = null;
  private proximity: Proximity = createProximity({}, []);
  private lines: LineSegments<BufferGeometry, LineBasicMaterial>[] = [];
  private said: readonly Label[] = [];
  private palette: Palette | null = null;

  constructor(source: CollisionSource) {
    this.source = source;
    this.labels = this.words.element;
  }

  advance(): boolean {
    const around = this.source.surroundings();
    const joints = this.source.joints();
    const same = this.joints.every((angle, j) => angle === joints[j]);
    if (same && around === this.around) return false;
    this.joints.set(Array.from(joints).slice(0, JOINTS));
    if (around !== this.around) this.surround(around);
    this.pose();
    return true;
  }

  extent(): readonly Vector3[] {
    return [];
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.free.color.copy(palette.ring);
    this.hit.color.copy(palette.fault);
    this.boxes.paint(palette);
    for (const { fill } of this.bodies) fill.material.color.copy(palette.fault);
    this.around = null;
  }

  resize(): void {}

  place(...view: Parameters<SceneLayer['place']>): void {
    this.words.place(...view);
  }

  drawn(): DrawnCollision {
    const seen = this.bodies.filter(({ object }) => object.visible);
    return {
      bodies: seen.map((body) => ({ ...readWire(body), hit: body.fill.visible })),
      obstacles: this.boxes.drawn(),
      words: this.said.map(({ text }) => text),
      lines: this.lines.map((line) => [...line.geometry.getAttribute('position').array]),
    };
  }

  private surround(around: Surroundings): void {
    const { tool, zones, obstacles, shown } = around;
    if (tool !== this.around?.tool || this.bodies.length === 0) this.wire(around);
    if (shown !== this.shown) this.show(shown.capsules);
    this.shown = shown;
    this.around = around;
    this.proximity = createProximity({ zones, ...(tool && { tool }) }, obstacles);
    this.boxes.set(obstacles);
    this.boxes.object.visible = shown.obstacles;
  }

  private show(capsules: boolean): void {
    for (const { object } of this.bodies) object.visible = capsules;
  }

  /** Draws the capsules anew: another tool, or other colours. */
  private wire({ tool, shown }: Surroundings): void {
    for (const { object, fill } of this.bodies) {
      for (const part of [object, fill]) part.geometry.dispose();
    }
    this.bodies = createBodyWires(tool);
    this.show(shown.capsules);
    this.object.clear();
    for (const { object, fill } of this.bodies) this.object.add(fill, object);
    this.object.add(this.boxes.object);
    if (this.palette) {
      for (const { fill } of this.bodies) fill.material.color.copy(this.palette.fault);
    }
  }

  private pose(): void {
    forward(this.joints, this.frames);
    for (const { object, fill, frame } of this.bodies) {
      frameMatrix(this.frames, frame, object.matrix);
      fill.matrix.copy(object.matrix);
      for (const part of [object, fill]) part.matrixWorldNeedsUpdate = true;
    }
    const { obstacles, touches, shown } = this.around!;
    const found = this.proximity.at(this.joints);
    const near = found.filter(({ distance_m, obstacle_id }) => {
      return distance_m < NEAR_M && (obstacle_id === null || shown.obstacles);
    });
    const touched = touches.flatMap(({ link }) => bodiesOf(link, this.proximity.scene));
    const colliding = near.filter(({ colliding }) => colliding);
    const hits = new Set([...colliding.flatMap(({ bodies }) => bodies), ...touched]);
    const boxes = obstacles.filter(({ id, name }) => {
      const felt = touches.some(({ obstacle }) => obstacle === name);
      return felt || colliding.some(({ obstacle_id }) => obstacle_id === id);
    });
    this.boxes.setHit(new Set(boxes.map(({ id }) => id)));
    this.mark(hits);
    this.join(near);
  }

  private mark(hits: ReadonlySet<number>): void {
    const { shown } = this.around!;
    for (const [i, { object, fill }] of this.bodies.entries()) {
      fill.visible = hits.has(i) && shown.capsules;
      object.material.color.copy((hits.has(i) ? this.hit : this.free).color);
    }
  }

  /** Lines between closest points, and their words. */
  private join(near: readonly Nearness[]): void {
    for (const line of this.lines) {
      this.object.remove(line);
      line.geometry.dispose();
    }
    const shown = this.around!.shown.capsules ? near : [];
    this.lines = shown.map(({ points: { from_m, to_m }, colliding }) => {
      const ends = [new Vector3(...from_m), new Vector3(...to_m)];
      const line = new LineSegments(
        new BufferGeometry().setFromPoints(ends),
        colliding ? this.hit : this.free,
      );
      line.frustumCulled = false;
      line.renderOrder = 6;
      return line;
    });
    if (this.lines.length > 0) this.object.add(...this.lines);
    const felt = (name: string): string => {
      const touches = this.around!.touches.filter(({ obstacle }) => obstacle === name);
      const force_n = touches.reduce((sum, touch) => sum + touch.force_n, 0);
      return touches.length > 0 ? `, ${force_n.toFixed(1)} N` : '';
    };
    this.said = shown.map((each) => ({
      text: wordsOf(each) + felt(each.other),
      at: middleOf(each),
      kind: each.colliding ? 'fault' : 'zone',
    }));
    this.words.set(this.said);
  }
}

/** The layer over whatever pose and surroundings `source` tells of. */
export function createCollisionLayer(source: CollisionSource): CollisionLayer {
  return new WiredLayer(source);
}
