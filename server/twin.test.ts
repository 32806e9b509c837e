/** The whole twin in process: time, determinism, a run over HTTP on both plants. */
import { describe, expect, it } from 'vitest';
import { connect } from '../contract/client.ts';
import { createTwin, type Twin } from './index.ts';
import { ADA } from './robot/robot-harness.cases.ts';
import { digestAfter, rehearse, runWithTwin } from './scripted-run.cases.ts';

describe('determinism', () => {
  it.each(['fast', 'rapier'] as const)(
    '%s: equal commands by tick, equal digests',
    async (driver) => {
      const digests = [];
      for (let round = 0; round < 2; round++) {
        digests.push(
          await runWithTwin({ driver }, async (twin) => {
            rehearse(twin);
            await twin.advance(20);
            return twin.digest();
          }),
        );
      }
      expect(digests[0]).toBe(digests[1]);
    },
  );

  it('gives the digest of the stepped clock at 10 times real time', { tags: ['ci'] }, async () => {
    expect(await digestAfter({ clock: 10 }, 12)).toBe(await digestAfter({}, 12));
  });

  it('calls back for a time that has passed at the next advance', async () => {
    await runWithTwin({}, async (twin) => {
      await twin.advance(1);
      const calls_s: number[] = [];
      twin.at(0.5, () => calls_s.push(twin.now_s()));
      expect(calls_s).toEqual([]);
      await twin.advance(0.1);
      expect(calls_s).toHaveLength(1);
      expect(calls_s[0]).toBeCloseTo(1, 1);
      return '';
    });
  });

  it('gives another digest for a changed command', async () => {
    const run = (engaged: boolean) =>
      runWithTwin({}, async (twin) => {
        rehearse(twin);
        twin.at(5, () => twin.apply({ kind: 'inputs', values: { d0: engaged } }));
        await twin.advance(12);
        return twin.digest();
      });
    expect(await run(true)).not.toBe(await run(false));
  });
});

describe('the digest', () => {
  /** The digests at the end of the ways to spend the same time. */
  const digestsOf = (ways: readonly ((twin: Twin) => unknown)[]) =>
    Promise.all(
      ways.map((way) =>
        runWithTwin({}, async (twin) => {
          await way(twin);
          return twin.digest();
        }),
      ),
    );
  const setInput = (twin: Twin, d0: boolean) => twin.apply({ kind: 'inputs', values: { d0 } });

  it('differs for every time, also at rest and before the first 250 ticks', async () => {
    const times_s = [0, 0.004, 0.1, 1, 1.004, 2, 10, 100];
    const digests = await digestsOf(times_s.map((time_s) => (twin) => twin.advance(time_s)));
    expect(new Set(digests).size).toBe(times_s.length);
  });

  it('is equal however the time passes', async () => {
    const digests = await digestsOf([
      (twin) => twin.advance(2),
      async (twin) => {
        for (let i = 0; i < 500; i++) await twin.advance(0.004);
      },
      async (twin) => {
        twin.at(1.5, () => twin.digest());
        await twin.advance(0.7);
        twin.digest();
        await twin.advance(1.3);
      },
    ]);
    expect(new Set(digests).size).toBe(1);
  });

  it('has a change of the present, of the last ticks, and one that was undone', async () => {
    const digests = await digestsOf([
      (twin) => twin.advance(1.5),
      async (twin) => {
        await twin.advance(1.5);
        setInput(twin, true);
      },
      async (twin) => {
        await twin.advance(1.2);
        setInput(twin, true);
        await twin.advance(0.3);
      },
      async (twin) => {
        twin.at(1.1, () => setInput(twin, true));
        twin.at(1.3, () => setInput(twin, false));
        await twin.advance(1.5);
      },
      async (twin) => {
        twin.at(1.1, () => setInput(twin, true));
        twin.at(1.2, () => setInput(twin, false));
        await twin.advance(1.5);
      },
    ]);
    expect(new Set(digests).size).toBe(5);
  });
});

describe('time', () => {
  it('skips 48 hours of idle time, during which the lock expires', async () => {
    await runWithTwin({}, async (twin) => {
      twin.apply({ kind: 'lock', caller: ADA });
      await twin.advance(299);
      expect(twin.apply({ kind: 'lock', caller: { ...ADA, token_id: 9 } })?.refused).toBe(
        'lock_held_by_other',
      );
      await twin.advance(2);
      expect(twin.apply({ kind: 'lock', caller: { ...ADA, token_id: 9 } })).toBeNull();
      await twin.advance(48 * 3600);
      expect(twin.now_s()).toBeCloseTo(48 * 3600 + 301, 6);
    });
  });
});

/** Calls `use` with what the process would hear of as uncaught. */
async function withUncaught(use: (uncaught: unknown[]) => Promise<void>): Promise<void> {
  const uncaught: unknown[] = [];
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
  try {
    await use(uncaught);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
}

/** Lets the turns of the event loop pass. */
const turns = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('a callback that throws', () => {
  const boom = new Error('boom');
  const throwBoom = () => {
    throw boom;
  };

  it.each<[string, (twin: Twin) => Promise<unknown>]>([
    ['advance', (twin) => twin.advance(100)],
    ['until', (twin) => twin.until('running', 100)],
  ])('ends %s at its time with the error itself, once', async (_name, wait) => {
    await runWithTwin({}, async (twin) => {
      for (const at_s of [0, 0.5, 60]) {
        twin.at(at_s, throwBoom);
        await expect(wait(twin)).rejects.toBe(boom);
        expect(twin.now_s()).toBeCloseTo(at_s, 1);
        await twin.advance(0.1);
      }
    });
  });

  it('ends the call that advances the clock over HTTP, whose answer has its message', async () => {
    await runWithTwin({}, async (twin) => {
      const arm = connect({ baseUrl: twin.url, token: twin.token });
      twin.at(0.5, throwBoom);
      await expect(arm.advanceClock({ seconds: 1 })).rejects.toThrow('twin.at(0.5) failed: boom');
      await arm.takeLock();
      await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] });
      await twin.advance(0.5);
      // A pause plays the ticks until the arm stands.
      twin.at(twin.now_s() + 0.02, throwBoom);
      await expect(arm.pause()).rejects.toThrow('boom');
      await twin.advance(1);
      expect(twin.snapshot().control.state).toBe('paused');
    });
  });

  it('goes to the process when no call waits for the clock, and the twin goes on', async () => {
    await withUncaught(async (uncaught) => {
      await runWithTwin({ clock: 10 }, async (twin) => {
        twin.at(twin.now_s() + 0.1, throwBoom);
        await expect.poll(() => uncaught.length).toBe(1);
        expect(uncaught[0]).toMatchObject({ cause: boom });
        expect(String(uncaught[0])).toContain('failed: boom');
        await twin.advance(1);
      });
    });
  });

  it('of which there are two at a time goes there too: no error is lost', async () => {
    await withUncaught(async (uncaught) => {
      await runWithTwin({}, async (twin) => {
        twin.at(1, throwBoom);
        twin.at(1, throwBoom);
        await expect(twin.advance(2)).rejects.toBe(boom);
        await turns();
        expect(uncaught).toHaveLength(1);
      });
    });
  });

  it('rejects, which the type refuses, counts as well', async () => {
    await runWithTwin({}, async (twin) => {
      // @ts-expect-error the clock waits for no promise
      twin.at(0.5, async () => throwBoom());
      await expect(twin.advance(1000)).rejects.toBe(boom);
      // @ts-expect-error a function is missing
      expect(() => twin.at(1)).toThrow('a function to call, not undefined');
    });
  });
});

it('drops the callbacks of before a reset, and those before a restored snapshot', async () => {
  await runWithTwin({}, async (twin) => {
    const arm = connect({ baseUrl: twin.url, token: twin.token });
    const calls: string[] = [];
    await arm.keepState({ name: 'start' });
    for (const goBack of [() => arm.resetTwin({}), () => arm.restoreState({ name: 'start' })]) {
      twin.at(twin.now_s() + 5, () => calls.push('before'));
      await twin.advance(2);
      await arm.keepState({ name: 'start' });
      await goBack();
      twin.at(twin.now_s() + 4, () => calls.push('after'));
      await twin.advance(8);
    }
    expect(calls).toEqual(['after', 'after']);
  });
});

it('names what is wrong with a command or a state', async () => {
  await runWithTwin({}, async (twin) => {
    // @ts-expect-error not a command
    expect(() => twin.apply({ kind: 'nope' })).toThrow('apply: there is no command "nope"');
    // @ts-expect-error not a state
    await expect(twin.until()).rejects.toThrow('undefined is no state of the robot; there are');
  });
});

describe('a closed twin', () => {
  const CLOSED = 'The twin is closed';

  it('rejects the advance and the until that it ends, and those that wait behind', async () => {
    const twin = await createTwin();
    const waits = [twin.advance(1e9), twin.until('running', 1e9), twin.advance(1)];
    const results = Promise.allSettled(waits);
    await new Promise(setImmediate);
    await Promise.all([twin.close(), twin.close()]);
    for (const result of await results) {
      expect(result).toMatchObject({ reason: { message: expect.stringContaining(CLOSED) } });
    }
  });

  it('closes in a callback too', async () => {
    const twin = await createTwin();
    twin.at(0.5, () => void twin.close());
    await expect(twin.advance(10)).rejects.toThrow(CLOSED);
    await twin.close();
  });

  it('refuses every call but close', async () => {
    const twin = await createTwin();
    await twin.close();
    const calls: Record<string, () => unknown> = {
      now_s: () => twin.now_s(),
      at: () => twin.at(1, () => {}),
      snapshot: () => twin.snapshot(),
      listen: () => twin.listen(),
      cellObject: () => twin.cellObject('part'),
      apply: () => twin.apply({ kind: 'estop', engaged: true }),
      digest: () => twin.digest(),
      advance: () => twin.advance(1),
      until: () => twin.until('ready', 1),
    };
    for (const [name, call] of Object.entries(calls)) {
      await expect(async () => call(), name).rejects.toThrow(CLOSED);
    }
    await twin.close();
  });
});
