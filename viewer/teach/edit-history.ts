/**
 * Undo and redo as a list of states with a cursor. What belongs to one gesture (a drag, a field
 * being typed into) is one step. Pure.
 */

/** Steps that can be undone; older ones are forgotten. */
const STEPS_MAX = 200;

export interface EditHistory<State> {
  readonly present: State;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** A new state; one of the same gesture as the last takes its place. */
  push(state: State, gesture?: string): void;
  /** Ends the gesture: the next state is a step of its own. */
  settle(): void;
  /** Goes back and returns the state then; null at the beginning. */
  undo(): State | null;
  redo(): State | null;
  /** Changes what all states say, without a step: a name that became known, say. */
  rewrite(change: (state: State) => State): void;
}

class StateList<State> implements EditHistory<State> {
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

  push(state: State, gesture?: string): void {
    const same = gesture !== undefined && gesture === this.gesture;
    const kept = this.states.slice(0, this.at + (same ? 0 : 1));
    this.states = [...kept, state].slice(-(STEPS_MAX + 1));
    this.at = this.states.length - 1;
    this.gesture = gesture ?? null;
  }

  settle(): void {
    this.gesture = null;
  }

  undo(): State | null {
    return this.step(-1, this.canUndo);
  }

  redo(): State | null {
    return this.step(1, this.canRedo);
  }

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

/** A history that begins with `first`, which cannot be undone. */
export function createEditHistory<State>(first: State): EditHistory<State> {
  return new StateList(first);
}
