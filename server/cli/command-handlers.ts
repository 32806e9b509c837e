/** What runs when a command is given: a handler for each. */
import type { Config } from './config.ts';

/** The values of a command's options. */
export type Flags = Record<string, unknown>;

export interface CommandHandlers {
  readonly serve: (config: Config, parents: readonly number[]) => Promise<void>;
  readonly run: (config: Config, command: string[], flags: Flags) => Promise<void>;
  readonly plan: (files: string[], flags: Flags) => Promise<void>;
  readonly rehearse: (files: string[], flags: Flags) => Promise<void>;
  readonly mcp: (flags: Flags) => Promise<void>;
  readonly export: (flags: Flags) => Promise<void>;
  readonly importArm: (file: string, flags: Flags) => Promise<void>;
  readonly shard: (count: number, command: string[], flags: Flags) => Promise<void>;
  readonly replay: (file: string, flags: Flags) => Promise<void>;
  readonly record: (url: string, flags: Flags) => Promise<void>;
  readonly fit: (files: string[], flags: Flags) => Promise<void>;
  readonly data: (action: DataAction, places: string[], flags: Flags) => Promise<void>;
  readonly verify: (url: string, flags: Flags) => Promise<void>;
  readonly emulateBus: (flags: Flags) => Promise<void>;
  readonly calibrate: (flags: Flags) => Promise<void>;
  readonly doctor: (flags: Flags) => Promise<void>;
  readonly release: (flags: Flags) => Promise<void>;
}

/** What `armtwin data` does. */
export type DataAction = 'check' | 'repair' | 'backup' | 'restore';
