/** The cell in the scene, and what just happened in it. Tests read back what is drawn. */
import {
  Box3,
  Color,
  Group,
  MeshStandardMaterial,
  type Object3D,
  type Raycaster,
  Vector3,
} from 'three';
import type { Cell, CellEvent, CellState } from '../../contract/types.generated.ts';
import type { Arm } from './arm.ts';
import { type DrawnBelt, drawBelt } from './cell-belts.ts';
import { CellBodies } from './cell-bodies.ts';
import { CellFixtures, upperCorners } from './cell-fixtures.ts';
import { CellGrippers } from './cell-grippers.ts';
import { type DrawnSensor, drawSensor } from './cell-sensors.ts';
import { disposeIn } from './dispose-in.ts';
import { EventMarks } from './event-marks.ts';
import { createLabels, type Label } from './labels.ts';
import type { Palette } from './palette.ts';
import { PICK_LAYER } from './pick-layer.ts';
import type { SceneLayer } from './scene-layer.ts';
import { drawStanding } from './standing-parts.ts';

/** State read back from the drawn cell. */
export interface DrawnCell {
  /** Middle of each object's bottom face in the world (m), and whether it follows the flange. */
  readonly objects: ReturnType<CellBodies['drawn']>;
  /** Distance between the drawn fingers (m); 0 for a cup. */
  readonly grippers: ReturnType<CellGrippers['drawn']>;
  /** Sensors that are drawn as active. */
  readonly lit: readonly string[];
  /** Travel of the marks of each running belt (m). */
  readonly belts: readonly { readonly name: string; readonly travel_m: number }[];
  readonly labels: readonly string[];
}

/** A part under the pointer. */
export interface CellPick {
  readonly kind: 'object' | 'fixture' | 'device';
  readonly name: string;
  readonly at: Vector3;
}

/** The cell around the arm, and what happened in it, newest first. */
export interface CellNow {
  readonly description: Cell;
  readonly state: CellState;
  readonly events: readonly CellEvent[];
}

export interface CellSource {
  /** The cell now; null without one. */
  cell(): CellNow | null;
  /** Seconds of the twin per second of the page; 0 while the clock is paused. */
  pace(): number;
  readonly arm: Arm;
  /** Requests a frame. */
  readonly redraw: () => void;
  /** Called when another cell is drawn, or none any more; `isFirst` where there was none before. */
  readonly onCell: (isFirst: boolean) => unknown;
  /** Whether frames are dear: belts then move only with something else. */
  readonly isSlow: () => boolean;
}

/** Belts alone are drawn at most this often (ms). */
const BELT_FRAME_MS = 80;
/** Height of a label above its part (m). */
const LABEL_M = 0.03;
const FRAME_MAX_MS = 100;

function abovePart(part: Object3D): Vector3 {
  part.updateWorldMatrix(true, true);
  const box = new Box3().setFromObject(part);
  return box.getCenter(new Vector3()).setZ(box.max.z + LABEL_M);
}

/** The cell of `source` in the scene; it starts empty. */
export class CellLayer implements SceneLayer {
  readonly object = new Group();
  readonly labels: HTMLElement;
  readonly castsShadow = true;
  private readonly source: CellSource;
  private readonly labelLayer = createLabels();
  private readonly dark = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.15 });
  private readonly metal = new MeshStandardMaterial({ roughness: 0.4, metalness: 0.7 });
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private readonly marks = new EventMarks(this.still, () => this.setLabels());
  private readonly bodies: CellBodies;
  private readonly grippers: CellGrippers;
  private readonly fixtures: CellFixtures;
  private readonly signals = new Group();
  private readonly handles = new Group();
  private cell: CellNow | null = null;
  private sensors: DrawnSensor[] = [];
  private belts: DrawnBelt[] = [];
  private palette: Palette | null = null;
  private shownLabels: readonly Label[] = [];
  private selected: string | null = null;
  private last_ms = 0;
  private belt_ms = 0;
  private changed = true;

  constructor(source: CellSource) {
    this.source = source;
    this.labels = this.labelLayer.element;
    this.bodies = new CellBodies(source.arm);
    this.grippers = new CellGrippers(source.arm);
    this.fixtures = new CellFixtures(this.dark);
    const { signals, handles, fixtures, bodies, marks } = this;
    this.object.add(fixtures.group, signals, handles, bodies.group, bodies.together, marks.ring);
  }

  update(): boolean {
    const now_ms = performance.now();
    const passed_ms = Math.min(now_ms - this.last_ms, FRAME_MAX_MS);
    this.last_ms = now_ms;
    const cell = this.source.cell();
    if (cell !== this.cell) this.show(cell, now_ms);
    const moved = this.bodies.move(passed_ms);
    const rolled = this.moveBelts(now_ms, passed_ms);
    const pulsed = this.marks.animate(now_ms);
    if (moved || pulsed) this.source.redraw();
    const isNew = this.changed;
    this.changed = false;
    return isNew || moved || rolled || pulsed;
  }

  boundingPoints(): readonly Vector3[] {
    const bodies = this.bodies.drawn().map(({ at_m }) => new Vector3(...at_m));
    const fixed = [...this.fixtures.group.children, ...this.belts.map(({ object }) => object)];
    return [...bodies, ...this.grippers.tips(), ...fixed.flatMap(upperCorners)];
  }

  applyPalette(palette: Palette): void {
    this.palette = palette;
    this.dark.color.set(palette.theme === 'light' ? 0x3a4046 : 0x4a5259);
    this.metal.color.copy(palette.metal);
    this.fixtures.paint(palette);
    this.marks.ring.material.color.copy(palette.accent);
    for (const sensor of this.sensors) sensor.paint(palette);
    this.grippers.paint(palette, this.cell?.state.grippers ?? []);
    this.markSelected();
  }

  resize(): void {}

  placeLabels(...view: Parameters<SceneLayer['placeLabels']>): void {
    this.labelLayer.place(...view);
  }

  drawn(): DrawnCell {
    const running = this.belts.filter((belt) => belt.running());
    return {
      objects: this.bodies.drawn(),
      grippers: this.grippers.drawn(),
      lit: this.sensors.filter((sensor) => sensor.lit()).map(({ name }) => name),
      belts: running.map((belt) => ({ name: belt.name, travel_m: belt.travel() })),
      labels: this.shownLabels.map(({ text }) => text),
    };
  }

  /** Shows or hides the grippers, which belong to the arm; the tool cylinder takes their place. */
  showGrippers(shown: boolean): void {
    this.grippers.setShown(shown);
    this.redraw();
  }

  /** The part that a ray meets first, or null; an object comes before the volume that it is in. */
  pick(ray: Raycaster): CellPick | null {
    this.object.updateMatrixWorld(true);
    ray.layers.enable(PICK_LAYER);
    const groups = [this.bodies.group, this.fixtures.group, this.handles];
    const picks = ray
      .intersectObjects(groups, true)
      .flatMap(({ object, point: at }): CellPick[] => {
        const [body, fixture] = [this.bodies.of(object), this.fixtures.of(object)];
        if (body !== null) return [{ kind: 'object', name: body, at }];
        if (fixture !== null) return [{ kind: 'fixture', name: fixture, at }];
        return [{ kind: 'device', name: object.name, at }];
      });
    const [first] = picks;
    const isVolume = this.sensors.find(({ name }) => name === first?.name)?.isVolume;
    return (isVolume && picks.find(({ kind }) => kind === 'object')) || (first ?? null);
  }

  /** Marks a part as selected; null for none. */
  select(name: string | null): void {
    if (name === this.selected) return;
    this.selected = name;
    this.markSelected();
  }

  /** Draws a part beside its place while it is dragged (m); null puts it back. */
  drag(name: string, by: Vector3 | null): void {
    this.bodies.offset(name, by);
    this.fixtures.offset(name, by);
    this.setLabels();
    this.redraw();
  }

  /** Draws the sensors and conveyors as in another description; null as in its own. */
  preview(cell: Cell | null): void {
    this.rebuildDevices(cell ?? this.cell?.description ?? null);
    if (this.cell) this.showDevices(this.cell, null);
    this.markSelected();
  }

  private redraw(): void {
    this.changed = true;
    this.source.redraw();
  }

  private markSelected(): void {
    this.bodies.highlight(this.selected, this.palette?.accent ?? new Color());
    this.setLabels();
    this.redraw();
  }

  private show(cell: CellNow | null, now_ms: number): void {
    const before = this.cell;
    this.cell = cell;
    this.changed = true;
    const isNew = cell?.description !== before?.description;
    if (isNew) this.rebuild(cell?.description ?? null);
    if (cell) this.showState(cell, before, now_ms);
    if (isNew) this.source.onCell(!before);
  }

  private showState(cell: CellNow, before: CellNow | null, now_ms: number): void {
    const { state, events } = cell;
    this.grippers.show(state);
    this.bodies.show(state);
    this.showDevices(cell, before);
    const [latest] = events;
    if (latest && latest !== before?.events[0]) this.marks.onEvent(latest, now_ms);
    if (this.palette) this.grippers.paint(this.palette, state.grippers);
  }

  private showDevices({ state }: CellNow, before: CellNow | null): void {
    for (const now of state.sensors) this.sensors.find(({ name }) => name === now.name)?.show(now);
    for (const belt of this.belts) {
      const now = state.conveyors.find(({ name }) => name === belt.name);
      if (now && !before?.state.conveyors.includes(now)) belt.show(now);
    }
  }

  private moveBelts(now_ms: number, passed_ms: number): boolean {
    const pace = this.source.pace();
    if (pace === 0 || !this.belts.some((belt) => belt.running())) return false;
    for (const belt of this.belts) belt.advance((passed_ms / 1000) * pace);
    const rests = this.still.matches || this.source.isSlow();
    if (rests || now_ms - this.belt_ms < BELT_FRAME_MS) return false;
    this.belt_ms = now_ms;
    return true;
  }

  private setLabels(): void {
    const above = this.selected === null ? null : this.above(this.selected);
    const labels: Label[] = above ? [{ text: this.selected!, at: above, kind: 'zone' }] : [];
    labels.push(...this.marks.labels());
    this.shownLabels = labels;
    this.labelLayer.set(labels);
  }

  /** Where the label of a part is. */
  private above(name: string): Vector3 | null {
    const body = this.bodies.above(name);
    if (body) return body;
    const handle = this.handles.children.find((each) => each.name === name);
    const part = handle ?? this.fixtures.named(name);
    return part ? abovePart(part) : null;
  }

  private rebuild(cell: Cell | null): void {
    this.fixtures.build(cell);
    this.rebuildDevices(cell);
    this.bodies.build(cell?.objects ?? []);
    this.grippers.build(cell?.grippers ?? []);
    this.markSelected();
  }

  private rebuildDevices(cell: Cell | null): void {
    for (const group of [this.signals, this.handles]) disposeIn(group, [this.dark, this.metal]);
    this.sensors = (cell?.sensors ?? []).flatMap((sensor) => drawSensor(sensor) ?? []);
    this.belts = (cell?.conveyors ?? []).map(drawBelt);
    const materials = { frame: this.dark, rail: this.metal };
    const devices = [...this.sensors, ...this.belts];
    const moving = devices.map(({ object }) => object);
    const all = [...moving, ...drawStanding(this.sensors, this.belts, materials)];
    for (const object of all) this.signals.add(object);
    for (const { handle } of devices) this.handles.add(handle);
    if (this.palette) for (const sensor of this.sensors) sensor.paint(this.palette);
  }
}
