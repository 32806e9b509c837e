import type { CellState } from '../../contract/types.generated.ts';

const PARTS = ['objects', 'grippers', 'sensors', 'conveyors', 'controls'] as const;

/** The parts of a cell that differ from what was taken last, each whole. */
export class CellChanges {
  private readonly last = new Map<string, string>();

  /** The changed parts; null without any. */
  take(state: CellState): CellState | null {
    const part = <Key extends (typeof PARTS)[number]>(key: Key) =>
      this.changed<{ readonly name: string }>(key, state[key]) as CellState[Key];
    const now: CellState = {
      objects: part('objects'),
      grippers: part('grippers'),
      sensors: part('sensors'),
      conveyors: part('conveyors'),
      controls: part('controls'),
    };
    return PARTS.some((key) => now[key].length > 0) ? now : null;
  }

  private changed<Entry extends { readonly name: string }>(
    part: string,
    entries: readonly Entry[],
  ): Entry[] {
    return entries.filter((entry) => {
      const text = JSON.stringify(entry);
      const key = `${part} ${entry.name}`;
      const isNew = this.last.get(key) !== text;
      this.last.set(key, text);
      return isNew;
    });
  }
}
