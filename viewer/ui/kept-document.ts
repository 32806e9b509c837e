import { LowSync, MemorySync } from 'lowdb';
import { LocalStorage } from 'lowdb/browser';

/** The values of `kept` that have the type of a default, and the other defaults. */
function checked<Content extends object>(kept: unknown, defaults: Content): Content {
  const values = Object.entries(defaults).map(([name, value]) => {
    const other = (kept as Record<string, unknown>)[name];
    const isSame = typeof other === typeof value && Array.isArray(other) === Array.isArray(value);
    return [name, isSame && other !== null ? other : value];
  });
  return Object.fromEntries(values) as Content;
}

/**
 * A small JSON document in the local storage of the browser, shared with its other tabs. Where the
 * browser refuses storage or has no more room, the document lasts until a reload, and a document
 * that somebody else has damaged starts again with its defaults: neither is worth a message.
 */
export class KeptDocument<Content extends object> {
  private readonly defaults: Content;
  private database: LowSync<Content>;

  /** Opens the document of a key; `defaults` has every field. */
  constructor(key: string, defaults: Content) {
    this.defaults = defaults;
    this.database = new LowSync<Content>(new MemorySync(), defaults);
    try {
      this.database = new LowSync<Content>(new LocalStorage(key), defaults);
    } catch {
      // The browser refuses storage: the document stays in memory.
    }
  }

  /** Reads the document, also as another tab has written it since. */
  read(): Content {
    try {
      this.database.read();
    } catch {
      // It is no JSON, or storage is refused by now.
    }
    return checked(this.database.data, this.defaults);
  }

  /** Changes some fields. */
  update(change: Partial<Content>): void {
    this.write({ ...this.read(), ...change });
  }

  /** Writes the whole document. */
  write(content: Content): void {
    this.database.data = content;
    try {
      this.database.write();
    } catch {
      // Storage is full or refused. What it still has is older than what the user sees now.
      this.database = new LowSync<Content>(new MemorySync(), content);
    }
  }
}
