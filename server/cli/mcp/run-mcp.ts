/** `armtwin mcp`: serves the tools of a twin to an agent over standard input and output. */
import { createInterface } from 'node:readline';
import { type ArmClient, connect } from '../../../contract/client.ts';
import type { CommandOutput } from '../command-output.ts';
import { McpServer } from './mcp-server.ts';
import type { ToolContext } from './tool.ts';

/** The flags of `mcp`. */
export interface McpFlags {
  readonly url: string;
  readonly token?: string | undefined;
  readonly allowHardware?: boolean;
}

export interface McpRequest {
  readonly flags: McpFlags;
  readonly version: string;
  readonly command: ToolContext['command'];
  readonly input: NodeJS.ReadableStream;
  readonly output: CommandOutput['out'];
}

/** The driver that an address names in its replies; null where it names none. */
async function driverAt(url: string): Promise<string | null> {
  const { headers } = await fetch(`${url}/livez`);
  return /\bdriver=(\w+)/.exec(headers.get('x-armtwin') ?? '')?.[1] ?? null;
}

/** What a failed connection says to the agent. */
const unreachable = (url: string) => (error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`No arm answers at ${url} (${reason}). Start one with armtwin, or give --url.`);
};

/** Serves until the input ends. */
export async function runMcp(request: McpRequest): Promise<void> {
  const { flags, version, command, input, output } = request;
  const { url, token, allowHardware = false } = flags;
  let client: ArmClient | null = null;
  const arm = async () => {
    if (token === undefined) {
      throw new Error(
        'Calls of the arm need a token: --token, or ARMTWIN_TOKEN. The twin says it at its start.',
      );
    }
    await driverAt(url).catch(unreachable(url));
    client ??= connect({ baseUrl: url, token });
    return client;
  };
  const driver = () => driverAt(url).catch(unreachable(url));
  const server = new McpServer({ version, context: { arm, driver, allowHardware, command } });
  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    // A long run holds up no other call.
    const answering = server.answerTo(line).then((answer) => {
      if (answer !== null) output.write(`${answer}\n`);
    });
    open.add(answering);
    void answering.finally(() => open.delete(answering));
  }
  await Promise.all(open);
  (client as ArmClient | null)?.close();
}
