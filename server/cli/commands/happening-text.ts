/** Times, places and contacts of a run in words. */
import type { RehearsedContact } from './rehearsed-run.ts';

export const seconds = (time_s: number) => `${time_s.toFixed(2)} s`;

/** A time of the run, and the step that ran then. */
export function timeText(at_s: number, step: string | null): string {
  return step === null ? seconds(at_s) : `${seconds(at_s)} in ${step}`;
}

/** A place in the robot frame. */
export function placeText({
  x,
  y,
  z,
}: {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}): string {
  // A place that rounds to zero has no sign.
  return `(${[x, y, z].map((part) => (part + 0).toFixed(3).replace(/^-(0\.0*)$/, '$1')).join(', ')}) m`;
}

/** Which part touched what, and with which force. */
export function touchText({ body, obstacle, peak_force_n }: RehearsedContact): string {
  return `${body} touched ${obstacle} with ${peak_force_n.toFixed(1)} N`;
}

/** A contact with its time, step and place. */
export function contactText(contact: RehearsedContact): string {
  const { at_s, step, place } = contact;
  return `${touchText(contact)} at ${timeText(at_s, step)}, at ${placeText(place)}`;
}
