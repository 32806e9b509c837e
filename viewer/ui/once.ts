/**
 * Runs an action unless one of the same name is under way: the second click of a double click asks
 * for nothing more.
 */
export function createOnce(): (name: string, action: () => Promise<unknown>) => Promise<void> {
  const running = new Set<string>();
  return async (name, action) => {
    if (running.has(name)) return;
    running.add(name);
    try {
      await action();
    } finally {
      running.delete(name);
    }
  };
}
