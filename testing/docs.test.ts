/**
 * docs/testing.md shows the example files, which this test runs, and lists the faults;
 * docs/not-simulated.md agrees with the API.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { schemaOf, tagValues } from '../contract/schemas.ts';
import type { ContainerBuilder, ContainerLibrary, StartedContainer } from './container.ts';
import { withTwin } from './examples/container.example.ts';
import { openTwinFixture } from './twin-fixture.ts';

const run = promisify(execFile);
const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/testing.md');
const blocks = [...page.matchAll(/```(?:ts|js|py)\n(.*?)\n```/gs)].map((match) => match[1]);

/** Example files; the page shows them with the package name instead of the path. */
const EXAMPLES = [
  'testing/examples/test_situations.py',
  'testing/examples/vitest.test.ts',
  'testing/examples/jest.example.mjs',
  'testing/examples/node-test.example.ts',
  'testing/examples/test_arm.py',
  'testing/examples/container.example.ts',
];

describe('docs/testing.md', () => {
  it('shows the files of the examples, and no other code', () => {
    const files = EXAMPLES.map((path) =>
      read(path).replaceAll("'../index.ts'", "'armtwin/testing'"),
    );
    expect(blocks).toEqual(files.map((text) => text.trimEnd()));
  });

  it('lists every kind of fault', () => {
    const faults = page.slice(page.indexOf('\n### Faults'), page.indexOf('\n### Situations'));
    const kinds = tagValues(schemaOf('AddFaultBody'));
    const advice = 'add a row for the kind to the table of faults in docs/testing.md';
    expect(
      kinds.filter((kind) => !faults.includes(`\`${kind}\``)),
      advice,
    ).toEqual([]);
  });

  it('lists every situation', () => {
    const rows = page.slice(page.indexOf('\n### Situations'), page.indexOf('\n### Recordings'));
    const { enum: names } = schemaOf('SituationName');
    const missing = (names as string[]).filter((name) => !rows.includes(`| \`${name}\``));
    expect(missing, 'add a row to the table of situations in docs/testing.md').toEqual([]);
  });

  it('has an example for node:test that passes', { tags: ['ci'] }, async () => {
    const file = 'testing/examples/node-test.example.ts';
    const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', file];
    const { stdout } = await run(process.execPath, args, { cwd: fileURLToPath(root) });
    expect(stdout).toContain('# pass 1');
    expect(stdout).toContain('# fail 0');
  });

  it('has an example for pytest that passes', { tags: ['slow'] }, async (context) => {
    const hasPytest = await run('python3', ['-c', 'import pytest']).catch(() => null);
    if (!hasPytest) context.skip('pytest is not installed');
    const { twin, close } = await openTwinFixture();
    const file = fileURLToPath(new URL('testing/examples/test_arm.py', root));
    const env = { ...process.env, ARMTWIN_URL: twin.url, ARMTWIN_TOKEN: twin.token };
    try {
      const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file];
      const { stdout } = await run('python3', args, {
        env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
      });
      expect(stdout).toContain('3 passed');
    } finally {
      await close();
    }
  });

  it('has an example for containers that starts, waits until ready, and stops', async () => {
    const calls: string[] = [];
    class Builder implements ContainerBuilder<StartedContainer> {
      constructor(image: string) {
        calls.push(`image ${image}`);
      }
      withExposedPorts(port: number): this {
        calls.push(`port ${port}`);
        return this;
      }
      withEnvironment(environment: Record<string, string>): this {
        calls.push(`clock ${environment['ARMTWIN_CLOCK']}`);
        return this;
      }
      withWaitStrategy(strategy: unknown): this {
        calls.push(String(strategy));
        return this;
      }
      async start(): Promise<StartedContainer> {
        const stop = async () => calls.push('stop');
        return { getHost: () => 'host', getMappedPort: () => 4711, stop };
      }
    }
    const forHttp = (path: string, port: number) => ({
      forStatusCode: (status: number) => `wait ${path} ${port} ${status}`,
    });
    const library: ContainerLibrary<StartedContainer> = {
      GenericContainer: Builder,
      Wait: { forHttp },
    };
    await withTwin(library, async (url) => void calls.push(url));
    const wait = 'wait /readyz 8080 200';
    const setUp = ['image armtwin', 'port 8080', 'clock stepped', wait];
    expect(calls).toEqual([...setUp, 'http://host:4711', 'stop']);
  });
});

const fixture = await openTwinFixture();
const fidelity = await fixture.arm.getFidelity();
await fixture.close();

describe('docs/not-simulated.md', () => {
  /** The text without emphasis, links, line breaks, and signs of tables and lists. */
  const plain = (text: string) =>
    text
      .replace(/^- /gm, '')
      .replace(/ ?\(\[D\d+\]\([^)]*\)\)/g, '')
      .replace(/[*`]/g, '')
      .replaceAll('|', ' ')
      .replace(/\s+/g, ' ');
  const words = plain(read('docs/not-simulated.md'));

  it.each([...fidelity.not_there, ...fidelity.approximate].map(({ what, how }) => [what, how]))(
    'states what the API states about “%s”',
    (what, how) => {
      expect(words).toContain(plain(what!).trim());
      expect(words).toContain(plain(how!).trim());
    },
  );

  it('lists nothing that the API does not state', () => {
    const page = read('docs/not-simulated.md');
    const approximateAt = page.indexOf('\n## Approximate');
    const notThere = page.slice(0, approximateAt);
    const items = [...notThere.matchAll(/^- \*\*(.+?)\.?\*\*/gm)].map((match) => match[1]);
    expect(items).toEqual(fidelity.not_there.map(({ what }) => what));
    const approximate = page.slice(approximateAt);
    const cells = approximate.matchAll(/^\| ([^-|][^|]*?) +\|/gm);
    const rows = [...cells].map((match) => plain(match[1]!));
    const sections = [...approximate.matchAll(/^### (.+)$/gm)].map((match) => match[1]!);
    for (const row of [...rows.slice(1), ...sections]) {
      expect(fidelity.approximate.map(({ what }) => plain(what))).toContain(row);
    }
  });
});
