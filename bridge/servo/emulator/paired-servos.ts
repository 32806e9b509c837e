/**
 * Servos with a second one on shoulder and elbow, its id 10 higher; `reverse` makes it count back.
 */
export function pairServos<Setup extends PairedSetup>(
  servos: readonly Setup[],
  reverse: Setup['registers'],
): readonly Setup[] {
  const halves = servos.map((one) => (isPaired(one) ? { ...one, strength: 0.5 } : one));
  const seconds = halves.filter(isPaired).map((one) => ({
    ...one,
    id: one.id + 10,
    direction: -1 as const,
    registers: { ...one.registers, ...reverse },
  }));
  return [...halves, ...seconds];
}

interface PairedSetup {
  readonly id: number;
  readonly joint: number;
  readonly registers?: object;
}

function isPaired({ joint }: PairedSetup): boolean {
  return joint === 1 || joint === 2;
}
