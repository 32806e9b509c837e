import type { Cell } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';

/**
 * The name of a cell that somebody has made, which the sample's would replace; null where there is
 * none, or that of a sample as it comes.
 */
export function cellInTheWay({ sim }: ArmView, samples: readonly Cell[]): string | null {
  const own = sim?.cell?.description;
  const text = JSON.stringify(own);
  return !own || samples.some((cell) => JSON.stringify(cell) === text) ? null : own.name;
}
