/** Where labware stands: on a deck, on the deck of a definition, and in a simulated cell. */

import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { slotFault } from '../definition/instrument-slots.ts';
import { device } from '../definition/small-model.cases.ts';
import { contradictionOf, deckOfCell, slotOfNest, workcellInCell } from './cell-deck.ts';
import {
  type DeckPlace,
  deckBodyOf,
  deckContentsOf,
  deckFaults,
  heldLabware,
  homelessLabware,
  placeText,
  unitsOf,
} from './deck.ts';
import { deckStart, otherLocations } from './deck-start.ts';
import { bodyOf, grip, pass, put, smallCell } from './small-cell.cases.ts';

const at = (instrument_id: string, slot: number) => ({ instrument_id, slot });
const on = (labware_id: string, instrument_id: string, slot: number) => {
  return { labware_id, instrument_id, slot };
};

const HOTEL = { id: 'hotel', type: 'hotel', capacity: 2 };
const READER = { id: 'reader', type: 'reader' };
const BIN = { id: 'bin', type: 'waste', is_slotless_container: true };
const ARM = { id: 'arm', type: 'transport' };
const INSTRUMENTS = [HOTEL, READER, BIN, ARM];

/** A definition with pieces in these places. */
function definitionOf(
  pieces: Readonly<Record<string, readonly [string, number]>>,
  workcell: WorkflowDefinition['workcell'] = { instruments: INSTRUMENTS },
): WorkflowDefinition {
  const labware = Object.entries(pieces).map(([id, [instrument, slot]]) => {
    return { id, starting_location: { instrument, slot } };
  });
  return { name: 'small', workflow: { labware, tasks: {} }, workcell };
}

describe('slots', () => {
  it.each([
    [0, true],
    [1, false],
    [3, false],
    [4, true],
  ])('of an instrument with three: %d', (slot, isFault) => {
    const rack = { id: 'rack', slots: 3, slotless: false };
    expect(slotFault(rack, slot)).toBe(isFault ? 'rack has the slots 1 to 3' : null);
    expect(slotFault({ ...rack, slotless: true }, slot)).toBeNull();
  });

  it('of an instrument with one are named as such', () => {
    const one = { id: 'one', slots: 1, slotless: false };
    expect(slotFault(one, 2)).toBe('one has only slot 1');
    expect(slotFault(one, 1)).toBeNull();
  });

  it('have names, and so has the gripper', () => {
    expect([placeText(at('hotel', 2)), placeText(null)]).toEqual(['hotel slot 2', 'the gripper']);
  });
});

describe('a deck', () => {
  const deck = new Map<string, DeckPlace>([
    ['a', at('hotel', 1)],
    ['b', null],
    ['c', at('reader', 1)],
  ]);
  const body = { labware: [on('a', 'hotel', 1), on('c', 'reader', 1)], gripper: 'b' };

  it('has one piece in the gripper, or none', () => {
    expect(heldLabware(deck)).toBe('b');
    expect(heldLabware(new Map([['a', at('hotel', 1)]]))).toBeNull();
  });

  it('says what is left of labware that is counted, and reads it', () => {
    const counted = deckBodyOf(deck, new Map([['a', 0]]));
    const units = counted.labware.map((one) => [one.labware_id, one.units]);
    expect(units).toContainEqual(['a', 0]);
    expect(units.filter(([, left]) => left !== undefined)).toHaveLength(1);
    expect([...unitsOf(counted)]).toEqual([['a', 0]]);
    expect(unitsOf(body).size).toBe(0);
  });

  it('is sent and read without a difference', () => {
    expect(deckBodyOf(deck, new Map())).toEqual(body);
    expect([...deckContentsOf(body)].sort()).toEqual([...deck].sort());
    const empty = { labware: [], gripper: null };
    expect(deckBodyOf(new Map(), new Map())).toEqual(empty);
    expect(deckContentsOf(empty).size).toBe(0);
  });

  it.each([
    ['no fault', [on('a', 'hotel', 1), on('b', 'hotel', 2)], []],
    ['an unknown instrument', [on('a', 'oven', 1)], ['/labware/0']],
    ['the arm as an instrument', [on('a', 'arm', 1)], ['/labware/0']],
    ['a slot past the last', [on('a', 'hotel', 2), on('b', 'hotel', 3)], ['/labware/1']],
    ['a second slot of a reader', [on('a', 'reader', 2)], ['/labware/0']],
    ['any slot of a bin', [on('a', 'bin', 9), on('b', 'bin', 9)], []],
    ['two pieces in a slot', [on('a', 'hotel', 1), on('b', 'hotel', 1)], ['/labware/1']],
    ['equal slots of others', [on('a', 'hotel', 1), on('b', 'reader', 1)], []],
    ['a piece in two slots', [on('a', 'hotel', 1), on('a', 'hotel', 2)], ['/labware/1']],
    ['a piece twice in a slot', [on('a', 'hotel', 1), on('a', 'hotel', 1)], ['/labware/1']],
    ['a held piece in a slot', [on('held', 'hotel', 1)], ['/gripper']],
  ])('with %s', (_, labware, paths) => {
    const faults = deckFaults(INSTRUMENTS, { labware, gripper: 'held' });
    expect(faults.map(({ path }) => path)).toEqual(paths);
  });

  it('names the place and the piece of each fault', () => {
    const labware = [on('a', 'reader', 2), on('b', 'hotel', 1), on('c', 'hotel', 1)];
    const again = [...labware, on('a', 'bin', 1)];
    const faults = deckFaults(INSTRUMENTS, { labware: again, gripper: 'b' });
    expect(faults.map(({ message }) => message)).toEqual([
      'reader has only slot 1',
      'hotel slot 1 holds b already',
      'a is in reader slot 2 already',
      'b is in hotel slot 1 already',
    ]);
  });

  it('names the pieces whose places are gone', () => {
    const old = new Map<string, DeckPlace>([
      ['a', at('hotel', 3)],
      ['b', null],
      ['c', at('oven', 1)],
      ['d', at('hotel', 2)],
    ]);
    expect(homelessLabware(old, INSTRUMENTS)).toEqual([
      'a stands in hotel slot 3, but hotel has the slots 1 to 2',
      'c stands in oven slot 1, but there is no instrument oven',
    ]);
  });
});

describe('the start of a run', () => {
  const MODES = ['check', 'as_defined', 'as_found'] as const;

  it('has the pieces of the definition where the deck has none of them', () => {
    const definition = definitionOf({ a: ['hotel', 1], b: ['hotel', 2] });
    for (const mode of MODES) {
      expect(deckStart(new Map(), definition, mode)).toEqual({
        definition,
        held: null,
        others: [],
        differences: [],
      });
    }
  });

  it('keeps the other pieces of the deck where they are', () => {
    const deck = new Map([
      ['x', at('reader', 1)],
      ['a', at('hotel', 1)],
    ]);
    for (const mode of MODES) {
      const start = deckStart(deck, definitionOf({ a: ['hotel', 1] }), mode);
      expect([start.others, start.differences]).toEqual([[['x', at('reader', 1)]], []]);
    }
  });

  it.each([
    ['check', ['a is in reader slot 1, not in hotel slot 1'], ['reader', 1]],
    ['as_defined', [], ['hotel', 1]],
    ['as_found', [], ['reader', 1]],
  ] as const)('of a moved piece: %s', (mode, differences, [instrument, slot]) => {
    const deck = new Map([['a', at('reader', 1)]]);
    const start = deckStart(deck, definitionOf({ a: ['hotel', 1] }), mode);
    expect(start.differences).toEqual(differences);
    const [piece] = start.definition.workflow.labware;
    expect(piece!.starting_location).toEqual({ instrument, slot });
    expect([piece!.id, start.held]).toEqual(['a', null]);
  });

  it.each([
    ['check', 'a', ['a is in the gripper, not in hotel slot 1']],
    ['as_defined', null, ['the gripper holds a, which must be put down first']],
    ['as_found', 'a', []],
  ] as const)('of a piece in the gripper: %s', (mode, held, differences) => {
    const definition = definitionOf({ a: ['hotel', 1] });
    const start = deckStart(new Map([['a', null]]), definition, mode);
    expect([start.held, start.differences, start.others]).toEqual([held, differences, []]);
    expect(start.definition).toEqual(definition);
  });

  it('is refused while the gripper holds a piece of another workflow', () => {
    for (const mode of MODES) {
      const start = deckStart(new Map([['x', null]]), definitionOf({ a: ['hotel', 1] }), mode);
      expect(start.differences).toEqual(['the gripper holds x, which must be put down first']);
      expect([start.others, start.held]).toEqual([[], null]);
    }
  });

  it('is refused in the slot of another piece, but not in a container without slots', () => {
    const deck = new Map([
      ['x', at('hotel', 1)],
      ['y', at('bin', 1)],
    ]);
    const inHotel = deckStart(deck, definitionOf({ a: ['hotel', 1] }), 'check');
    expect(inHotel.differences).toEqual(['hotel slot 1 holds x, not a']);
    expect(deckStart(deck, definitionOf({ a: ['hotel', 2] }), 'check').differences).toEqual([]);
    expect(deckStart(deck, definitionOf({ a: ['bin', 1] }), 'check').differences).toEqual([]);
    const bare = definitionOf({ a: ['bin', 1] }, {});
    expect(deckStart(deck, bare, 'check').differences).toEqual(['bin slot 1 holds y, not a']);
  });

  it('knows the other pieces by the instruments of the model', () => {
    const instruments = [device('hotel', 2), device('reader')];
    const others = [
      ['x', at('reader', 1)],
      ['y', at('oven', 1)],
      ['z', at('hotel', 2)],
    ] as const;
    expect([...otherLocations({ instruments }, others)]).toEqual([
      ['x', { instrument: 1, slot: 1 }],
      ['z', { instrument: 0, slot: 2 }],
    ]);
  });
});

describe('the deck of a simulated cell', () => {
  it('has a slot for each nest of a fixture', () => {
    const cell = smallCell();
    const names = ['hotel nest 1', 'hotel nest 2', 'reader nest 1', 'tray nest', 'floor', null];
    expect(names.map((name) => slotOfNest(cell, name))).toEqual([
      at('hotel', 1),
      at('hotel', 2),
      at('reader', 1),
      null,
      null,
      null,
    ]);
  });

  it('is used by a workflow whose labware are all objects there', () => {
    const cell = smallCell();
    const own = definitionOf({ plate_1: ['hotel', 1] });
    expect(deckOfCell(null, own)).toBeNull();
    expect(deckOfCell(cell, definitionOf({ plate_1: ['hotel', 1], other: ['bin', 1] }))).toBeNull();
    const found = deckOfCell(cell, own)!;
    expect([...found.deck]).toEqual([['plate_1', at('hotel', 1)]]);
    expect(found.strays).toEqual([]);
  });

  it('names the labware that stands in no slot, with its place', () => {
    const cell = smallCell();
    const both = definitionOf({ plate_1: ['hotel', 1], plate_2: ['hotel', 2] });
    expect(deckOfCell(cell, both)!.strays).toEqual(['plate_2 is resting at tray nest']);
    cell.setMissing(bodyOf(cell, 'plate_2'), true);
    expect(deckOfCell(cell, both)!.strays).toEqual(['plate_2 is missing']);
  });

  it('has a held piece in the gripper', () => {
    const cell = smallCell();
    grip(cell, true);
    expect(deckOfCell(cell, definitionOf({ plate_1: ['hotel', 1] }))).toEqual({
      deck: new Map([['plate_1', null]]),
      strays: [],
    });
  });

  it('belongs to a workcell with an instrument and all of the labware there', () => {
    const cell = smallCell();
    const deckOf = (...ids: string[]) => new Map(ids.map((id) => [id, at('hotel', 2)] as const));
    const here = { instruments: [ARM, HOTEL], deck: deckOf('plate_1') };
    expect([...workcellInCell(cell, here)!]).toEqual([['plate_1', at('hotel', 1)]]);
    expect(workcellInCell(null, here)).toBeNull();
    expect(workcellInCell(cell, { ...here, instruments: [BIN] })).toBeNull();
    const tray = { id: 'tray', type: 'tray' };
    expect(workcellInCell(cell, { ...here, instruments: [tray] })).toBeNull();
    expect(workcellInCell(cell, { ...here, deck: deckOf('plate_1', 'other') })).toBeNull();
  });

  it('has only the slots of the workcell', () => {
    const cell = smallCell();
    put(cell, 'plate_2', 'reader nest 1');
    const deck = new Map<string, DeckPlace>();
    const found = (instruments: (typeof HOTEL | typeof READER)[]) => [
      ...workcellInCell(cell, { instruments, deck })!.keys(),
    ];
    expect(found([HOTEL, READER])).toEqual(['plate_1', 'plate_2']);
    expect(found([READER])).toEqual(['plate_2']);
  });

  it('contradicts a deck that has a piece elsewhere', () => {
    const cell = smallCell();
    const instruments = [HOTEL, READER];
    const saying = (place: DeckPlace, id = 'plate_1') =>
      contradictionOf(cell, { instruments }, new Map([[id, place]]))?.split(';')[0] ?? null;
    expect(saying(at('hotel', 1))).toBeNull();
    expect(saying(at('hotel', 2))).toBe('The cell has plate_1 in hotel slot 1');
    expect(saying(null)).toBe('The cell has plate_1 in hotel slot 1');
    expect(saying(at('hotel', 2), 'plate_2')).toBe('The cell has plate_2 in no slot');
    expect(saying(at('hotel', 2), 'other')).toBeNull();
    grip(cell, true);
    expect(saying(null)).toBeNull();
    expect(saying(at('hotel', 1))).toBe('The cell has plate_1 in the gripper');
    grip(cell, false);
    pass(cell, 300);
    const second = new Map([
      ['plate_1', at('hotel', 1)],
      ['plate_2', at('reader', 1)],
    ]);
    expect(contradictionOf(cell, { instruments }, second)).toContain('plate_2 in no slot');
    expect(contradictionOf(null, { instruments }, second)).toBeNull();
  });
});
