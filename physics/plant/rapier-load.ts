/**
 * Loads and starts Rapier once a process. Its WebAssembly compiles in the background: a process
 * that has nothing else to wait for would drain every compiler job first, so a live handle is kept
 * until it answers (up to a second saved at start).
 */
export type Rapier = typeof import('@dimforge/rapier3d-compat');

let loading: Promise<Rapier> | null = null;

async function load(): Promise<Rapier> {
  const { port1 } = new MessageChannel();
  port1.onmessage = ignore;
  try {
    const rapier = await import('@dimforge/rapier3d-compat');
    await rapier.init();
    return rapier;
  } finally {
    port1.close();
  }
}

function ignore(): void {}

/** Rapier, ready for use; the same for every caller. */
export function loadRapier(): Promise<Rapier> {
  loading ??= load();
  return loading;
}
