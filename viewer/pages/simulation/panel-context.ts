/** What the panels of the Simulation page draw. */
import { type ReadonlySignal, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ArmClient } from '../../../contract/client.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';
import type { CellActions } from './cell-actions.ts';
import type { PlaceAt } from './place-by-click.ts';
import type { SimulationContext } from './simulation-context.ts';

interface PanelContext extends SimulationContext {
  /** The view as it is drawn. */
  readonly arm: ReadonlySignal<ArmView>;
  /** Changes when what no stream delivers is due to be asked for. */
  readonly due: ReadonlySignal<number>;
  readonly actions: CellActions;
  /** The name of the selected part of the cell; null for none. */
  readonly selected: ReadonlySignal<string | null>;
  readonly select: (name: string | null) => void;
  /** A key on the row of a part; returns whether it is used. */
  readonly onKey: (name: string, event: KeyboardEvent) => boolean;
  /** What the next click into the scene does; null if it places no obstacle. */
  readonly placing: Signal<PlaceAt | null>;
}

export interface PanelProps {
  readonly context: PanelContext;
}

/** The reply to a query that no stream delivers, asked for again whenever it is due. */
export function usePolled<Reply>(
  { calls, due }: Pick<PanelContext, 'calls' | 'due'>,
  query: (client: ArmClient) => Promise<Reply>,
) {
  const reply = useSignal<Reply | null>(null);
  /** Runs a command and asks again; without one only asks. */
  async function run(command?: (client: ArmClient) => Promise<unknown>): Promise<void> {
    if (command) await calls.run(command);
    const now = await calls.query(query);
    if (now) reply.value = reuseIfEqual(reply.peek(), now);
  }
  useSignalEffect(() => {
    if (due.value > 0) void run();
  });
  return { reply: reply.value, run };
}
