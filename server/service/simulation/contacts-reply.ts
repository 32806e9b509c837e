/**
 * The log of contacts as the simulation control API shows it (D30), with figures of ISO/TS 15066
 * beside it.
 */

import type { ArmWorld, Contact } from '../../../bridge/arm-world.ts';
import type { ContactsReply, SimContact } from '../../../contract/types.generated.ts';
import { LINK_NAMES } from '../../../physics/arm/geometry.ts';
import { GRIPPER_BODY } from '../../../physics/plant/environment-forces.ts';

/**
 * Force limits of ISO/TS 15066:2016, table A.2, by body region: quasi-static and transient (N); a
 * transient contact of head and face is not permissible.
 */
const FORCE_LIMITS: ContactsReply['force_limits'] = [
  { region: 'skull and forehead', quasi_static_n: 130, transient_n: null },
  { region: 'face', quasi_static_n: 65, transient_n: null },
  { region: 'neck', quasi_static_n: 150, transient_n: 300 },
  { region: 'back and shoulders', quasi_static_n: 210, transient_n: 420 },
  { region: 'chest', quasi_static_n: 140, transient_n: 280 },
  { region: 'abdomen', quasi_static_n: 110, transient_n: 220 },
  { region: 'pelvis', quasi_static_n: 180, transient_n: 360 },
  { region: 'upper arms and elbow joints', quasi_static_n: 150, transient_n: 300 },
  { region: 'lower arms and wrist joints', quasi_static_n: 160, transient_n: 320 },
  { region: 'hands and fingers', quasi_static_n: 140, transient_n: 280 },
  { region: 'thighs and knees', quasi_static_n: 220, transient_n: 440 },
  { region: 'lower legs', quasi_static_n: 130, transient_n: 260 },
];
const NOTE =
  'ISO/TS 15066:2016, table A.2, for information only: forces of springs in a simulated world ' +
  'say nothing about the forces that a real arm exerts on a person.';

/** Name of a body of the arm, by its number in the world. */
export function nameOf(link: number): string {
  return LINK_NAMES[link] ?? (link === GRIPPER_BODY ? 'gripper' : 'load');
}

export function wireForm(contact: Contact): SimContact {
  const { place_m, force_n, ...rest } = contact;
  const [x, y, z] = place_m;
  return { ...rest, body: nameOf(contact.link), place: { x, y, z }, residual_force_n: force_n };
}

/** All contacts that the world remembers, with the figures beside them. */
export function contactsReply(world: ArmWorld): ContactsReply {
  return { contacts: world.contacts.list().map(wireForm), force_limits: FORCE_LIMITS, note: NOTE };
}
