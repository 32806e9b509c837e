/**
 * `armtwin arm import FILE`: makes a folder for --arm of a robot description (URDF), and says what
 * was measured, estimated and left out. Exits with 0; with 1 where the robot is no arm of this
 * program; with 2 where a file or an option cannot be used.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { ChainEnds } from '../../../arms/import/chain.ts';
import { type ImportedArm, importArm } from '../../../arms/import/import-arm.ts';
import { meshesOf } from '../../../arms/import/mesh-paths.ts';
import { UrdfError } from '../../../arms/import/urdf-error.ts';
import { SHIPPED_ARMS } from '../../../arms/shipped-arms.ts';
import type { CommandOutput } from '../command-output.ts';
import { readInputFile } from '../input-file.ts';
import { OptionError } from '../option-error.ts';
import { writeResult } from '../result-writer.ts';
import { startupErrorText } from '../startup-errors.ts';
import { alignColumns } from '../text-table.ts';

export interface ArmImportFlags extends ChainEnds {
  readonly name?: string;
  /** Folder of the package that its meshes are in. */
  readonly meshes?: string;
  /** The most that the arm carries (kg). */
  readonly payload?: number;
}

const degrees = (angle_rad: number) => `${((180 * angle_rad) / Math.PI).toFixed(1)}°`;
const millimetres = (length_m: number) => `${(1000 * length_m).toFixed(1)} mm`;

/** The folder to write: new, and with a name that --arm takes for a folder. */
function folderFor(given: string | undefined, file: string): string {
  const folder = given ?? basename(file).replace(/\.[^.]*$/, '');
  if (Object.hasOwn(SHIPPED_ARMS, folder)) {
    throw new OptionError(`An arm ${folder} comes with the program; choose another --name.`);
  }
  if (existsSync(folder)) {
    throw new OptionError(`${folder} exists; choose another --name, or remove it.`);
  }
  return folder;
}

function deviationText({ deviation_m, deviation_rad, tip, base }: ImportedArm): string {
  const isExact = deviation_m < 1e-9 && deviation_rad < 1e-9;
  const amount = isExact
    ? 'to 1e-9'
    : `to ${(1000 * deviation_m).toFixed(4)} mm and ${degrees(deviation_rad)}`;
  return `${tip} is where the file has it from ${base}, ${amount}, over the range of the joints.`;
}

function reportOf(imported: ImportedArm): string {
  const { arm, joints, gaps_m, remarks } = imported;
  const rows = joints.map((name, j) => {
    const [low = 0, high = 0] = arm.chain.joints[j]!.software_limit_rad;
    return [
      name,
      `${degrees(low)} to ${degrees(high)}`,
      `${arm.links.list[j + 1]!.mass_kg.toPrecision(3)} kg`,
      `${arm.drive.torque_max_n_m[j]} N m`,
      String(arm.collision.capsules.filter(({ link }) => link === j + 1).length),
      gaps_m[j + 1] === null ? '-' : millimetres(gaps_m[j + 1]!),
    ];
  });
  const head = ['joint', 'range', 'moves', 'torque', 'capsules', 'stand out by'];
  const worst = Math.max(0, ...gaps_m.map((gap) => gap ?? 0));
  const shapes = gaps_m.some((gap) => gap !== null)
    ? `Capsules hold every surface, and stand out from one by ${millimetres(worst)} at most.\n`
    : '';
  const list = remarks.map((remark) => `  ${remark}\n`).join('');
  return (
    `${alignColumns([head, ...rows]).join('\n')}\n${deviationText(imported)}\n${shapes}` +
    `Limits of motion, drives, contact and heat are estimates or own: look at arm.json.\n${list}`
  );
}

/** Runs the command; returns the exit code. */
export function runArmImport(
  file: string,
  { name, payload, base, tip, meshes }: ArmImportFlags,
  { out, err }: CommandOutput,
): number {
  try {
    const folder = folderFor(name, file);
    const imported = importArm({
      text: readInputFile(file),
      source: basename(file),
      ends: { ...(base !== undefined && { base }), ...(tip !== undefined && { tip }) },
      read: meshesOf(file, meshes),
      ...(payload !== undefined && { payload_kg: payload }),
    });
    mkdirSync(folder, { recursive: true });
    writeResult(join(folder, 'arm.json'), `${JSON.stringify(imported.arm, null, 2)}\n`);
    out.write(reportOf(imported));
    const reference = isAbsolute(folder) ? folder : `./${folder}`;
    out.write(`ok   ${folder}; use it with --arm ${reference}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UrdfError) {
      err.write(`${file} is no arm of this program:\n`);
      for (const problem of error.problems) err.write(`  ${problem}\n`);
      return 1;
    }
    err.write(`${startupErrorText(error)}\n`);
    return 2;
  }
}
