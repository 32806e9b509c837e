/**
 * Avoidance zones (§2.7). Keep-out zones have hatched faces and solid edges in the fault colour.
 * Keep-in zones have corner brackets and faint dashed edges without faces. The kinds differ without
 * colour.
 */
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  Mesh,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three';
import type { Palette } from './palette.ts';

/** A zone as in the toolpath (m). */
export interface DrawnZone {
  readonly name: string;
  readonly position: { readonly x: number; readonly y: number; readonly z: number };
  readonly orientation: {
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly w: number;
  };
  readonly dimensions: { readonly x: number; readonly y: number; readonly z: number };
  readonly avoid: string;
}

export interface Zones {
  readonly object: Group;
  set(zones: readonly DrawnZone[]): void;
  paint(palette: Palette): void;
  /** Label position of each zone: the centre of its upper face. */
  tops(): readonly { readonly name: string; readonly at: Vector3 }[];
}

const HATCH_M = 0.022;
const BRACKET_M = 0.05;

function hatchMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: { tint: { value: new Color() } },
    vertexShader: `varying vec3 at; varying vec3 side;
      void main() { at = position; side = abs(normal);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
    fragmentShader: `varying vec3 at; varying vec3 side; uniform vec3 tint;
      void main() {
        float along = side.z > 0.5 ? at.x + at.y : (side.x > 0.5 ? at.y + at.z : at.x + at.z);
        float q = fract(along / ${HATCH_M} * 0.7071);
        float w = fwidth(along / ${HATCH_M} * 0.7071);
        float stripe = smoothstep(0.0, w, q) * (1.0 - smoothstep(0.5, 0.5 + w, q));
        gl_FragColor = vec4(tint, 0.035 + 0.08 * stripe);
        #include <colorspace_fragment>
      }`,
  });
}

/**
 * The twelve edges of a box between the origin and `size`; `share` > 0 keeps only their ends (m).
 */
export function boxEdges(size: Vector3, share: number): BufferGeometry {
  const points: number[] = [];
  const d = [size.x, size.y, size.z];
  for (let axis = 0; axis < 3; axis++) {
    for (let corner = 0; corner < 4; corner++) {
      const from = [0, 0, 0];
      from[(axis + 1) % 3] = (corner & 1) * d[(axis + 1) % 3]!;
      from[(axis + 2) % 3] = (corner >> 1) * d[(axis + 2) % 3]!;
      const length = d[axis]!;
      const end = share > 0 ? Math.min(share, length / 2) : length;
      const to = [...from];
      to[axis] = end;
      points.push(...from, ...to);
      if (share === 0) continue;
      const far = [...from];
      far[axis] = length;
      const near = [...from];
      near[axis] = length - end;
      points.push(...far, ...near);
    }
  }
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}

/** Creates the group without zones. */
export function createZones(): Zones {
  const object = new Group();
  const hatch = hatchMaterial();
  const outEdge = new LineBasicMaterial({ toneMapped: false });
  const inEdge = new LineBasicMaterial({ toneMapped: false });
  const inDash = new LineDashedMaterial({
    dashSize: 0.03,
    gapSize: 0.025,
    transparent: true,
    opacity: 0.4,
    toneMapped: false,
  });
  let tops: { name: string; at: Vector3 }[] = [];

  function keepOut(size: Vector3): Group {
    const faces = new Mesh(new BoxGeometry(size.x, size.y, size.z), hatch);
    faces.geometry.translate(size.x / 2, size.y / 2, size.z / 2);
    return new Group().add(faces, new LineSegments(boxEdges(size, 0), outEdge));
  }

  function keepIn(size: Vector3): Group {
    const dashed = new LineSegments(boxEdges(size, 0), inDash).computeLineDistances();
    return new Group().add(dashed, new LineSegments(boxEdges(size, BRACKET_M), inEdge));
  }

  function clear(): void {
    object.traverse((child) => {
      if (child instanceof Mesh || child instanceof LineSegments) child.geometry.dispose();
    });
    object.clear();
    tops = [];
  }

  return {
    object,
    set(zones) {
      clear();
      for (const zone of zones) {
        const { position: p, orientation: q, dimensions: d } = zone;
        const size = new Vector3(d.x, d.y, d.z);
        const drawn = zone.avoid === 'inside' ? keepOut(size) : keepIn(size);
        drawn.position.set(p.x, p.y, p.z);
        drawn.quaternion.copy(new Quaternion(q.x, q.y, q.z, q.w).normalize());
        object.add(drawn);
        const top = new Vector3(d.x / 2, d.y / 2, d.z).applyQuaternion(drawn.quaternion);
        tops.push({ name: zone.name, at: top.add(drawn.position) });
      }
    },
    paint(palette) {
      hatch.uniforms['tint']!.value.copy(palette.fault);
      outEdge.color.copy(palette.fault);
      inEdge.color.copy(palette.linear);
      inDash.color.copy(palette.linear);
    },
    tops: () => tops,
  };
}
