/** Rules for contacts and loads in the simulated world (/sim/v1). */
import { INVALID } from '../refusal-check.ts';
import type { Rule } from '../rule.ts';
import { moveIntoObstacle } from '../steps/obstacle-in-the-way.ts';
import { thenReset } from '../steps/world-reset.ts';

const needs = { sim: true, admin: true, world: true } as const;

const contacts: Rule = {
  id: 'sim/contacts',
  requirements: [],
  routes: ['listContacts', 'openSimStream', 'addObstacle'],
  statement: 'Each contact is listed and published with its bodies, place, speed and forces.',
  needs: { ...needs, motion: true },
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    const listener = await context.listenToSim(admin);
    await thenReset(admin, async () => {
      const body = { name: 'in the way' };
      await moveIntoObstacle(context, admin, body.name);
      await listener.received('contact', ({ contact }) => contact.obstacle === body.name);
      const listed = await admin.does('listContacts');
      const contact = listed.contacts.findLast(({ obstacle }) => obstacle === body.name);
      expect.ok(contact !== undefined, 'the contact is listed');
      expect.ok(contact!.peak_force_n > 0, 'it has a peak force');
      expect.ok(contact!.peak_force_n >= contact!.residual_force_n, 'no force exceeds the peak');
      expect.ok(contact!.link >= 1 && contact!.link <= 8, 'it names the body of the arm');
      expect.ok(listed.force_limits.length > 0, 'figures of ISO/TS 15066 are beside it');
    });
  },
};

const load: Rule = {
  id: 'sim/load',
  requirements: [],
  routes: ['getLoad', 'setLoad', 'clearLoad'],
  statement:
    'The real load is apart from the payload of the toolpath; impossible ones are refused.',
  needs,
  async check(context) {
    const { expect } = context;
    const admin = await context.as('admin');
    const before = await admin.does('getLoad');
    const centre_of_mass_m = { x: 0.01, y: -0.02, z: 0.05 };
    const inertia = { xx: 4e-4, yy: 5e-4, zz: 3e-4, xy: 0, xz: 0, yz: 0 };
    await thenReset(admin, async () => {
      const body = { mass_kg: 0.2, centre_of_mass_m, inertia };
      const set = await admin.does('setLoad', body);
      expect.equal(set, { load: body, payload_kg: before.payload_kg }, 'the load in the reply');
      expect.equal(await admin.does('getLoad'), set, 'the load as it is read');
      const refused = [
        { ...body, mass_kg: -0.1 },
        { ...body, mass_kg: 2 },
        { ...body, centre_of_mass_m: { ...centre_of_mass_m, z: 2 } },
        { ...body, inertia: { ...inertia, xx: -1e-4 } },
        { ...body, inertia: { ...inertia, xy: 6e-4 } },
        { ...body, inertia: { ...inertia, zz: 2e-3 } },
      ];
      for (const wrong of refused) await admin.refused('setLoad', { body: wrong }, INVALID);
      expect.equal(await admin.does('getLoad'), set, 'the load after refusals');
      await admin.does('clearLoad');
      expect.equal(await admin.does('getLoad'), { ...set, load: null }, 'without a load');
    });
  },
};

export const SIM_CONTACT_RULES: readonly Rule[] = [contacts, load];
