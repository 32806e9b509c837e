/** The cell in the scene, and what just happened in it. Tests read back what is drawn. */
import {
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Raycaster,
  RingGeometry,
  Vector3,
} from 'three';
import type { Cell, CellEvent } from '../../contract/types.ts';
import type { CellView } from '../link/arm-store.ts';
import type { Arm } from './arm.ts';
import { CellBodies, PICK_LAYER } from './cell-bodies.ts';
import { CellFixtures, CellGrippers, drawStanding, upperCorners } from './cell-fixtures.ts';
import { type DrawnBelt, type DrawnSensor, drawBelt, drawSensor } from './cell-signals.ts';
import { createLabels, type Label } from './labels.ts';
import type { Palette } from './palette.ts';
import type { SceneLayer } from './renderer.ts';

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
  readonly kind: 'object' | 'fixture';
  readonly name: string;
  readonly at: Vector3;
}

export interface CellLayer extends SceneLayer {
  readonly labels: HTMLElement;
  drawn(): DrawnCell;
  /** Shows or hides the grippers, which belong to the arm; the tool cylinder takes their place. */
  showGrippers(shown: boolean): void;
  /** The object or fixture that a ray meets first, or null. */
  pick(ray: Raycaster): CellPick | null;
  /** Marks a part as selected; null for none. */
  select(name: string | null): void;
  /** Draws a part beside its place while it is dragged (m); null puts it back. */
  drag(name: string, by: Vector3 | null): void;
}

export interface CellSource {
  /** The cell now; null without one. */
  cell(): CellView | null;
  /** Seconds of the twin per second of the page; 0 while the clock is paused. */
  pace(): number;
  readonly arm: Arm;
  /** Requests a frame. */
  readonly redraw: () => void;
  /** Called when another cell is drawn. */
  readonly onCell: () => void;
  /** Whether frames are dear: belts then move only with something else. */
  readonly isSlow: () => boolean;
}

/** Belts alone are drawn at most this often (ms). */
const BELT_FRAME_MS = 80;
const PULSE_MS = 700;
const PULSE_M = 0.07;
/** How long a missed or dropped object is named in the scene (ms). */
const REPORT_MS = 5000;
const FAULTS: readonly string[] = ['missed', 'dropped', 'tipped', 'slipped'];
const FRAME_MAX_MS = 100;

class StoreCellLayer implements CellLayer {
  readonly object = new Group();
  readonly labels: HTMLElement;
  readonly castsShadow = true;
  private readonly source: CellSource;
  private readonly labelLayer = createLabels();
  private readonly dark = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.15 });
  private readonly metal = new MeshStandardMaterial({ roughness: 0.4, metalness: 0.7 });
  private readonly pulse = new Mesh(
    new RingGeometry(0.86, 1, 48),
    new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false }),
  );
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private readonly bodies: CellBodies;
  private readonly grippers: CellGrippers;
  private readonly fixtures: CellFixtures;
  private readonly signals = new Group();
  private cell: CellView | null = null;
  private sensors: DrawnSensor[] = [];
  private belts: DrawnBelt[] = [];
  private palette: Palette | null = null;
  private shownLabels: readonly Label[] = [];
  private selected: string | null = null;
  private report: { readonly event: CellEvent; readonly until_ms: number } | null = null;
  private pulse_ms = 0;
  private last_ms = 0;
  private belt_ms = 0;
  private changed = true;

  constructor(source: CellSource) {
    this.source = source;
    this.labels = this.labelLayer.element;
    this.bodies = new CellBodies(source.arm);
    this.grippers = new CellGrippers(source.arm);
    this.fixtures = new CellFixtures(this.dark);
    this.pulse.visible = false;
    this.pulse.renderOrder = 5;
    const { signals, fixtures, bodies, pulse } = this;
    this.object.add(fixtures.group, signals, bodies.group, bodies.together, pulse);
  }

  update(): boolean {
    const now_ms = performance.now();
    const passed_ms = Math.min(now_ms - this.last_ms, FRAME_MAX_MS);
    this.last_ms = now_ms;
    const cell = this.source.cell();
    if (cell !== this.cell) this.show(cell, now_ms);
    const moved = this.bodies.move(passed_ms);
    const rolled = this.moveBelts(now_ms, passed_ms);
    const pulsed = this.animate(now_ms);
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
    this.pulse.material.color.copy(palette.accent);
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

  showGrippers(shown: boolean): void {
    this.grippers.setShown(shown);
    this.redraw();
  }

  pick(ray: Raycaster): CellPick | null {
    this.object.updateMatrixWorld(true);
    ray.layers.enable(PICK_LAYER);
    const [hit] = ray.intersectObjects([this.bodies.group, this.fixtures.group], true);
    if (!hit) return null;
    const body = this.bodies.of(hit.object);
    if (body !== null) return { kind: 'object', name: body, at: hit.point };
    const fixture = this.fixtures.of(hit.object);
    return fixture === null ? null : { kind: 'fixture', name: fixture, at: hit.point };
  }

  select(name: string | null): void {
    if (name === this.selected) return;
    this.selected = name;
    this.markSelected();
  }

  drag(name: string, by: Vector3 | null): void {
    this.bodies.offset(name, by);
    this.fixtures.offset(name, by);
    this.redraw();
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

  private show(cell: CellView | null, now_ms: number): void {
    const before = this.cell;
    this.cell = cell;
    this.changed = true;
    const isNew = cell?.description !== before?.description;
    if (isNew) this.rebuild(cell?.description ?? null);
    if (!cell) return;
    const { state, events } = cell;
    this.grippers.show(state);
    this.bodies.show(state);
    for (const now of state.sensors) this.sensors.find(({ name }) => name === now.name)?.show(now);
    for (const belt of this.belts) {
      const now = state.conveyors.find(({ name }) => name === belt.name);
      if (now && !before?.state.conveyors.includes(now)) belt.show(now);
    }
    const [latest] = events;
    if (latest && latest !== before?.events[0]) this.onEvent(latest, now_ms);
    if (this.palette) this.grippers.paint(this.palette, state.grippers);
    if (isNew) this.source.onCell();
  }

  /** Rings a grasp or a release; names what was missed, dropped or fell. */
  private onEvent(event: CellEvent, now_ms: number): void {
    const { kind, position } = event;
    if (kind === 'grasped' || kind === 'released') {
      this.pulse.position.set(position.x, position.y, position.z + 0.002);
      this.pulse_ms = now_ms;
    }
    if (FAULTS.includes(kind)) this.report = { event, until_ms: now_ms + REPORT_MS };
    else if (kind === 'grasped') this.report = null;
    this.setLabels();
  }

  private animate(now_ms: number): boolean {
    if (this.report && now_ms > this.report.until_ms) {
      this.report = null;
      this.setLabels();
    }
    const share = (now_ms - this.pulse_ms) / PULSE_MS;
    const shown = this.pulse_ms > 0 && share < 1 && !this.still.matches;
    const isNew = shown !== this.pulse.visible;
    this.pulse.visible = shown;
    if (shown) {
      this.pulse.scale.setScalar(PULSE_M * (0.35 + 0.65 * Math.sqrt(share)));
      this.pulse.material.opacity = 0.9 * (1 - share) ** 2;
    }
    return shown || isNew;
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
    const above = this.selected === null ? null : this.bodies.above(this.selected);
    const labels: Label[] = above ? [{ text: this.selected!, at: above, kind: 'zone' }] : [];
    if (this.report) {
      const { text, position } = this.report.event;
      const at = new Vector3(position.x, position.y, position.z + 0.08);
      labels.push({ text, at, kind: 'fault' });
    }
    this.shownLabels = labels;
    this.labelLayer.set(labels);
  }

  private rebuild(cell: Cell | null): void {
    this.signals.traverse((child) => {
      if (child instanceof Mesh) child.geometry.dispose();
    });
    this.signals.clear();
    this.fixtures.build(cell);
    this.sensors = (cell?.sensors ?? []).flatMap((sensor) => drawSensor(sensor) ?? []);
    this.belts = (cell?.conveyors ?? []).map(drawBelt);
    const materials = { frame: this.dark, rail: this.metal };
    const moving = [...this.sensors, ...this.belts].map(({ object }) => object);
    const all = [...moving, ...drawStanding(this.sensors, this.belts, materials)];
    for (const object of all) this.signals.add(object);
    this.bodies.build(cell?.objects ?? []);
    this.grippers.build(cell?.grippers ?? []);
    if (this.palette) for (const sensor of this.sensors) sensor.paint(this.palette);
    this.markSelected();
  }
}

/** Creates the layer of the cell of `source`; it starts empty. */
export function createCellLayer(source: CellSource): CellLayer {
  return new StoreCellLayer(source);
}
