/**
 * The ghost: the arm as planned at the cursor, seen through, so that it never passes for the real
 * one. Made of the arm's own meshes, one a link: a depth pass first, then a rim that glows. It
 * casts no shadow, and has a base only where it stands without the real arm.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  ShaderMaterial,
  Vector3,
} from 'three';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { type Arm, angleBetween, frameMatrix } from './arm.ts';
import { toolCylinder } from './arm-parts.ts';

const LINKS = [0, 1, 2, 3, 4, 5, 6] as const;
const THINNEST_M = 1e-3;
const FAINT = 0.1;
/** Without the real arm in the scene the ghost carries the picture, base and all. */
const ALONE = 0.3;

export interface Ghost {
  readonly object: Group;
  /** Poses it; joint angles in rad. */
  setPose(joints: ArrayLike<number>): void;
  setTool(tool: Tool): void;
  /** Takes over the arm's meshes where they have become finer; true when they have. */
  sync(): boolean;
  /** Whether it stands in for an arm that is not drawn. */
  setAlone(alone: boolean): void;
  paint(colour: Color): void;
  /** Joint angles (rad) read back from the drawn objects. */
  drawnJoints(): number[];
  /** The drawn objects' matrices (column-major, live), base first. */
  matrices(): readonly number[][];
}

function rimMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
    uniforms: { tint: { value: new Color() }, base: { value: FAINT } },
    vertexShader: `varying vec3 side; varying vec3 sight;
      void main() { vec4 at = modelViewMatrix * vec4(position, 1.0);
        side = normalMatrix * normal; sight = -at.xyz; gl_Position = projectionMatrix * at; }`,
    fragmentShader: `varying vec3 side; varying vec3 sight; uniform vec3 tint; uniform float base;
      void main() {
        float facing = abs(dot(normalize(side), normalize(sight)));
        float lit = 0.5 + 0.5 * dot(normalize(side), normalize(vec3(0.35, 0.8, 0.5)));
        vec3 shade = mix(tint, vec3(1.0), 0.75 * lit * smoothstep(0.1, 0.3, base));
        gl_FragColor = vec4(shade, base + 0.5 * pow(1.0 - facing, 2.2));
        #include <colorspace_fragment>
      }`,
  });
}

function depthMaterial(): MeshBasicMaterial {
  return new MeshBasicMaterial({
    colorWrite: false,
    transparent: true,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
  });
}

/** All geometries in one; the originals are not touched. */
function joined(parts: readonly BufferGeometry[]): BufferGeometry {
  const vertices = parts.reduce((sum, part) => sum + part.attributes['position']!.count, 0);
  const counts = parts.map((part) => part.index?.count ?? part.attributes['position']!.count);
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  const indices = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  let vertex = 0;
  let at = 0;
  for (const [i, part] of parts.entries()) {
    positions.set(part.attributes['position']!.array, 3 * vertex);
    normals.set(part.attributes['normal']!.array, 3 * vertex);
    for (let k = 0; k < counts[i]!; k++) indices[at++] = vertex + (part.index?.getX(k) ?? k);
    vertex += part.attributes['position']!.count;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  return geometry.setIndex(new BufferAttribute(indices, 1));
}

function toolGeometry(tool: Tool): BufferGeometry | null {
  const tip = new Vector3(...tool.offset_m);
  if (tip.length() < THINNEST_M || tool.radius_m < THINNEST_M) return null;
  const geometry = toolCylinder(tool.radius_m * 1000, tip.length() * 1000);
  const turn = new Group().quaternion.setFromUnitVectors(new Vector3(0, 0, 1), tip.normalize());
  return geometry.applyQuaternion(turn).translate(0, 0, FLANGE_M);
}

class RimGhost implements Ghost {
  readonly object = new Group();
  private readonly arm: Arm;
  private readonly rim = rimMaterial();
  private readonly depth = depthMaterial();
  private readonly frames = createFrames();
  private readonly links: readonly Group[];
  private tool: BufferGeometry | null = null;
  private known = '';

  constructor(arm: Arm) {
    this.arm = arm;
    this.links = LINKS.map(() => {
      const link = new Group();
      link.matrixAutoUpdate = false;
      return link;
    });
    this.object.add(...this.links);
    this.setPose([0, 0, 0, 0, 0, 0]);
  }

  setPose(joints: ArrayLike<number>): void {
    forward(joints, this.frames);
    for (const i of LINKS) {
      frameMatrix(this.frames, i, this.links[i]!.matrix);
      this.links[i]!.matrixWorldNeedsUpdate = true;
    }
  }

  setTool(tool: Tool): void {
    this.tool = toolGeometry(tool);
    this.known = '';
  }

  sync(): boolean {
    const parts = LINKS.map((link) => this.arm.outline(link));
    const known = `${this.tool?.id} ${parts.flat().map(({ id }) => id)}`;
    if (known === this.known) return false;
    this.known = known;
    for (const i of LINKS) {
      const tool = i === 6 && this.tool ? [this.tool] : [];
      this.dress(this.links[i]!, [...parts[i]!, ...tool]);
    }
    return true;
  }

  private dress(link: Group, parts: readonly BufferGeometry[]): void {
    for (const child of link.children) if (child instanceof Mesh) child.geometry.dispose();
    link.clear();
    const geometry = joined(parts);
    const depth = new Mesh(geometry, this.depth);
    const rim = new Mesh(geometry, this.rim);
    depth.renderOrder = 10;
    rim.renderOrder = 11;
    link.add(depth, rim);
  }

  setAlone(alone: boolean): void {
    this.rim.uniforms['base']!.value = alone ? ALONE : FAINT;
    this.links[0]!.visible = alone;
  }

  paint(colour: Color): void {
    this.rim.uniforms['tint']!.value.copy(colour);
  }

  drawnJoints(): number[] {
    const before = new Matrix4();
    return this.links.slice(1).map((link, j) => {
      before.copy(this.links[j]!.matrix);
      return angleBetween(before, link.matrix, j);
    });
  }

  matrices(): readonly number[][] {
    return this.links.map((link) => link.matrix.elements);
  }
}

/** A ghost of `arm`, standing upright. */
export function createGhost(arm: Arm): Ghost {
  return new RimGhost(arm);
}
