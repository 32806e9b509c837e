/** The rows of docs/plants.md: scenes and drawn falls, with the figures of both plants. */
import { differencesOf, FALLS, type Rest } from './drops.cases.ts';
import { SCENES } from './scenes.cases.ts';

const DIGITS = 2;

/** A figure with its unit; a minus is no hyphen of a range. */
const shown = (value: number, unit: string) => `${value.toFixed(DIGITS)} ${unit}`;

/** The scenes: head first. */
export async function sceneRows(): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = [['', 'figure', 'by hand', '`fast`', '`rapier`', 'MuJoCo', 'bound']];
  for (const { kind, what, unit, byHand, within, measure, inMujoco } of SCENES) {
    const own = (['fast', 'rapier'] as const).map((driver) => shown(measure(driver), unit));
    const theirs = inMujoco ? shown(await inMujoco(), unit) : '';
    rows.push([kind, what, shown(byHand, unit), ...own, theirs, `± ${within} ${unit}`]);
  }
  return rows;
}

const restText = ({ status, at }: Rest) => `${status} at ${at}`;

/** The drawn falls that end more than 15 mm apart, or on something else: head first. */
export function fallRows(): readonly (readonly string[])[] {
  const rows: string[][] = [['fall', '`fast`', '`rapier`', 'apart', 'what the event says']];
  for (const falls of FALLS) {
    for (const { name, away_mm, fast, rapier } of differencesOf(falls).others) {
      const doubt = /; (.*)$/.exec(fast.text)?.[1] ?? '';
      rows.push([name, restText(fast), restText(rapier), `${away_mm.toFixed(0)} mm`, doubt]);
    }
  }
  return rows;
}
