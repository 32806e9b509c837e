/** The supported models of Feetech servos, and their firmware versions. */

/** By model number: servos of the series with this table, 4096 steps and position correction. */
export const STS_MODELS: Readonly<Record<number, string>> = { 777: 'STS3215', 2825: 'STS3250' };

/** The firmware register, major and minor version, as a number: 306 for 3.6. */
export function stsFirmware(version: number): number {
  return 100 * (version & 0xff) + (version >> 8);
}
