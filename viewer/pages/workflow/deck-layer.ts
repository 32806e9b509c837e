/**
 * The workcell deck in the scene: a box for each nest, plates at their places, and the carried
 * plate at the flange. Tests read back what is drawn.
 */

import {
  BoxGeometry,
  type BufferGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from 'three';
import type { LabwarePlace } from '../../../contract/types.generated.ts';
import { FLANGE_M } from '../../../physics/arm/arm-model.ts';
import type { Arm } from '../../scene/arm.ts';
import type { Label, Labels } from '../../scene/labels.ts';
import type { Palette } from '../../scene/palette.ts';
import type { SceneLayer } from '../../scene/scene-layer.ts';
import { type Deck, type Nest, nestOf, PLATE_M } from './deck-layout.ts';

/** State read back from the drawn deck. */
export interface DrawnDeck {
  readonly nests: number;
  /** Centre of each plate in the world (m), and whether the arm carries it. */
  readonly plates: readonly {
    readonly labware_id: string;
    readonly at_m: number[];
    readonly carried: boolean;
  }[];
}

const RIM_M = 0.012;
const NEST_LEAST_M = 0.01;
const LABEL_ABOVE_M = 0.05;
/** A carried plate hangs below the flange face. */
const CARRIED = new Matrix4().makeTranslation(0, 0, FLANGE_M + PLATE_M.z / 2);

interface Plate {
  readonly labware_id: string;
  readonly mesh: Mesh;
  readonly carried: boolean;
}

export interface DeckLayerParts {
  readonly arm: Arm;
  /** Labels for the instrument names. */
  readonly labels: Labels;
  /** Requests a frame. */
  readonly redraw: () => void;
}

/** The deck in the scene, at first empty. */
export class DeckLayer implements SceneLayer {
  readonly object = new Group();
  private readonly arm: Arm;
  private readonly redraw: () => void;
  private readonly body = new MeshStandardMaterial({ roughness: 0.6, metalness: 0.1 });
  private readonly plate = new MeshStandardMaterial({ roughness: 0.35 });
  private readonly plateShape = new BoxGeometry(PLATE_M.x, PLATE_M.y, PLATE_M.z);
  private readonly boxes = new Group();
  private readonly plateGroup = new Group();
  private readonly labels: Labels;
  private plates: Plate[] = [];
  private deck: Deck | null = null;
  private changed = true;

  constructor({ arm, labels, redraw }: DeckLayerParts) {
    this.arm = arm;
    this.labels = labels;
    this.redraw = redraw;
    this.object.add(this.boxes, this.plateGroup);
  }

  set(deck: Deck, places: readonly LabwarePlace[]): void {
    if (deck !== this.deck) this.build(deck);
    this.plateGroup.clear();
    this.plates = places.flatMap((place) => this.plateOf(deck, place));
    this.changed = true;
    this.redraw();
  }

  update(): boolean {
    for (const { mesh, carried } of this.plates) if (carried) this.attachToFlange(mesh);
    const { changed } = this;
    this.changed = false;
    return changed;
  }

  boundingPoints(): readonly Vector3[] {
    return (this.deck?.nests ?? []).map(({ at_m: [x, y, z] }) => new Vector3(x, y, z));
  }

  applyPalette(palette: Palette): void {
    this.body.color.copy(palette.tool);
    this.plate.color.copy(palette.ring);
    this.changed = true;
  }

  resize(): void {}

  placeLabels(...view: Parameters<SceneLayer['placeLabels']>): void {
    this.labels.place(...view);
  }

  drawn(): DrawnDeck {
    const plates = this.plates.map(({ labware_id, mesh, carried }) => {
      const at_m = new Vector3().setFromMatrixPosition(mesh.matrix).toArray();
      return { labware_id, at_m, carried };
    });
    return { nests: this.boxes.children.length, plates };
  }

  private build(deck: Deck): void {
    this.deck = deck;
    for (const box of this.boxes.children) (box as Mesh<BufferGeometry>).geometry.dispose();
    this.boxes.clear();
    for (const nest of deck.nests) this.boxes.add(this.boxOf(nest));
    const names = deck.instruments.flatMap(({ id, name }): Label[] => {
      const own = deck.nests.filter(({ instrument_id }) => instrument_id === id);
      if (own.length === 0) return [];
      const at = own.reduce(
        (sum, { at_m: [x, y, z] }) => sum.add(new Vector3(x, y, z)),
        new Vector3(),
      );
      at.divideScalar(own.length).z += LABEL_ABOVE_M;
      return [{ text: name, at, kind: 'zone' }];
    });
    this.labels.set(names);
  }

  private boxOf({ at_m: [x, y, z], turn_rad }: Nest): Mesh {
    const height = Math.max(z - PLATE_M.z, NEST_LEAST_M);
    const shape = new BoxGeometry(PLATE_M.x + 2 * RIM_M, PLATE_M.y + 2 * RIM_M, height);
    const box = new Mesh(shape, this.body);
    box.position.set(x, y, height / 2);
    box.rotation.z = turn_rad;
    box.castShadow = true;
    box.receiveShadow = true;
    return box;
  }

  private plateOf(deck: Deck, { labware_id, instrument_id, slot }: LabwarePlace): Plate[] {
    const carried = instrument_id === null;
    const nest = nestOf(deck, instrument_id, slot);
    if (!carried && !nest) return [];
    const mesh = new Mesh(this.plateShape, this.plate);
    mesh.castShadow = true;
    mesh.matrixAutoUpdate = false;
    if (nest) {
      const [x, y, z] = nest.at_m;
      mesh.matrix.makeRotationZ(nest.turn_rad).setPosition(x, y, z - PLATE_M.z / 2);
    } else this.attachToFlange(mesh);
    this.plateGroup.add(mesh);
    return [{ labware_id, mesh, carried }];
  }

  private attachToFlange(mesh: Mesh): void {
    mesh.matrix.multiplyMatrices(this.arm.links[6]!.matrix, CARRIED);
    mesh.matrixWorldNeedsUpdate = true;
  }
}
