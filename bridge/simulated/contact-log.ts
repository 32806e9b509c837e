/**
 * The contacts of a simulated arm with obstacles and floor, in order: which bodies, where, how
 * fast, how hard. A contact lasts until its bodies have been apart for half a second, so bouncing
 * is one contact. Only a simulated world knows these forces; the robot does not read them.
 */

import { limits } from '../../contract/limits.ts';
import { PLANT_STEP_S } from '../../physics/dynamics/plant-step.ts';
import { GRIPPER_BODY } from '../../physics/plant/environment-forces.ts';
import type { Plant } from '../../physics/plant/plant.ts';
import { type Contact, type ContactList, FLOOR } from '../arm-world.ts';

/** Bodies that are apart for so many plant steps have ended their contact. */
const APART_STEPS = 500;

type OpenContact = { -readonly [Key in keyof Contact]: Contact[Key] };

/** The log as it is stored in snapshots. */
export interface ContactLogState {
  readonly contacts: readonly Contact[];
  readonly last_id: number;
  /** Last plant steps with a force of the contacts that last, by their ids. */
  readonly touched: readonly (readonly [number, number])[];
}

export class ContactLog implements ContactList {
  private contacts: OpenContact[] = [];
  private lastId = 0;
  /** Last plant step with a force of each open contact, by its id. */
  private readonly touched = new Map<number, number>();
  /** Names of the obstacles in the order of the plant, and of the floor last. */
  names: readonly string[] = [FLOOR];
  /** Incremented when a contact starts or ends. */
  revision = 0;
  /** Steps that the time of the twin is ahead of that of the plant. */
  late_steps = 0;

  /** The latest contacts, oldest first. */
  list(): readonly Contact[] {
    return this.contacts;
  }

  /** Reads the contacts after plant step `step`. Costs nothing while nothing touches. */
  update(plant: Plant, step: number, isDetected: boolean): void {
    if (!plant.environment.isTouching && this.touched.size === 0) return;
    for (const contact of this.contacts) {
      if (!this.touched.has(contact.id)) continue;
      contact.force_n = 0;
      if (isDetected) contact.detected = true;
    }
    if (plant.environment.isTouching) this.readForces(plant, step);
    this.closeOld(step);
  }

  private readForces(plant: Plant, step: number): void {
    for (const [i, name] of this.names.entries()) {
      for (let body = 1; body <= GRIPPER_BODY; body++) {
        const { force_n } = plant.environment.contactOf(i, body);
        if (force_n === 0) continue;
        const contact = this.openContact(name, body) ?? this.open(plant, { i, name, body, step });
        contact.force_n = force_n;
        contact.peak_force_n = Math.max(contact.peak_force_n, force_n);
        this.touched.set(contact.id, step);
      }
    }
  }

  private openContact(name: string, body: number): OpenContact | undefined {
    return this.contacts.find(
      ({ id, link, obstacle }) => link === body && obstacle === name && this.touched.has(id),
    );
  }

  private open(
    plant: Plant,
    pair: { readonly i: number; readonly name: string; readonly body: number; step: number },
  ): OpenContact {
    const point = plant.environment.contactOf(pair.i, pair.body);
    const [x, y, z] = point.point_m;
    this.lastId += 1;
    const contact: OpenContact = {
      id: this.lastId,
      at_s: (pair.step + this.late_steps) * PLANT_STEP_S,
      ended_s: null,
      link: pair.body,
      obstacle: pair.name,
      place_m: [x!, y!, z!],
      speed_m_s: plant.environment.approachSpeed(point, pair.body, plant.state.velocity),
      peak_force_n: 0,
      force_n: 0,
      detected: false,
    };
    this.contacts = [...this.contacts, contact].slice(-limits.contacts);
    this.revision += 1;
    return contact;
  }

  private closeOld(step: number): void {
    for (const contact of this.contacts) {
      const last = this.touched.get(contact.id);
      if (last === undefined || step - last < APART_STEPS) continue;
      contact.ended_s = (last + this.late_steps) * PLANT_STEP_S;
      this.touched.delete(contact.id);
      this.revision += 1;
    }
  }

  save(): ContactLogState {
    const contacts = this.contacts.map((contact) => ({ ...contact }));
    return { contacts, last_id: this.lastId, touched: [...this.touched] };
  }

  restore({ contacts, last_id, touched }: ContactLogState): void {
    this.contacts = contacts.map((contact) => ({ ...contact }));
    this.lastId = last_id;
    this.touched.clear();
    for (const [id, step] of touched) this.touched.set(id, step);
    this.revision += 1;
  }
}
