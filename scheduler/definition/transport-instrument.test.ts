/** The transport instrument of a definition, the moves that a plan may contain, their stations. */

import { describe, expect, it } from 'vitest';
import { ANY_SLOT } from '../plan/slot-location.ts';
import { DefinitionFindings } from './definition-findings.ts';
import { bufferMoves, possibleMoves } from './possible-moves.ts';
import { armOf, CONFIG, device, job, piece, pose } from './small-model.cases.ts';
import { armTransportSetup, checkStations, transportOf } from './transport-instrument.ts';

const ARM = { id: 'arm', type: 'transport' };
const HOTEL = { id: 'hotel', type: 'hotel' };
const STATION = { approach: pose(0.1), grip: pose(0.2) };

describe('the transport instrument', () => {
  it('is found among the others, with its place', () => {
    const findings = new DefinitionFindings();
    const found = transportOf(findings, [HOTEL, ARM]);
    expect(found).toEqual({ instrument: ARM, path: '/workcell/instruments/1' });
    expect([findings.errors, findings.warnings]).toEqual([[], []]);
  });

  it('is the only one', () => {
    const findings = new DefinitionFindings();
    const found = transportOf(findings, [ARM, HOTEL, { ...ARM, id: 'b' }, { ...ARM, id: 'c' }]);
    expect(found!.instrument).toBe(ARM);
    expect(findings.errors.map(({ path }) => path)).toEqual([
      '/workcell/instruments/2',
      '/workcell/instruments/3',
    ]);
  });

  it('may be absent, with a warning', () => {
    const findings = new DefinitionFindings();
    expect(transportOf(findings, [HOTEL])).toBeNull();
    expect([findings.errors, findings.warnings.length]).toEqual([[], 1]);
  });
});

describe('the stations of the arm', () => {
  const path = '/workcell/instruments/0';
  const indexOf = new Map([
    ['hotel', 0],
    ['reader', 1],
  ]);

  function read(config: unknown, rest: object = {}) {
    const findings = new DefinitionFindings();
    const instrument = { ...ARM, config, ...rest } as typeof ARM;
    const setup = armTransportSetup(findings, { instrument, path }, indexOf);
    const { errors, warnings } = findings;
    return { setup, paths: errors.map((one) => one.path), errors, warnings };
  }

  it('are kept by instrument and slot', () => {
    const stations = { hotel: { 1: STATION, 12: STATION }, reader: { 9999: STATION } };
    const { setup, paths } = read({ ...CONFIG, stations });
    expect(paths).toEqual([]);
    expect([...setup!.stations.keys()]).toEqual(['0/1', '0/12', '1/9999']);
    expect(setup!.stations.get('0/12')).toEqual(STATION);
    expect(setup!.config).toEqual({ ...CONFIG, stations });
  });

  it.each([
    ['no configuration', undefined, {}],
    ['a configuration without stations', { speed: 1 }, {}],
    ['a simulated transport', CONFIG, { simulate: true }],
  ])('are not read of %s', (_, config, rest) => {
    expect(read(config, rest)).toMatchObject({ setup: null, paths: [] });
  });

  it('are not read where the configuration is invalid', () => {
    const { setup, paths } = read({ stations: {} });
    expect(setup).toBeNull();
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.every((one) => one.startsWith(`${path}/config`))).toBe(true);
  });

  it('of an unknown instrument are an error at its name', () => {
    const { setup, errors } = read({ ...CONFIG, stations: { 'a/b': { 1: STATION } } });
    const at = `${path}/config/stations/a~1b`;
    expect(errors).toEqual([{ path: at, message: 'there is no instrument a/b' }]);
    expect(setup!.stations.size).toBe(0);
  });

  it.each(['x', '', '-1', '1.5', '12345', 'x1', '1x'])('have no slot %j', (slot) => {
    const { setup, errors } = read({ ...CONFIG, stations: { hotel: { [slot]: STATION } } });
    const at = `${path}/config/stations/hotel/${slot}`;
    expect(errors).toEqual([{ path: at, message: 'must be a slot number' }]);
    expect(setup!.stations.size).toBe(0);
  });

  it('with wrong poses are an error and left out', () => {
    const stations = { hotel: { 1: { approach: pose(0) }, 2: STATION } };
    const { setup, paths } = read({ ...CONFIG, stations });
    expect(paths.every((one) => one.startsWith(`${path}/config/stations/hotel/1`))).toBe(true);
    expect([paths.length, [...setup!.stations.keys()]]).toEqual([1, ['0/2']]);
  });

  it('may be none for an instrument', () => {
    const { setup, paths } = read({ ...CONFIG, stations: { hotel: null } });
    expect([setup!.stations.size, paths]).toEqual([0, []]);
  });
});

const to = (instrument: number, slot: number) => ({ instrument, slot });
const FOUR = ['hotel', 'washer', 'reader', 'stand'].map((id) => device(id));

describe('possible moves', () => {
  it('go along the chain of each piece, to each candidate', () => {
    const tasks = [job('wash', [1], [[0, 1, 2]]), job('read', [2, 3], [[0, 4]])];
    const labware = [piece('a', [0, 7], [0, 1])];
    expect(possibleMoves({ instruments: FOUR, labware, tasks })).toEqual([
      { from: to(0, 7), to: to(1, 1), task: 0, labware: 0 },
      { from: to(1, 2), to: to(2, 4), task: 1, labware: 0 },
      { from: to(1, 2), to: to(3, 4), task: 1, labware: 0 },
    ]);
  });

  it('begin at each place where the task before may have left the piece', () => {
    const tasks = [job('wash', [1, 2], [[0, 1]]), job('store', [0], [[0, 5]])];
    const moves = possibleMoves({
      instruments: FOUR,
      labware: [piece('a', [0, 1], [0, 1])],
      tasks,
    });
    expect(moves.filter(({ task }) => task === 1)).toEqual([
      { from: to(1, 1), to: to(0, 5), task: 1, labware: 0 },
      { from: to(2, 1), to: to(0, 5), task: 1, labware: 0 },
    ]);
  });

  it('go to each slot where any will do, and from each of them', () => {
    const instruments = [device('hotel', 9), device('rack', 3, { choice: [1, 3] })];
    const tasks = [
      job('keep', [1], [[0, ANY_SLOT]]),
      job('stay', [1], [[0, ANY_SLOT]]),
      job('store', [0], [[0, 5]]),
    ];
    const labware = [piece('a', [0, 1], [0, 1, 2])];
    expect(possibleMoves({ instruments, labware, tasks })).toEqual([
      { from: to(0, 1), to: to(1, 1), task: 0, labware: 0 },
      { from: to(0, 1), to: to(1, 3), task: 0, labware: 0 },
      { from: to(1, 1), to: to(0, 5), task: 2, labware: 0 },
      { from: to(1, 3), to: to(0, 5), task: 2, labware: 0 },
    ]);
  });

  it('leave out where a piece already is, and skipped tasks', () => {
    const tasks = [
      job('here', [0], [[0, 1]]),
      { ...job('skipped', [2], [[0, 1]]), skip: true },
      job('there', [1], [[0, 3]]),
    ];
    expect(
      possibleMoves({ instruments: FOUR, labware: [piece('a', [0, 1], [0, 1, 2])], tasks }),
    ).toEqual([{ from: to(0, 1), to: to(1, 3), task: 2, labware: 0 }]);
  });

  it('take the slots of the own piece in a task of two', () => {
    const uses = [
      [0, 1],
      [1, 2],
    ] as const;
    const labware = [piece('a', [0, 1], [0]), piece('b', [0, 2], [0]), piece('c', [0, 3], [0])];
    expect(possibleMoves({ instruments: FOUR, labware, tasks: [job('mix', [1], uses)] })).toEqual([
      { from: to(0, 1), to: to(1, 1), task: 0, labware: 0 },
      { from: to(0, 2), to: to(1, 2), task: 0, labware: 1 },
    ]);
  });
});

describe('moves by buffers', () => {
  const tasks = [job('wash', [1, 2], [[0, 1, 2]])];
  const labware = [piece('a', [0, 1], [0]), piece('idle', [0, 9])];

  it('are none without a buffer', () => {
    expect(bufferMoves({ instruments: FOUR, labware, tasks, buffers: [], rejects: [] })).toEqual(
      [],
    );
  });

  it('go from each place of a moved piece to the buffer and back', () => {
    const places = [to(0, 1), to(1, 1), to(1, 2), to(2, 1), to(2, 2)];
    const buffer = to(3, 1);
    expect(
      bufferMoves({ instruments: FOUR, labware, tasks, buffers: [buffer], rejects: [] }),
    ).toEqual(
      places.flatMap((place) => [
        { from: place, to: buffer },
        { from: buffer, to: place },
      ]),
    );
  });

  it('do not go from a buffer to itself', () => {
    const moves = bufferMoves({
      instruments: FOUR,
      labware,
      tasks,
      buffers: [to(0, 1), to(3, 1)],
      rejects: [],
    });
    expect(moves.length).toBe(2 * (4 + 5));
    expect(moves.some((one) => one.from === one.to)).toBe(false);
  });
});

describe('locations without a station', () => {
  const instruments = [device('hotel', 3), device('washer'), device('reader')];
  const routes = {
    instruments,
    labware: [piece('a', [0, 1], [0, 1]), piece('b', [0, 2], [2])],
    tasks: [job('wash/1', [1], [[0, 1]]), job('read', [2], [[0, 1]]), job('more', [1], [[1, 1]])],
  };
  const findingsOf = (keys: readonly string[]) => {
    const findings = new DefinitionFindings();
    checkStations(findings, armOf(keys), routes);
    return findings.errors;
  };

  it('are an error of the first task that needs them', () => {
    expect(findingsOf(['0/1', '0/2', '1/1', '2/1'])).toEqual([]);
    expect(findingsOf(['0/1', '0/2'])).toEqual([
      {
        path: '/workflow/tasks/wash~11',
        message: 'needs a moved from or to washer slot 1, which has no station',
      },
      {
        path: '/workflow/tasks/read',
        message: 'needs a moved from or to reader slot 1, which has no station',
      },
    ]);
    expect(findingsOf(['0/1', '1/1', '2/1'])).toEqual([
      {
        path: '/workflow/tasks/more',
        message: 'needs b moved from or to hotel slot 2, which has no station',
      },
    ]);
  });
});
