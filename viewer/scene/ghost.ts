/**
 * The ghost: the arm as planned at the cursor, seen through, so that it never passes for the real
 * one. Made of the arm's own meshes in one, which the shader poses link by link: a depth pass
 * first, then a rim that glows. It casts no shadow, and has a base only where it stands without
 * the real arm.
 */
import {
  BufferGeometry,
  Color,
  Group,
  Matrix4,
  Mesh,
  ShaderMaterial,
  type ShaderMaterialParameters,
  Vector3,
} from 'three';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import type { Tool } from '../../physics/kinematics/tool.ts';
import { type Arm, angleBetween, frameMatrix } from './arm.ts';
import { toolCylinder } from './arm-parts.ts';
import { joined, perPart } from './joined-geometry.ts';

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

const VERTEX = `attribute float link; uniform mat4 links[7];
  varying vec3 side; varying vec3 sight;
  void main() {
    mat4 pose = modelViewMatrix * links[int(link + 0.5)];
    vec4 at = pose * vec4(position, 1.0);
    side = mat3(pose) * normal;
    sight = -at.xyz;
    gl_Position = projectionMatrix * at;
  }`;

/** What both passes share; `links` are read anew for every frame. */
function passOf(links: readonly Matrix4[]): ShaderMaterialParameters {
  return {
    transparent: true,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 8,
    uniforms: { links: { value: links }, tint: { value: new Color() }, base: { value: FAINT } },
    vertexShader: VERTEX,
  };
}

function rimMaterial(links: readonly Matrix4[]): ShaderMaterial {
  return new ShaderMaterial({
    ...passOf(links),
    depthWrite: false,
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

function depthMaterial(links: readonly Matrix4[]): ShaderMaterial {
  const fragmentShader = 'void main() { gl_FragColor = vec4(1.0); }';
  return new ShaderMaterial({ ...passOf(links), colorWrite: false, fragmentShader });
}

/** The parts of every link in one, each vertex with the number of its link. */
function linked(parts: readonly (readonly BufferGeometry[])[]): BufferGeometry {
  const numbers = parts.flatMap((ofLink, link) => ofLink.map(() => [link]));
  return joined(parts.flat()).setAttribute('link', perPart(parts.flat(), numbers));
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
  private readonly frames = createFrames();
  private readonly links: readonly Matrix4[] = LINKS.map(() => new Matrix4());
  private readonly rim = rimMaterial(this.links);
  private readonly passes = [
    new Mesh(new BufferGeometry(), depthMaterial(this.links)),
    new Mesh(new BufferGeometry(), this.rim),
  ];
  private tool: BufferGeometry | null = null;
  private known = '';
  private alone = false;
  /** How many indices draw the base, which come first. */
  private baseCount = 0;

  constructor(arm: Arm) {
    this.arm = arm;
    for (const [order, pass] of this.passes.entries()) {
      pass.renderOrder = 10 + order;
      pass.frustumCulled = false;
      this.object.add(pass);
    }
    this.setPose([0, 0, 0, 0, 0, 0]);
  }

  setPose(joints: ArrayLike<number>): void {
    forward(joints, this.frames);
    for (const i of LINKS) frameMatrix(this.frames, i, this.links[i]!);
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
    const tool = this.tool ? [this.tool] : [];
    this.dress(parts.map((ofLink, i) => (i === LINKS.length - 1 ? [...ofLink, ...tool] : ofLink)));
    return true;
  }

  private dress(parts: readonly (readonly BufferGeometry[])[]): void {
    const geometry = linked(parts);
    this.baseCount = parts[0]!.reduce((sum, part) => sum + (part.index?.count ?? 0), 0);
    for (const pass of this.passes) {
      pass.geometry.dispose();
      pass.geometry = geometry;
    }
    this.setAlone(this.alone);
  }

  setAlone(alone: boolean): void {
    this.alone = alone;
    this.rim.uniforms['base']!.value = alone ? ALONE : FAINT;
    this.passes[0]!.geometry.setDrawRange(alone ? 0 : this.baseCount, Number.POSITIVE_INFINITY);
  }

  paint(colour: Color): void {
    this.rim.uniforms['tint']!.value.copy(colour);
  }

  drawnJoints(): number[] {
    return this.links.slice(1).map((link, j) => angleBetween(this.links[j]!, link, j));
  }

  matrices(): readonly number[][] {
    return this.links.map((link) => link.elements);
  }
}

/** A ghost of `arm`, standing upright. */
export function createGhost(arm: Arm): Ghost {
  return new RimGhost(arm);
}
