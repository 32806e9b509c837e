/**
 * What commands read and write beside their options: environment variables, the streams they write
 * to, text tables, and generated secrets.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nearestWord } from './option-parsers.ts';

export interface CommandOutput {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
}

/** The rows as lines with aligned columns, without line ends. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Generated credentials of the first admin; null for secrets that the configuration sets. */
interface FirstAdmin {
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
}

const SECRETS_FILE = 'first-admin.txt';
const OWNER_ONLY = 0o600;

/** The lines with the credentials. */
function adminLines({ email, password, token }: FirstAdmin): string[] {
  return [
    `admin    ${email}`,
    ...(password ? [`password ${password}`] : []),
    ...(token ? [`token    ${token}`] : []),
  ];
}

/** A folder that is removed when the process ends, as the users of a twin in memory are. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The lines that show generated credentials: to a terminal the secrets themselves; otherwise, as
 * logs are kept and shared, the path of a file that only its owner can read. It is in the data
 * folder, or for a twin in memory in a temporary folder that ends with the process. Throws when it
 * cannot be written.
 */
export function credentialLines(
  credentials: FirstAdmin,
  { data, isTerminal }: { readonly data: string; readonly isTerminal: boolean },
): string[] {
  const { email, password, token } = credentials;
  if (isTerminal) return adminLines(credentials);
  if (!password && !token) return [`admin    ${email}`];
  const folder = data === ':memory:' ? temporaryFolder() : resolve(data);
  const path = join(folder, SECRETS_FILE);
  // An older file keeps its mode when it is written.
  rmSync(path, { force: true });
  writeFileSync(path, `${adminLines(credentials).join('\n')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  return [`admin    ${email}`, `secrets  ${path}`];
}

const PREFIX = 'ARMTWIN_';
const OFF = /^(0|false|no|off)$/i;

/** The environment variable of an option, and whether it takes a value. */
interface EnvironmentOption {
  readonly envVar?: string | undefined;
  readonly required: boolean;
  readonly optional: boolean;
}

/**
 * Unsets variables that are empty or switch a flag off, since compose files and CI workflows leave
 * variables empty to unset them; returns a warning for each name that looks misspelled.
 */
export function normalizeEnvironment(
  environment: NodeJS.ProcessEnv,
  options: readonly EnvironmentOption[],
): string[] {
  const known = new Map(options.map((option) => [option.envVar, option]));
  const words = [...known.keys()].map((name) => name?.slice(PREFIX.length) ?? '');
  const warnings: string[] = [];
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX)) continue;
    const option = known.get(name);
    const isSwitch = option !== undefined && !option.required && !option.optional;
    if (value === '' || (isSwitch && OFF.test(value))) delete environment[name];
    const near = option ? null : nearestWord(name.slice(PREFIX.length), words);
    if (near) warnings.push(`Unknown variable ${name}. Did you mean ${PREFIX}${near}?`);
  }
  return warnings;
}
