import type { Pace } from '../../clock/clock.ts';
import type { TwinSnapshot } from './twin-snapshot.ts';
import type { UsersSnapshot } from './users-snapshot.ts';

/** The twin's state at start-up. */
export interface InitialState {
  readonly snapshot: TwinSnapshot;
  readonly users: UsersSnapshot;
  readonly pace: Pace;
  readonly paused: boolean;
}
