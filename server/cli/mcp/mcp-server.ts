/**
 * A server of the Model Context Protocol: an agent lists the tools of the twin and calls them. What
 * a tool finds wrong is its answer, which the agent reads; an error of the protocol is the mistake
 * of a client.
 */
import { createCompiler } from '../../../contract/validator.ts';
import { PROTOCOL_VERSIONS, RpcError, type RpcRequest, requestIn } from './message.ts';
import type { ToolContext, ToolResult } from './tool.ts';
import { type AnyTool, TOOLS } from './tools.ts';

const INSTRUCTIONS =
  'A digital twin of a six-joint robot arm. Read the state first. Plan a toolpath and rehearse it in its cell before you run it. ' +
  'When a run ends in an error, ask explain_stop before you try again. Angles are in rad, lengths in m.';

export interface McpOptions {
  readonly version: string;
  readonly context: ToolContext;
}

function versionFor(asked: unknown): string {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? PROTOCOL_VERSIONS[0];
}

function listed({ name, title, description, inputSchema, readOnly }: AnyTool) {
  const annotations = {
    title,
    readOnlyHint: readOnly,
    destructiveHint: false,
    openWorldHint: false,
  };
  return { name, title, description, inputSchema, annotations };
}

const answer = ({ text, isError }: ToolResult) => ({ content: [{ type: 'text', text }], isError });

export class McpServer {
  private readonly options: McpOptions;
  private readonly compiler = createCompiler('all');

  constructor(options: McpOptions) {
    this.options = options;
  }

  /** The line that answers a line; null where nothing is to be answered. Never rejects. */
  async answerTo(line: string): Promise<string | null> {
    let id: RpcRequest['id'] | null = null;
    try {
      const request = requestIn(line);
      if (request.id === undefined) return null;
      id = request.id;
      return JSON.stringify({ jsonrpc: '2.0', id, result: await this.resultOf(request) });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message } = error;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
    }
  }

  private resultOf({ method, params }: RpcRequest): object | Promise<object> {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: versionFor(params['protocolVersion']),
          capabilities: { tools: {} },
          serverInfo: { name: 'armtwin', version: this.options.version },
          instructions: INSTRUCTIONS,
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: TOOLS.map(listed) };
      case 'tools/call':
        return this.call(params);
      default:
        throw new RpcError('method_not_found', `There is no method ${method}`);
    }
  }

  private async call(params: RpcRequest['params']): Promise<object> {
    const tool = TOOLS.find(({ name }) => name === params['name']);
    if (!tool) {
      const names = TOOLS.map(({ name }) => name).join(', ');
      throw new RpcError(
        'invalid_params',
        `There is no tool ${params['name']}; there are ${names}`,
      );
    }
    const given = params['arguments'] ?? {};
    if (!this.compiler.validate(tool.inputSchema, given)) {
      const known = Object.keys(tool.inputSchema.properties).join(', ') || 'none';
      const text = this.compiler.errorsText(this.compiler.errors, { dataVar: 'arguments' });
      return answer({ text: `${tool.name}: ${text}. Its arguments: ${known}.`, isError: true });
    }
    try {
      return answer(await tool.call(given as never, this.options.context));
    } catch (error) {
      return answer({
        text: error instanceof Error ? error.message : String(error),
        isError: true,
      });
    }
  }
}
