/** Publishes the contacts of the simulated world. */

import type { ArmWorld } from '../../../bridge/arm-world.ts';
import type { SimContact } from '../../../contract/types.generated.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import { wireForm } from './contacts-reply.ts';

/** A line for the log. */
function textOf({ body, obstacle, place, speed_m_s, ...contact }: SimContact): string {
  const at = [place.x, place.y, place.z].map((part) => part.toFixed(3)).join(', ');
  const met = `${body} and “${obstacle}” at (${at}) m, ${speed_m_s.toFixed(2)} m/s`;
  const ended = `ended, peak ${contact.peak_force_n.toFixed(0)} N`;
  return `Contact ${contact.id}: ${met}, ${contact.ended_s === null ? 'started' : ended}`;
}

/** Reports the start and the end of every contact. */
export class ContactWatch implements LoopListener {
  private readonly world: ArmWorld;
  private readonly report: (contact: SimContact, text: string) => void;
  private revision: number;
  private readonly open = new Set<number>();
  private lastId = 0;

  constructor(world: ArmWorld, report: (contact: SimContact, text: string) => void) {
    this.world = world;
    this.report = report;
    this.revision = world.contacts.revision;
  }

  onTick(): void {
    const { contacts } = this.world;
    if (contacts.revision === this.revision) return;
    this.revision = contacts.revision;
    for (const contact of contacts.list()) {
      const isNew = contact.id > this.lastId;
      const isEnd = contact.ended_s !== null && (isNew || this.open.has(contact.id));
      if (isNew) this.open.add(contact.id);
      this.lastId = Math.max(this.lastId, contact.id);
      if (isEnd) this.open.delete(contact.id);
      if (!isNew && !isEnd) continue;
      const wire = wireForm(contact);
      this.report(wire, textOf(wire));
    }
  }

  /** A restored world has a log of its own: its contacts are not reported again. */
  onRestore(): void {
    this.revision = this.world.contacts.revision;
    this.open.clear();
    this.lastId = 0;
    for (const { id, ended_s } of this.world.contacts.list()) {
      this.lastId = Math.max(this.lastId, id);
      if (ended_s === null) this.open.add(id);
    }
  }
}
