/** The grippers of a cell at the drawn flange. */

import { Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, type Vector3 } from 'three';
import type { CellGripper, CellState } from '../../contract/types.generated.ts';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import type { Arm } from './arm.ts';
import { gripperShape } from './grippers/gripper-kinds.ts';
import type { Palette } from './palette.ts';
import { shadowed } from './shadowed.ts';

interface DrawnGripper {
  readonly description: CellGripper;
  readonly object: Group;
  readonly fingers: readonly Mesh[];
  readonly light: MeshBasicMaterial;
}

/** The grippers at the flange; their fingers follow the opening. */
export class CellGrippers {
  private readonly arm: Arm;
  private readonly material = new MeshStandardMaterial({
    roughness: 0.46,
    metalness: 0.3,
    vertexColors: true,
  });
  private grippers: DrawnGripper[] = [];
  private shown = true;

  constructor(arm: Arm) {
    this.arm = arm;
  }

  build(grippers: readonly CellGripper[]): void {
    for (const { object } of this.grippers) {
      object.removeFromParent();
      for (const child of object.children) if (child instanceof Mesh) child.geometry.dispose();
    }
    this.grippers = grippers.map((gripper) => this.draw(gripper));
    this.setShown(this.shown);
  }

  setShown(shown: boolean): void {
    this.shown = shown;
    for (const { object } of this.grippers) object.visible = shown;
    this.arm.showTool(!shown || this.grippers.length === 0);
  }

  show({ grippers }: CellState): void {
    for (const { description, fingers } of this.grippers) {
      const state = grippers.find(({ name }) => name === description.name);
      if (!state) continue;
      fingers.forEach((finger, i) => {
        finger.position.x = ((i === 0 ? 1 : -1) * state.opening_m) / 2;
      });
    }
  }

  /** Grasp centres in the world (m). */
  tips(): Vector3[] {
    const { matrix } = this.arm.links[6]!;
    return this.grippers.map(({ object }) => object.position.clone().applyMatrix4(matrix));
  }

  /** Green while it holds something, amber while it is closed on nothing. */
  paint(palette: Palette, states: CellState['grippers']): void {
    this.material.color.set(palette.theme === 'light' ? 0x4d545b : 0x69727a);
    for (const { description, light } of this.grippers) {
      const state = states.find(({ name }) => name === description.name);
      light.color.copy(state?.holds ? palette.run : state?.closed ? palette.warn : palette.metal);
    }
  }

  drawn() {
    return this.grippers.map(({ description: { name }, fingers: [right, left] }) => ({
      name,
      opening_m: right && left ? right.position.x - left.position.x : 0,
    }));
  }

  private draw(description: CellGripper): DrawnGripper {
    const { body, fingers, light, turn_rad } = gripperShape(description);
    const glow = new MeshBasicMaterial({ toneMapped: false });
    const object = new Group();
    const meshes = fingers.map((finger) => shadowed(new Mesh(finger, this.material)));
    object.add(shadowed(new Mesh(body, this.material)), new Mesh(light, glow), ...meshes);
    const { x, y, z } = description.tip_m;
    object.position.set(x, y, FLANGE_M + z);
    object.rotation.z = turn_rad;
    this.arm.links[6]!.add(object);
    return { description, object, fingers: meshes, light: glow };
  }
}
