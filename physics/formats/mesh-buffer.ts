/** The binary buffer of a glTF file with its views and accessors. */

/** Codes of the glTF specification. */
const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

/** A part of the binary buffer. */
export interface BufferView {
  readonly buffer: 0;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly target: number;
}

/** Collects the binary data of the meshes, with its views and accessors. */
export class MeshBuffer {
  readonly views: BufferView[] = [];
  readonly accessors: object[] = [];
  private readonly chunks: Uint8Array[] = [];
  private size = 0;

  private add(values: Float32Array | Uint16Array, target: number): number {
    this.views.push({
      buffer: 0,
      byteOffset: this.size,
      byteLength: values.byteLength,
      target,
    });
    const padded = new Uint8Array(Math.ceil(values.byteLength / 4) * 4);
    padded.set(new Uint8Array(values.buffer));
    this.chunks.push(padded);
    this.size += padded.length;
    return this.views.length - 1;
  }

  vectors(values: readonly number[]): number {
    const data = Float32Array.from(values);
    const axis = (k: number) => data.filter((_, i) => i % 3 === k);
    this.accessors.push({
      bufferView: this.add(data, ARRAY_BUFFER),
      componentType: FLOAT,
      count: data.length / 3,
      type: 'VEC3',
      min: [0, 1, 2].map((k) => axis(k).reduce((low, value) => Math.min(low, value))),
      max: [0, 1, 2].map((k) => axis(k).reduce((high, value) => Math.max(high, value))),
    });
    return this.accessors.length - 1;
  }

  indices(values: readonly number[]): number {
    this.accessors.push({
      bufferView: this.add(Uint16Array.from(values), ELEMENT_ARRAY_BUFFER),
      componentType: UNSIGNED_SHORT,
      count: values.length,
      type: 'SCALAR',
    });
    return this.accessors.length - 1;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }
}
