/** Situations that are made of an obstacle: somebody who stands where the arm works. */
import { refuse } from '../../../../contract/refusal.ts';
import type {
  AddObstacleBody,
  SituationBody,
  Vector,
} from '../../../../contract/types.generated.ts';
import type { Obstacles } from '../obstacles.ts';
import type { SituationRow } from './situation.ts';

interface ObstacleSituation extends Omit<SituationRow, 'begin'> {
  readonly obstacle: Pick<AddObstacleBody, 'name' | 'half' | 'stiffness_n_per_m'>;
  /** Where it may stand, the best place first. */
  readonly places: readonly Vector[];
}

const NO_PLACE =
  'The arm reaches over every place where a person would stand: move it, or give a position';

/** The row of a situation that lasts as long as its obstacle stands. */
export function obstacleSituation(
  obstacles: Obstacles,
  { obstacle, places, ...row }: ObstacleSituation,
): SituationRow {
  const at = (position: Vector): AddObstacleBody => ({ ...obstacle, position });
  const isFree = (position: Vector) => obstacles.metByArm([at(position)], '').length === 0;
  const placeOf = ({ position }: Pick<SituationBody, 'position'>) =>
    position ?? places.find(isFree);
  return {
    ...row,
    hindrance: () => row.hindrance() ?? (placeOf({}) ? null : NO_PLACE),
    begin(body) {
      const place = placeOf(body);
      if (!place) return refuse('fault_cannot_act', NO_PLACE);
      const added = obstacles.add(at(place));
      if ('refused' in added) return added;
      return {
        isActive: () => obstacles.list().some(({ id }) => id === added.id),
        end: () => void obstacles.remove(added.id),
      };
    },
  };
}
