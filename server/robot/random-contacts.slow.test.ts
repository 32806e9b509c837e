import { expect, it } from 'vitest';
import { DRIVERS } from './arm-run.cases.ts';
import { drawContact, lineOf, playContact } from './random-contacts.cases.ts';

/** CONTACT_COUNT and CONTACT_SEED draw more contacts, or others. */
const COUNT = Number(process.env['CONTACT_COUNT'] ?? 60);
const FIRST_SEED = Number(process.env['CONTACT_SEED'] ?? 1);

it.each(DRIVERS)(
  'after random contacts on %s nothing presses, and the arm goes on',
  async (driver) => {
    const wrong: string[] = [];
    const events = { collision: 0, error: 0, none: 0 };
    for (let i = 0; i < COUNT; i++) {
      const contact = drawContact(driver, FIRST_SEED + i);
      const outcome = await playContact(contact);
      events[outcome.event] += 1;
      const line = lineOf(contact, outcome);
      process.stdout.write(`${line}\n`);
      if (outcome.faults.length > 0) wrong.push(line);
    }
    process.stdout.write(`${driver}: ${JSON.stringify(events)}, ${wrong.length} wrong\n`);
    expect(wrong).toEqual([]);
  },
  900_000,
);
