/**
 * The planned toolpath in the scene: path, ghost at the cursor, zones, grid cells and marks. Reads
 * the page's store and draws what changed; what it drew can be read back for tests.
 */
import { Box3, Group, LineSegments, Mesh, type Object3D, Vector3 } from 'three';
import type { Toolpath } from '../../contract/types.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import type { PosedToolpath } from '../panels/collision-switch.ts';
import { markList } from '../toolpath/mark-list.ts';
import type { ToolpathStore, ToolpathView } from '../toolpath/toolpath-store.ts';
import { createStretchMoment, sampleWay, type Way } from '../toolpath/way.ts';
import type { Arm } from './arm.ts';
import { createLattice, type PlacedGrid, placedGrids } from './cell-lattice.ts';
import { createGhost } from './ghost.ts';
import { createPlanMarks } from './plan-marks.ts';
import type { SceneLayer } from './scene-layer.ts';
import { createTrail } from './trail.ts';
import { inOneColour, readWayColours } from './way-colours.ts';
import { createWayLines } from './way-lines.ts';
import { createZones } from './zones.ts';

/** What is really drawn of the plan. */
export interface DrawnPlan {
  /** Joint angles (rad) of the ghost; null while it is hidden. */
  readonly joints: readonly number[] | null;
  /** The ghost's matrices, live. */
  readonly matrices: readonly number[][];
  /** Zones that can be seen: where their frame stands and how large they are (m). */
  readonly zones: readonly { readonly at_m: number[]; readonly size_m: number[] }[];
}

export interface PlanLayer extends SceneLayer {
  readonly marks: HTMLElement;
  /** Draws another way beside the open one, in one quiet colour; null takes it away. */
  compare(way: Way | null): void;
  /** Takes where the running arm's tool really is (m). */
  follow(tip: readonly [number, number, number]): void;
  /** Whether the real arm is in the scene too. */
  setAlone(alone: boolean): void;
  drawn(): DrawnPlan;
  /** The pose at the cursor and its toolpath; null while no ghost stands there. */
  posed(): PosedToolpath | null;
  /** The drawn zones themselves, so that a test can hide one. */
  readonly zoneObjects: () => readonly { visible: boolean }[];
}

/** So many points of the path say how far it reaches. */
const EXTENT_POINTS = 200;

/** Size of a drawn zone in its own frame (m). */
function sizeOf(zone: Object3D): number[] {
  const box = new Box3();
  for (const child of zone.children) {
    if (!(child instanceof Mesh || child instanceof LineSegments)) continue;
    child.geometry.computeBoundingBox();
    box.union(child.geometry.boundingBox);
  }
  return box.getSize(new Vector3()).toArray();
}

interface Parts {
  readonly store: ToolpathStore;
  readonly arm: Arm;
  /** Asks for a frame. */
  readonly redraw: () => void;
}

class StorePlanLayer implements PlanLayer {
  readonly object = new Group();
  readonly marks: HTMLElement;
  private readonly store: ToolpathStore;
  private readonly ghost: ReturnType<typeof createGhost>;
  private readonly lines = createWayLines();
  private readonly otherLines = createWayLines();
  private readonly redraw: () => void;
  private readonly zones = createZones();
  private readonly lattice = createLattice();
  private readonly trail = createTrail();
  private readonly labels = createPlanMarks((target) => this.store.select(target));
  private readonly moment = createStretchMoment();
  private grids: readonly PlacedGrid[] = [];
  private changed = true;

  constructor({ store, arm, redraw }: Parts) {
    this.store = store;
    this.redraw = redraw;
    this.ghost = createGhost(arm);
    this.marks = this.labels.element;
    const { lines, zones, lattice, ghost } = this;
    const { object: trail } = this.trail;
    this.object.add(this.otherLines.object, lines.object, zones.object, lattice.object);
    this.object.add(ghost.object, trail);
    store.subscribe((view, before) => {
      this.take(view, before);
      redraw();
    });
    this.show(store.view());
  }

  compare(way: Way | null): void {
    this.otherLines.set(way, 'type');
    this.changed = true;
    this.redraw();
  }

  follow(tip: readonly [number, number, number]): void {
    if (this.trail.add(tip, performance.now())) this.changed = true;
  }

  setAlone(alone: boolean): void {
    this.ghost.setAlone(alone);
    this.changed = true;
  }

  advance(): boolean {
    const finer = this.ghost.sync();
    const changed = this.changed || finer;
    this.changed = false;
    return changed;
  }

  extent(): readonly Vector3[] {
    const { way } = this.store.view();
    if (!way) return [];
    const { tips, count } = way.track;
    const every = Math.ceil(count / EXTENT_POINTS);
    return Array.from({ length: Math.ceil(count / every) }, (_, i) =>
      new Vector3().fromArray(tips, 3 * i * every),
    );
  }

  paint(palette: Parameters<SceneLayer['paint']>[0]): void {
    const colours = readWayColours(palette.theme);
    this.lines.paint(colours);
    this.otherLines.paint(inOneColour(colours, palette.text2));
    this.zones.paint(palette);
    this.ghost.paint(palette.accent);
    this.trail.paint(palette.accent);
    this.lattice.object.material.color.copy(palette.accent);
    this.changed = true;
  }

  resize(width: number, height: number): void {
    this.lines.resize(width, height);
    this.otherLines.resize(width, height);
    this.trail.resize(width, height);
    this.lattice.object.material.resolution.set(width, height);
  }

  place(...view: Parameters<SceneLayer['place']>): void {
    this.labels.place(...view);
  }

  drawn(): DrawnPlan {
    const zones = this.zones.object.children.filter(({ visible }) => visible);
    const shown = this.zones.object.visible ? zones : [];
    return {
      joints: this.ghost.object.visible ? this.ghost.drawnJoints() : null,
      matrices: this.ghost.matrices(),
      zones: shown.map((zone) => ({ at_m: zone.position.toArray(), size_m: sizeOf(zone) })),
    };
  }

  posed(): PosedToolpath | null {
    const { opened, way } = this.store.view();
    if (!opened || !way || !this.ghost.object.visible) return null;
    return { joints: this.moment.joints, toolpath: opened.toolpath };
  }

  zoneObjects = () => this.zones.object.children;

  private take(view: ToolpathView, before: ToolpathView): void {
    if (view.opened !== before.opened) this.open(view.opened?.toolpath ?? null);
    this.show(view);
    const marked = (of: ToolpathView) => [of.opened, of.selected, of.finding, of.way, of.layers];
    const now = marked(view);
    if (marked(before).some((value, i) => value !== now[i])) this.mark(view);
  }

  private open(toolpath: Toolpath | null): void {
    this.zones.set(toolpath?.metadata.avoidance_zones ?? []);
    this.grids = toolpath ? placedGrids(toolpath) : [];
    this.lattice.set(this.grids);
    if (toolpath) this.ghost.setTool(createTool(toolpath.metadata.tcp_config));
  }

  private show({ way, layers, colouring, cursor_s }: ToolpathView): void {
    this.lines.set(way, colouring);
    this.lines.object.visible = layers.path;
    this.lattice.object.visible = layers.waypoints && this.grids.length > 0;
    this.zones.object.visible = layers.zones;
    this.ghost.object.visible = layers.ghost && way !== null;
    if (way) {
      sampleWay(way, cursor_s, this.moment);
      this.ghost.setPose(this.moment.joints);
    }
    this.changed = true;
  }

  private mark(view: ToolpathView): void {
    this.labels.set(markList(view, this.grids));
  }
}

/** The layer of the open toolpath in `store`. */
export function createPlanLayer(parts: Parts): PlanLayer {
  return new StorePlanLayer(parts);
}
