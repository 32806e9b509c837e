/**
 * How the generated credentials of the first admin are shown: on a terminal, or in a file that
 * only its owner can read.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startupErrorText } from './startup-errors.ts';

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
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process that ends because it can open no file would end with another error than its own.
    }
  });
  return folder;
}

/** Writes a file that only its owner can read; an older one would keep its mode. */
function writeSecrets(path: string, credentials: FirstAdmin): void {
  rmSync(path, { force: true });
  const text = `${adminLines(credentials).join('\n')}\n`;
  writeFileSync(path, text, { mode: OWNER_ONLY, flag: 'wx' });
}

/** The lines for secrets of a twin in memory; a warning where no file can be written. */
function temporarySecrets(credentials: FirstAdmin): string {
  try {
    const path = join(temporaryFolder(), SECRETS_FILE);
    writeSecrets(path, credentials);
    return `secrets  ${path}`;
  } catch (error) {
    const { password, token } = credentials;
    const options = [...(token ? ['--token'] : []), ...(password ? ['--admin-password'] : [])];
    return (
      `The generated secrets of the first admin are lost: ${startupErrorText(error)} ` +
      `To have them, set ${options.join(' and ')}, or TMPDIR to a folder that can be written.`
    );
  }
}

/**
 * What a start says whose data folder has an admin already: where the secrets are that the first
 * start wrote, or how a lost token is replaced; nothing of it where `hasToken`, one was given.
 */
export function keptCredentialLines(data: string, hasToken: boolean): string[] {
  const path = join(resolve(data), SECRETS_FILE);
  const token = existsSync(path)
    ? [`secrets  ${path}`]
    : ['token    that of the first start; --token NEW takes the place of a lost one'];
  return [`data     ${resolve(data)}`, ...(hasToken ? [] : token)];
}

/**
 * The lines that show generated credentials: to a terminal the secrets themselves; otherwise, as
 * logs are kept and shared, the path of a file that only its owner can read. It is in the data
 * folder, or for a twin in memory in a temporary folder that ends with the process. Throws when the
 * data folder cannot be written; a twin in memory starts without the file.
 */
export function credentialLines(
  credentials: FirstAdmin,
  { data, isTerminal }: { readonly data: string; readonly isTerminal: boolean },
): string[] {
  const { email, password, token } = credentials;
  const begun = data === ':memory:' ? [] : [`data     ${resolve(data)} held none: begun as new`];
  if (isTerminal) return [...begun, ...adminLines(credentials)];
  if (!password && !token) return [...begun, `admin    ${email}`];
  if (data === ':memory:') return [`admin    ${email}`, temporarySecrets(credentials)];
  const path = join(resolve(data), SECRETS_FILE);
  try {
    writeSecrets(path, credentials);
  } catch (error) {
    throw new Error(
      `The secrets of the first admin cannot be written to ${path}: ${startupErrorText(error)} ` +
        'Make it possible, or set --token and --admin-password.',
    );
  }
  return [...begun, `admin    ${email}`, `secrets  ${path}`];
}
