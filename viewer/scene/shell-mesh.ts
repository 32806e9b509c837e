/** The mesh of one link's shell; positions in metres in the link's joint frame. */
export interface ShellMesh {
  readonly link: number;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}
