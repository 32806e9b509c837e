/** A tool that an agent may call. */
import type { ArmClient } from '../../../contract/client.ts';
import type { CommandOutput } from '../command-output.ts';

/** What tools act on. */
export interface ToolContext {
  /** The client of the twin, with the rights of its token; rejects where none answers. */
  readonly arm: () => Promise<ArmClient>;
  /** What moves behind the API: `rapier`, `fast`, `servo`; null for an arm that does not say. */
  readonly driver: () => Promise<string | null>;
  /** Whether a real arm may be moved. */
  readonly allowHardware: boolean;
  /** Runs a command of the program, as `plan a.json --json`; resolves with its exit code. */
  readonly command: (words: readonly string[], io: CommandOutput) => Promise<number>;
}

/** What a tool tells the agent. */
export interface ToolResult {
  readonly text: string;
  /** The tool could not do it, or what it looked at is not in order. */
  readonly isError: boolean;
}

/** JSON Schema of an object, as far as arguments of tools need it. */
export interface ArgumentSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export interface Tool<Arguments = Record<string, never>> {
  readonly name: string;
  readonly title: string;
  /** What it does and when it is of use, for the agent. */
  readonly description: string;
  readonly inputSchema: ArgumentSchema;
  /** Whether it only looks. */
  readonly readOnly: boolean;
  /** Acts; an error that it rejects with is told to the agent. */
  call(given: Arguments, context: ToolContext): Promise<ToolResult>;
}

/** A property that names a file. */
export const fileOf = (what: string) => ({
  type: 'string',
  minLength: 1,
  description: `Path of ${what} on the machine of the twin's command line`,
});

/** A value as text for an agent. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 1);
