/**
 * The ghost: a translucent arm at the planned or target pose, clearly different from the real one.
 * All link meshes are merged and posed by the shader: a depth pre-pass, then a rim shader. It casts
 * no shadow and draws the base only when the real arm is hidden.
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
import { mergeGeometries, perPartAttribute } from './merge-geometries.ts';

const LINKS = [0, 1, 2, 3, 4, 5, 6] as const;
const THINNEST_M = 1e-3;
const FAINT = 0.1;
/** Base opacity while the real arm is hidden. */
const ALONE = 0.3;
const VERTEX = `attribute float link; uniform mat4 links[7];
  varying vec3 side; varying vec3 sight;
  void main() {
    mat4 pose = modelViewMatrix * links[int(link + 0.5)];
    vec4 at = pose * vec4(position, 1.0);
    side = mat3(pose) * normal;
    sight = -at.xyz;
    gl_Position = projectionMatrix * at;
  }`;

/** Parameters that both passes share; `links` is read for every frame. */
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

/** Merges the parts of all links; each vertex carries its link number. */
function linked(parts: readonly (readonly BufferGeometry[])[]): BufferGeometry {
  const numbers = parts.flatMap((ofLink, link) => ofLink.map(() => [link]));
  return mergeGeometries(parts.flat()).setAttribute(
    'link',
    perPartAttribute(parts.flat(), numbers),
  );
}

function toolGeometry(tool: Tool): BufferGeometry | null {
  const tip = new Vector3(...tool.offset_m);
  if (tip.length() < THINNEST_M || tool.radius_m < THINNEST_M) return null;
  const geometry = toolCylinder(tool.radius_m * 1000, tip.length() * 1000);
  const turn = new Group().quaternion.setFromUnitVectors(new Vector3(0, 0, 1), tip.normalize());
  return geometry.applyQuaternion(turn).translate(0, 0, FLANGE_M);
}

/** A ghost of `arm`, at first at the zero pose. */
export class Ghost {
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
  private builtKey = '';
  private alone = false;
  /** Number of indices of the base, which come first. */
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

  /** Sets the pose; joint angles in rad. */
  setPose(joints: ArrayLike<number>): void {
    forward(joints, this.frames);
    for (const i of LINKS) frameMatrix(this.frames, i, this.links[i]!);
  }

  setTool(tool: Tool): void {
    this.tool = toolGeometry(tool);
    this.builtKey = '';
  }

  /** Rebuilds the ghost if the arm's meshes have changed; returns true if they have. */
  sync(): boolean {
    const parts = LINKS.map((link) => this.arm.outline(link));
    const known = `${this.tool?.id} ${parts.flat().map(({ id }) => id)}`;
    if (known === this.builtKey) return false;
    this.builtKey = known;
    const tool = this.tool ? [this.tool] : [];
    this.applyGeometry(
      parts.map((ofLink, i) => (i === LINKS.length - 1 ? [...ofLink, ...tool] : ofLink)),
    );
    return true;
  }

  private applyGeometry(parts: readonly (readonly BufferGeometry[])[]): void {
    const geometry = linked(parts);
    this.baseCount = parts[0]!.reduce((sum, part) => sum + (part.index?.count ?? 0), 0);
    for (const pass of this.passes) {
      pass.geometry.dispose();
      pass.geometry = geometry;
    }
    this.setStandalone(this.alone);
  }

  /** Whether the ghost replaces an arm that is not drawn. */
  setStandalone(alone: boolean): void {
    this.alone = alone;
    this.rim.uniforms['base']!.value = alone ? ALONE : FAINT;
    this.passes[0]!.geometry.setDrawRange(alone ? 0 : this.baseCount, Number.POSITIVE_INFINITY);
  }

  paint(colour: Color): void {
    this.rim.uniforms['tint']!.value.copy(colour);
  }

  /** Joint angles (rad) read back from the drawn objects. */
  drawnJoints(): number[] {
    return this.links.slice(1).map((link, j) => angleBetween(this.links[j]!, link, j));
  }

  /** The drawn objects' matrices (column-major, live), base first. */
  matrices(): readonly number[][] {
    return this.links.map((link) => link.elements);
  }
}
