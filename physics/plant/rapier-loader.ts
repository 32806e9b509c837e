/**
 * The module of Rapier. Its WebAssembly compiles in the background; a process with nothing else to
 * wait for would drain every compiler job first, so the loader keeps a live handle until Rapier is
 * ready (saves up to a second at start).
 */
export type Rapier = typeof import('@dimforge/rapier3d-compat');

let loading: Promise<Rapier> | null = null;

async function importRapier(): Promise<Rapier> {
  const { port1 } = new MessageChannel();
  port1.onmessage = ignore;
  try {
    const rapier = await import('@dimforge/rapier3d-compat');
    await rapier.init();
    stopClock(rapier);
    return rapier;
  } finally {
    port1.close();
  }
}

function ignore(): void {}

/**
 * Rapier reads the clock in every step, for a profiler that is off: 36 times, 7 % of the time of a
 * moving twin. It takes the clock of the process in its first step and keeps it: it gets one that
 * stands still.
 */
function stopClock(rapier: Rapier): void {
  const clock = Object.getOwnPropertyDescriptor(globalThis, 'performance')!;
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    value: { now: () => 0 },
  });
  try {
    const world = new rapier.World({ x: 0, y: 0, z: 0 });
    world.step();
    world.free();
  } finally {
    Object.defineProperty(globalThis, 'performance', clock);
  }
}

/** Loads Rapier once per process; every call returns the same module. */
export function loadRapier(): Promise<Rapier> {
  loading ??= importRapier();
  return loading;
}
