/**
 * `armtwin export --urdf|--mjcf|--gltf [FILE]`: writes the arm's model, and the cell around it, in
 * the formats of other programs, to files or one of them to the standard output. Exits with 0, or
 * with 2 when nothing could be written.
 */
import type { Cell } from '../../../contract/types.generated.ts';
import { type CellModel, compileCell } from '../../../physics/cell/cell-model.ts';
import { armAsGltf } from '../../../physics/formats/gltf.ts';
import { armAsMjcf } from '../../../physics/formats/mjcf.ts';
import { armAsUrdf } from '../../../physics/formats/urdf.ts';
import type { CommandOutput } from '../command-output.ts';
import { writeWhole } from '../result-writer.ts';
import { startupErrorText } from '../startup-errors.ts';

export interface ExportFlags {
  /** File to write; true: the standard output. */
  readonly urdf?: string | true;
  readonly mjcf?: string | true;
  readonly gltf?: string | true;
  /** Mass at the flange (kg). */
  readonly payload?: number;
  /** The things around the arm; checked. */
  readonly cell?: Cell;
}

/** The scene as a glTF file of one piece, with its buffer inside. */
function gltfText(cell: CellModel | null): string {
  const { scene, bytes } = armAsGltf(cell);
  const uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  return JSON.stringify({ ...scene, buffers: [{ byteLength: bytes.length, uri }] });
}

/** `glTF`, `JSON` and `BIN` of the binary container, as little-endian numbers. */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const VERSION = 2;

function chunk(type: number, bytes: Uint8Array, padding: number): Buffer {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4, padding);
  padded.set(bytes);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(padded.length, 0);
  head.writeUInt32LE(type, 4);
  return Buffer.concat([head, padded]);
}

/** The scene as a binary glTF file. */
function glbBytes(cell: CellModel | null): Buffer {
  const { scene, bytes } = armAsGltf(cell);
  const space = ' '.charCodeAt(0);
  const json = chunk(JSON_CHUNK, Buffer.from(JSON.stringify(scene)), space);
  const binary = chunk(BINARY_CHUNK, bytes, 0);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(VERSION, 4);
  head.writeUInt32LE(head.length + json.length + binary.length, 8);
  return Buffer.concat([head, json, binary]);
}

type Format = 'urdf' | 'mjcf' | 'gltf';

function contentOf(format: Format, { payload = 0, cell, ...targets }: ExportFlags) {
  const model = cell ? compileCell(cell) : null;
  if (format === 'urdf') return armAsUrdf(payload, model);
  if (format === 'mjcf') return armAsMjcf(payload, model);
  return /\.glb$/i.test(String(targets.gltf)) ? glbBytes(model) : gltfText(model);
}

/** Runs the command; returns the exit code. */
export function runExport(flags: ExportFlags, { out, err }: CommandOutput): number {
  const formats = (['urdf', 'mjcf', 'gltf'] as const).filter((format) => flags[format]);
  if (formats.length === 0) {
    err.write('No format is given; add --urdf, --mjcf or --gltf, each with a file to write.\n');
    return 2;
  }
  if (formats.filter((format) => flags[format] === true).length > 1) {
    err.write('Only one model fits the standard output; give the others a file.\n');
    return 2;
  }
  for (const format of formats) {
    const target = flags[format]!;
    const content = contentOf(format, flags);
    try {
      if (target === true) out.write(`${content}`);
      else writeWhole(target, content);
    } catch (error) {
      err.write(`Cannot write ${target}: ${startupErrorText(error)}\n`);
      return 2;
    }
  }
  return 0;
}
