/** Triangles of mesh files: STL, binary or text, and OBJ. */
import type { Vector } from './transform.ts';
import { UrdfError } from './urdf-error.ts';

/** Three corners, in the units of the file. */
export type Triangle = readonly [Vector, Vector, Vector];

const HEADER_BYTES = 80;
const FIRST_TRIANGLE = HEADER_BYTES + 4;
const TRIANGLE_BYTES = 50;
const NORMAL_BYTES = 12;
const VECTOR_BYTES = 12;

function binaryStl(bytes: DataView): Triangle[] {
  const vector = (at: number): Vector => [
    bytes.getFloat32(at, true),
    bytes.getFloat32(at + 4, true),
    bytes.getFloat32(at + 8, true),
  ];
  const count = bytes.getUint32(HEADER_BYTES, true);
  return Array.from({ length: count }, (_, i): Triangle => {
    const at = FIRST_TRIANGLE + i * TRIANGLE_BYTES + NORMAL_BYTES;
    return [vector(at), vector(at + VECTOR_BYTES), vector(at + 2 * VECTOR_BYTES)];
  });
}

const vectorOf = (words: readonly string[]): Vector => [
  Number(words[1]),
  Number(words[2]),
  Number(words[3]),
];

/** The lines of a text that begin with one of some words, as words. */
function* linesOf(text: string, ...first: readonly string[]): Generator<string[]> {
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    if (first.includes(words[0]!)) yield words;
  }
}

function textStl(text: string): Triangle[] {
  const corners = [...linesOf(text, 'vertex')].map(vectorOf);
  const triangles = Math.floor(corners.length / 3);
  return Array.from(
    { length: triangles },
    (_, i): Triangle => [corners[3 * i]!, corners[3 * i + 1]!, corners[3 * i + 2]!],
  );
}

/** Faces of OBJ may have more than three corners, and count back from the last one. */
function objTriangles(text: string): Triangle[] {
  const corners: Vector[] = [];
  const triangles: Triangle[] = [];
  for (const words of linesOf(text, 'v', 'f')) {
    if (words[0] === 'v') {
      corners.push(vectorOf(words));
      continue;
    }
    const face = words.slice(1).map((word) => {
      const number = Number.parseInt(word, 10);
      return corners[number < 0 ? corners.length + number : number - 1]!;
    });
    for (let i = 2; i < face.length; i++) triangles.push([face[0]!, face[i - 1]!, face[i]!]);
  }
  return triangles;
}

function trianglesIn(file: string, content: Uint8Array): Triangle[] | null {
  const text = () => new TextDecoder().decode(content);
  if (/\.obj$/i.test(file)) return objTriangles(text());
  if (!/\.stl$/i.test(file)) return null;
  const bytes = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const isBinary =
    content.length >= FIRST_TRIANGLE &&
    content.length >= FIRST_TRIANGLE + TRIANGLE_BYTES * bytes.getUint32(HEADER_BYTES, true);
  return isBinary && !/^solid\s[\s\S]*\bfacet\b/.test(text().slice(0, 1000))
    ? binaryStl(bytes)
    : textStl(text());
}

/** Whether the content of a mesh file with this name can be read. */
export const isReadableMesh = (file: string): boolean => /\.(stl|obj)$/i.test(file);

/** The triangles of a mesh file. Throws a `UrdfError`. */
export function meshTriangles(file: string, content: Uint8Array): Triangle[] {
  const triangles = trianglesIn(file, content);
  if (triangles === null) throw new UrdfError(`${file} is neither STL nor OBJ; convert it.`);
  const isWhole = triangles.every((corners) => corners.flat().every(Number.isFinite));
  if (triangles.length > 0 && isWhole) return triangles;
  throw new UrdfError(`${file} holds no triangles; is it a mesh, or a pointer to one?`);
}
