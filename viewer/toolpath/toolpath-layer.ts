/**
 * The planned toolpath in the scene: path, ghost at the cursor, zones, grid cells and marks. Draws
 * what has changed in the store of the page. Tests read back what is drawn.
 */

import { Box3, type Color, Group, LineSegments, Mesh, type Object3D, Vector3 } from 'three';
import type { Toolpath } from '../../contract/types.generated.ts';
import { createTool } from '../../physics/kinematics/tool.ts';
import { Ghost } from '../scene/ghost.ts';
import type { Box } from '../scene/label-box.ts';
import type { SceneLayer } from '../scene/scene-layer.ts';
import type { Stage } from '../scene/stage.ts';
import { createTrail } from '../scene/trail.ts';
import { createZones } from '../scene/zones.ts';
import { onChange } from '../ui/view-store.ts';
import type { BesidePath } from './beside-path.ts';
import { createLattice, type PlacedGrid, placedGrids } from './grid-lattice.ts';
import { toolpathMarks } from './mark-list.ts';
import { readPathColours, withSingleColour } from './path-colours.ts';
import { PathLines } from './path-lines.ts';
import type { PosedToolpath } from './posed-toolpath.ts';
import { createTrajectoryPoint, sampleTimedPath, type TimedPath } from './timed-path.ts';
import { createToolpathMarks, type ToolpathMarks } from './toolpath-marks.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathView } from './toolpath-view.ts';

/** State read back from the drawn toolpath. */
export interface DrawnToolpath {
  /** Joint angles (rad) of the ghost; null while it is hidden. */
  readonly joints: readonly number[] | null;
  /** The ghost's matrices, live. */
  readonly matrices: readonly number[][];
  /** Visible zones: position of their frame and size (m). */
  readonly zones: readonly { readonly at_m: number[]; readonly size_m: number[] }[];
  /** Duration of the path drawn for comparison (s); null without one. */
  readonly compared_s: number | null;
  /** Joint angles (rad) of the second arm, on the path beside the open one; null without it. */
  readonly beside: readonly number[] | null;
}

/** Number of path points used for the extent. */
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
  readonly stage: Pick<Stage, 'arm' | 'requestRender' | 'lookAt'>;
  /** The handles over the scene that names keep clear of (px). */
  readonly handles?: () => Box | null;
}

/** The open toolpath of `store` in the scene. */
export class ToolpathLayer implements SceneLayer {
  readonly object = new Group();
  readonly marks: HTMLElement;
  private readonly store: ToolpathStore;
  private readonly ghost: Ghost;
  /** The arm on the path beside the open one; made when there is one. */
  private besideGhost: Ghost | null = null;
  private besideColour: Color | null = null;
  private readonly stageArm: Stage['arm'];
  private readonly lines = new PathLines();
  private readonly otherLines = new PathLines();
  private readonly redraw: () => void;
  private readonly zones = createZones();
  private readonly lattice = createLattice();
  private readonly trail = createTrail();
  private readonly labels: ToolpathMarks;
  private readonly trajectoryPoint = createTrajectoryPoint();
  private readonly besidePoint = createTrajectoryPoint();
  private grids: readonly PlacedGrid[] = [];
  private compared: TimedPath | null = null;
  private changed = true;
  /** Whether marks and names are outdated; a frame makes them once. */
  private unmarked = true;

  constructor({ store, stage, handles = () => null }: Parts) {
    const redraw = () => stage.requestRender();
    this.store = store;
    this.redraw = redraw;
    this.stageArm = stage.arm;
    this.ghost = new Ghost(stage.arm);
    // Shaders depend on the attributes of a geometry: those that are compiled ahead have to fit.
    this.ghost.sync();
    this.labels = createToolpathMarks((target) => store.select(target), handles);
    this.marks = this.labels.element;
    const { lines, zones, lattice, ghost } = this;
    const { object: trail } = this.trail;
    this.object.add(this.otherLines.object, lines.object, zones.object, lattice.object);
    this.object.add(ghost.object, trail);
    onChange(store.shown.lookAt, (place) => place && stage.lookAt(new Vector3(...place)));
    onChange(store.whole, (view, before) => this.onStoreChange(view, before) && redraw());
    this.show(store.view());
  }

  /** Draws a second path for comparison in one quiet colour; null removes it. */
  compare(path: TimedPath | null): void {
    this.compared = path;
    this.otherLines.set(path ?? this.store.view().beside?.path ?? null, 'type');
    this.changed = true;
    this.redraw();
  }

  /** Adds a measured tool-tip position of the running arm (m) at its time (ms). */
  addTrailPoint(tip: readonly [number, number, number], at_ms: number): void {
    if (this.trail.add(tip, at_ms)) this.changed = true;
  }

  /** Whether the real arm is hidden, so that the ghost stands alone. */
  setStandalone(alone: boolean): void {
    this.ghost.setStandalone(alone);
    this.changed = true;
  }

  isBusy(): boolean {
    const { busy, playing } = this.store.view();
    return busy || playing;
  }

  update(): boolean {
    if (this.unmarked) this.labels.set(toolpathMarks(this.store.view(), this.grids));
    this.unmarked = false;
    const beside = this.besideGhost?.sync() ?? false;
    const finer = this.ghost.sync() || beside;
    const changed = this.changed || finer;
    this.changed = false;
    return changed;
  }

  boundingPoints(): readonly Vector3[] {
    const { path } = this.store.view();
    if (!path) return [];
    const { tips, count } = path.samples;
    const every = Math.ceil(count / EXTENT_POINTS);
    return Array.from({ length: Math.ceil(count / every) }, (_, i) =>
      new Vector3().fromArray(tips, 3 * i * every),
    );
  }

  applyPalette(palette: Parameters<SceneLayer['applyPalette']>[0]): void {
    const colours = readPathColours(palette.theme);
    this.lines.paint(colours);
    this.otherLines.paint(withSingleColour(colours, palette.text2));
    this.zones.paint(palette);
    this.ghost.paint(palette.accent);
    this.besideColour = palette.text2;
    this.besideGhost?.paint(palette.text2);
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

  placeLabels(...view: Parameters<SceneLayer['placeLabels']>): void {
    this.labels.place(...view);
  }

  drawn(): DrawnToolpath {
    const zones = this.zones.object.children.filter(({ visible }) => visible);
    const shown = this.zones.object.visible ? zones : [];
    return {
      joints: this.ghost.object.visible ? this.ghost.drawnJoints() : null,
      matrices: this.ghost.matrices(),
      zones: shown.map((zone) => ({ at_m: zone.position.toArray(), size_m: sizeOf(zone) })),
      compared_s: (this.compared ?? this.store.view().beside?.path)?.duration_s ?? null,
      beside: this.besideGhost?.object.visible ? this.besideGhost.drawnJoints() : null,
    };
  }

  /** The pose at the cursor with its toolpath; null while the ghost is hidden. */
  ghostPose(): PosedToolpath | null {
    const { opened, path } = this.store.view();
    if (!opened || !path || !this.ghost.object.visible) return null;
    return { joints: this.trajectoryPoint.joints, toolpath: opened.toolpath };
  }

  /** The drawn zones, so that a test can hide one. */
  zoneObjects = () => this.zones.object.children;

  /** Takes over what has changed; returns whether that is seen. */
  private onStoreChange(view: ToolpathView, before: ToolpathView): boolean {
    const differs = (...of: (keyof ToolpathView)[]) => of.some((one) => view[one] !== before[one]);
    const isMarked = differs('opened', 'selected', 'finding', 'path', 'layers');
    if (!isMarked && !differs('colouring', 'cursor_s', 'beside')) return false;
    if (differs('opened')) this.open(view.opened?.toolpath ?? null);
    if (differs('beside')) this.openBeside(view.beside);
    this.show(view);
    this.unmarked ||= isMarked;
    return true;
  }

  private open(toolpath: Toolpath | null): void {
    this.zones.set(toolpath?.metadata.avoidance_zones ?? []);
    this.grids = toolpath ? placedGrids(toolpath) : [];
    this.lattice.set(this.grids);
    if (toolpath) this.ghost.setTool(createTool(toolpath.metadata.tcp_config));
  }

  private openBeside(beside: BesidePath | null): void {
    this.compare(this.compared);
    if (!beside) return;
    if (!this.besideGhost) {
      this.besideGhost = new Ghost(this.stageArm);
      this.object.add(this.besideGhost.object);
      if (this.besideColour) this.besideGhost.paint(this.besideColour);
    }
    this.besideGhost.setTool(createTool(beside.metadata?.tcp_config));
  }

  /** The arm on the path beside the open one, where it was or would have been at the cursor. */
  private showBeside({ beside, layers, cursor_s }: ToolpathView): void {
    this.otherLines.object.visible = layers.path;
    const ghost = this.besideGhost;
    if (!ghost) return;
    ghost.object.visible = layers.path && beside !== null;
    if (!beside) return;
    sampleTimedPath(beside.path, beside.timeAt(cursor_s), this.besidePoint);
    ghost.setPose(this.besidePoint.joints);
  }

  private show(view: ToolpathView): void {
    this.showBeside(view);
    const { path, layers, colouring, cursor_s } = view;
    this.lines.set(path, colouring);
    this.lines.object.visible = layers.path;
    this.lattice.object.visible = layers.waypoints && this.grids.length > 0;
    this.zones.object.visible = layers.zones;
    this.ghost.object.visible = layers.ghost && path !== null;
    if (path) {
      sampleTimedPath(path, cursor_s, this.trajectoryPoint);
      this.ghost.setPose(this.trajectoryPoint.joints);
    }
    this.changed = true;
  }
}
