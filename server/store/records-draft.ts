import type { Draft } from './draft.ts';
import {
  type ArmSettings,
  type LastIds,
  type Records,
  SEQUENCES,
  type SettingRow,
  type TokenRecord,
  type ToolpathRecord,
  type UserRecord,
} from './records.ts';
import type { Table } from './table.ts';

/** The tables of the records. */
export interface RecordTables {
  readonly users: Table<UserRecord>;
  readonly tokens: Table<TokenRecord>;
  readonly toolpaths: Table<ToolpathRecord>;
  readonly settings: Table<SettingRow>;
  readonly counters: Table<number>;
}

type RowsOf = <Row>(table: Table<Row>) => ReadonlyMap<number | string, Row>;

interface Identified {
  readonly id: number;
}

function listOf<Row extends Identified>(rows: ReadonlyMap<number | string, Row>): Row[] {
  return [...rows.values()].sort((a, b) => a.id - b.id).map((row) => ({ ...row }));
}

/** Writes the rows that differ from the table. */
function flushList<Row extends Identified>(
  draft: Draft,
  table: Table<Row>,
  list: readonly Row[] | null,
): void {
  if (list === null) return;
  const before = draft.rows(table);
  for (const row of list) {
    const old = before.get(row.id);
    before.delete(row.id);
    const isSame = old && JSON.stringify(old) === JSON.stringify(row);
    if (!isSame) draft.put(table, row.id, { row: { ...row } });
  }
  for (const id of before.keys()) draft.remove(table, id);
}

/**
 * A draft of the records as one object of lists: after an edit only the rows that differ are
 * written.
 */
export class RecordsDraft implements Records {
  private readonly tables: RecordTables;
  private readonly rowsOf: RowsOf;
  private changedUsers: UserRecord[] | null = null;
  private changedTokens: TokenRecord[] | null = null;
  private changedToolpaths: ToolpathRecord[] | null = null;
  private changedIds: LastIds | null = null;
  private readonly changedSettings = new Map<string, SettingRow | null>();

  constructor(tables: RecordTables, rowsOf: RowsOf) {
    this.tables = tables;
    this.rowsOf = rowsOf;
  }

  get users(): UserRecord[] {
    this.changedUsers ??= listOf(this.rowsOf(this.tables.users));
    return this.changedUsers;
  }

  set users(list: UserRecord[]) {
    this.changedUsers = list;
  }

  get tokens(): TokenRecord[] {
    this.changedTokens ??= listOf(this.rowsOf(this.tables.tokens));
    return this.changedTokens;
  }

  set tokens(list: TokenRecord[]) {
    this.changedTokens = list;
  }

  get toolpaths(): ToolpathRecord[] {
    this.changedToolpaths ??= listOf(this.rowsOf(this.tables.toolpaths));
    return this.changedToolpaths;
  }

  set toolpaths(list: ToolpathRecord[]) {
    this.changedToolpaths = list;
  }

  get last_ids(): LastIds {
    const rows = this.rowsOf(this.tables.counters);
    this.changedIds ??= {
      user: rows.get('user') ?? 0,
      token: rows.get('token') ?? 0,
      toolpath: rows.get('toolpath') ?? 0,
    };
    return this.changedIds;
  }

  private setting(key: string): SettingRow | null {
    const changed = this.changedSettings.get(key);
    return changed === undefined ? (this.rowsOf(this.tables.settings).get(key) ?? null) : changed;
  }

  private armSetting<Name extends keyof ArmSettings>(name: Name): ArmSettings[Name] {
    return this.setting(name) as ArmSettings[Name];
  }

  get name(): string {
    return String(this.setting('name') ?? '');
  }

  set name(text: string) {
    this.changedSettings.set('name', text);
  }

  get software_version(): string {
    return String(this.setting('software_version') ?? '');
  }

  set software_version(text: string) {
    this.changedSettings.set('software_version', text);
  }

  get collision_detection(): ArmSettings['collision_detection'] {
    return this.armSetting('collision_detection');
  }

  set collision_detection(setting: ArmSettings['collision_detection']) {
    this.changedSettings.set('collision_detection', setting);
  }

  get scheduler(): ArmSettings['scheduler'] {
    return this.armSetting('scheduler');
  }

  set scheduler(setting: ArmSettings['scheduler']) {
    this.changedSettings.set('scheduler', setting);
  }

  /** Writes the changes to a transaction. */
  flush(draft: Draft): void {
    const { users, tokens, toolpaths, settings, counters } = this.tables;
    flushList(draft, users, this.changedUsers);
    flushList(draft, tokens, this.changedTokens);
    flushList(draft, toolpaths, this.changedToolpaths);
    for (const [key, row] of this.changedSettings) {
      const before = draft.get(settings, key) ?? null;
      if (JSON.stringify(before) === JSON.stringify(row)) continue;
      if (row === null) draft.remove(settings, key);
      else draft.put(settings, key, { row });
    }
    for (const sequence of this.changedIds ? SEQUENCES : []) {
      const last = this.changedIds![sequence];
      if ((draft.get(counters, sequence) ?? 0) !== last)
        draft.put(counters, sequence, { row: last });
    }
  }

  /** All records as a plain object. */
  copy(): Records {
    const { users, tokens, toolpaths, last_ids, name, software_version } = this;
    const { collision_detection, scheduler } = this;
    const settings = { name, software_version, collision_detection, scheduler };
    return { ...settings, users, tokens, toolpaths, last_ids };
  }
}
