/** The situations of a twin: which there are, which are possible now, and which are active. */
import { type Refusal, refuse, refuseAt } from '../../../../contract/refusal.ts';
import type { Situation, SituationBody } from '../../../../contract/types.generated.ts';
import type {
  BegunSituation,
  SituationName,
  SituationRefusal,
  SituationTable,
} from './situation.ts';

export class Situations {
  private readonly table: SituationTable;
  private readonly begun = new Map<SituationName, BegunSituation>();

  constructor(table: SituationTable) {
    this.table = table;
  }

  /** All of them, with what each does and whether it can begin now. */
  list(): readonly Situation[] {
    return this.names.map((name) => this.get(name));
  }

  /** Begins a situation; one of its name ends first. */
  begin(body: SituationBody): Situation | SituationRefusal {
    const { name } = body;
    const { parameters, hindrance, begin } = this.table[name];
    const known: readonly string[] = parameters;
    const other = Object.keys(body).find((field) => field !== 'name' && !known.includes(field));
    if (other !== undefined) {
      const takes = known.length > 0 ? `it takes ${known.join(' and ')}` : 'it takes no fields';
      return refuseAt(`/${other}`, `is no field of ${name}; ${takes}`);
    }
    this.end(name);
    const why = hindrance();
    if (why !== null) return refuse('fault_cannot_act', why);
    const begun = begin(body);
    if ('refused' in begun) return begun;
    this.begun.set(name, begun);
    return this.get(name);
  }

  /** Ends a situation; refused if it is not active. */
  end(name: string): Refusal<'not_found'> | null {
    const known = this.names.find((each) => each === name);
    const begun = known && this.begun.get(known);
    if (!known || !begun?.isActive()) {
      const what = known ? `${name} is not active` : `There is no situation ${name}`;
      return refuse('not_found', `${what}; GET /sim/v1/situations lists them`);
    }
    this.begun.delete(known);
    begun.end();
    return null;
  }

  endAll(): void {
    for (const name of this.begun.keys()) this.end(name);
    this.begun.clear();
  }

  private get names(): readonly SituationName[] {
    return Object.keys(this.table) as SituationName[];
  }

  private get(name: SituationName): Situation {
    const { does, parameters, hindrance } = this.table[name];
    const active = this.begun.get(name)?.isActive() ?? false;
    const why = active ? null : hindrance();
    return {
      name,
      does,
      parameters: [...parameters],
      active,
      possible: why === null,
      hindrance: why,
    };
  }
}
