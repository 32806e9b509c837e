/**
 * Undo and redo as a list of states with a cursor. All changes of one gesture (a drag, typing in a
 * field) are one step. Pure.
 */

/** Maximum number of steps that can be undone; older ones are dropped. */
const STEPS_MAX = 200;

/** States that edits led to, with undo and redo; it starts with `first`. */
export class EditHistory<State> {
  private states: State[];
  private at = 0;
  private gesture: string | null = null;

  constructor(first: State) {
    this.states = [first];
  }

  get present(): State {
    return this.states[this.at]!;
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.states.length - 1;
  }

  /** Adds a state; it replaces the last one if the gesture is the same. */
  push(state: State, gesture?: string): void {
    const same = gesture !== undefined && gesture === this.gesture;
    const kept = this.states.slice(0, this.at + (same ? 0 : 1));
    this.states = [...kept, state].slice(-(STEPS_MAX + 1));
    this.at = this.states.length - 1;
    this.gesture = gesture ?? null;
  }

  /** Ends the gesture: the next state is a new step. */
  settle(): void {
    this.gesture = null;
  }

  /** Returns the previous state, or null at the start. */
  undo(): State | null {
    return this.step(-1, this.canUndo);
  }

  redo(): State | null {
    return this.step(1, this.canRedo);
  }

  /** Changes all states without adding a step, for example after a save assigned an id. */
  rewrite(change: (state: State) => State): void {
    this.states = this.states.map(change);
  }

  private step(by: 1 | -1, can: boolean): State | null {
    this.gesture = null;
    if (!can) return null;
    this.at += by;
    return this.present;
  }
}
