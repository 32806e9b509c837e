/**
 * The collision layer: capsules as wire, obstacles, and every close or colliding pair with a line
 * between the closest points and its distance. It can be shown on any page; pose and environment
 * come from its source. Tests read back what is drawn.
 */
import { BufferGeometry, Group, LineBasicMaterial, LineSegments, Vector3 } from 'three';
import type { AvoidanceZone, SimObstacle, TcpConfig } from '../../contract/types.generated.ts';
import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import {
  bodiesOf,
  type ClosestPair,
  createProximity,
  type Proximity,
} from '../collision/proximity.ts';
import { frameMatrix } from './arm.ts';
import { type BodyWire, createBodyWires, type DrawnBody, readWire } from './body-wires.ts';
import { createLabels, type Label } from './labels.ts';
import { createObstacleBoxes } from './obstacle-boxes.ts';
import type { Palette } from './palette.ts';
import type { SceneLayer } from './scene-layer.ts';

/** A contact that the plant reports; link 7 is the tool. */
export interface PlantTouch {
  readonly link: number;
  readonly obstacle: string;
  readonly force_n: number;
}

/** What the layer shows. A new object whenever anything except the pose changes. */
export interface CollisionEnvironment {
  readonly tool: TcpConfig | undefined;
  readonly zones: readonly AvoidanceZone[];
  readonly obstacles: readonly SimObstacle[];
  readonly touches: readonly PlantTouch[];
  readonly shown: { readonly capsules: boolean; readonly obstacles: boolean };
}

export interface CollisionSource {
  /** Joint angles (rad) of the pose to check. */
  joints(): ArrayLike<number>;
  environment(): CollisionEnvironment;
}

/** State read back from the drawn objects. */
export interface DrawnCollision {
  readonly bodies: readonly (DrawnBody & { readonly hit: boolean })[];
  readonly obstacles: ReturnType<ReturnType<typeof createObstacleBoxes>['drawn']>;
  /** Texts at the lines between closest points. */
  readonly labels: readonly string[];
  readonly lines: readonly (readonly number[])[];
}

/** Pairs farther apart than this are not shown (m). */
const NEAR_M = 0.15;

function millimetres(distance_m: number): string {
  return `${(distance_m * 1000).toFixed(1).replace('-', '−')} mm`;
}

function textOf({ other, distance_m, colliding }: ClosestPair): string {
  return `${other}, ${millimetres(distance_m)}${colliding ? ', collision' : ''}`;
}

function middleOf({ points: { from_m, to_m } }: ClosestPair): Vector3 {
  return new Vector3(...from_m).add(new Vector3(...to_m)).divideScalar(2);
}

/** The capsules of the arm at the pose of `source`, and what they come near to. */
export class CollisionLayer implements SceneLayer {
  readonly object = new Group();
  readonly labels: HTMLElement;
  /** The drawn capsules, so that a test can hide one. */
  readonly wires = () => this.bodies.map(({ object }) => object);
  private readonly source: CollisionSource;
  private readonly labelLayer = createLabels();
  private readonly boxes = createObstacleBoxes();
  private readonly free = new LineBasicMaterial({ toneMapped: false, depthTest: false });
  private readonly hit = new LineBasicMaterial({ toneMapped: false, depthTest: false });
  private readonly joints = new Float64Array(JOINT_COUNT).fill(Number.NaN);
  private readonly frames = createFrames();
  private bodies: readonly BodyWire[] = [];
  private environment: CollisionEnvironment | null = null;
  private shown: CollisionEnvironment['shown'] | null = null;
  private proximity: Proximity = createProximity({}, []);
  private lines: LineSegments<BufferGeometry, LineBasicMaterial>[] = [];
  private shownLabels: readonly Label[] = [];
  private palette: Palette | null = null;

  constructor(source: CollisionSource) {
    this.source = source;
    this.labels = this.labelLayer.element;
  }

  update(): boolean {
    const environment = this.source.environment();
    const joints = this.source.joints();
    const same = this.joints.every((angle, j) => angle === joints[j]);
    if (same && environment === this.environment) return false;
    this.joints.set(Array.from(joints).slice(0, JOINT_COUNT));
    if (environment !== this.environment) this.setEnvironment(environment);
    this.pose();
    return true;
  }

  boundingPoints(): readonly Vector3[] {
    return [];
  }

  applyPalette(palette: Palette): void {
    this.palette = palette;
    this.free.color.copy(palette.ring);
    this.hit.color.copy(palette.fault);
    this.boxes.paint(palette);
    for (const { fill } of this.bodies) fill.material.color.copy(palette.fault);
    this.environment = null;
  }

  resize(): void {}

  placeLabels(...view: Parameters<SceneLayer['placeLabels']>): void {
    this.labelLayer.place(...view);
  }

  drawn(): DrawnCollision {
    const seen = this.bodies.filter(({ object }) => object.visible);
    return {
      bodies: seen.map((body) => ({ ...readWire(body), hit: body.fill.visible })),
      obstacles: this.boxes.drawn(),
      labels: this.shownLabels.map(({ text }) => text),
      lines: this.lines.map((line) => [...line.geometry.getAttribute('position').array]),
    };
  }

  private setEnvironment(environment: CollisionEnvironment): void {
    const { tool, zones, obstacles, shown } = environment;
    if (tool !== this.environment?.tool || this.bodies.length === 0)
      this.rebuildBodies(environment);
    if (shown !== this.shown) this.show(shown.capsules);
    this.shown = shown;
    this.environment = environment;
    this.proximity = createProximity({ zones, ...(tool && { tool }) }, obstacles);
    this.boxes.set(obstacles);
    this.boxes.object.visible = shown.obstacles;
  }

  private show(capsules: boolean): void {
    for (const { object } of this.bodies) object.visible = capsules;
  }

  /** Rebuilds the capsules after the tool has changed. */
  private rebuildBodies({ tool, shown }: CollisionEnvironment): void {
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
    const { obstacles, touches, shown } = this.environment!;
    const found = this.proximity.at(this.joints);
    const near = found.filter(({ distance_m, obstacle_id }) => {
      return distance_m < NEAR_M && (obstacle_id === null || shown.obstacles);
    });
    const touched = touches.flatMap(({ link }) => bodiesOf(link, this.proximity.scene));
    const colliding = near.filter(({ colliding }) => colliding);
    const hits = new Set([...colliding.flatMap(({ bodies }) => bodies), ...touched]);
    const boxes = obstacles.filter(({ id, name }) => {
      const touched = touches.some(({ obstacle }) => obstacle === name);
      return touched || colliding.some(({ obstacle_id }) => obstacle_id === id);
    });
    this.boxes.setHit(new Set(boxes.map(({ id }) => id)));
    this.mark(hits);
    this.drawLines(near);
  }

  private mark(hits: ReadonlySet<number>): void {
    const { shown } = this.environment!;
    for (const [i, { object, fill }] of this.bodies.entries()) {
      fill.visible = hits.has(i) && shown.capsules;
      object.material.color.copy((hits.has(i) ? this.hit : this.free).color);
    }
  }

  /** Draws the lines between closest points and their labels. */
  private drawLines(near: readonly ClosestPair[]): void {
    for (const line of this.lines) {
      this.object.remove(line);
      line.geometry.dispose();
    }
    const shown = this.environment!.shown.capsules ? near : [];
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
    const contactText = (name: string): string => {
      const touches = this.environment!.touches.filter(({ obstacle }) => obstacle === name);
      const force_n = touches.reduce((sum, touch) => sum + touch.force_n, 0);
      return touches.length > 0 ? `, ${force_n.toFixed(1)} N` : '';
    };
    this.shownLabels = shown.map((each) => ({
      text: textOf(each) + contactText(each.other),
      at: middleOf(each),
      kind: each.colliding ? 'fault' : 'zone',
    }));
    this.labelLayer.set(this.shownLabels);
  }
}
