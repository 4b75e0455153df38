/** Tools of specs: what they would do and what they do is said by the spec, and kept in the order in which it happened. */
import { CodedError } from '../../../lib/base/errors.ts';
import type { Arguments, CallContext, Outcome, Preview, Tool, ToolBox } from '../../../lib/agent/tool.ts';
import { classify } from '../../../lib/permissions/classify.ts';
import type { Tier } from '../../../lib/permissions/tier.ts';

/** A run that waits to be let go. */
export interface Held {
  readonly id: string;
  readonly signal: AbortSignal;
  go(outcome?: Partial<Outcome>): void;
}

export class SpecTools implements ToolBox {
  /** `preview look a`, `run change b`, `end change b`. */
  readonly log: string[] = [];
  /** What `change` writes over, by path: its basis. */
  readonly files = new Map<string, string>();
  /** Runs of `hold`. */
  readonly held: Held[] = [];
  readonly #tools: readonly Tool[];

  constructor() {
    this.#tools = [
      this.#tool('look', { tier: 'read', isReadOnly: true }),
      this.#tool('change', { tier: 'write', isReadOnly: false }),
      this.#tool('far', { tier: 'elevated', isReadOnly: true }),
      this.#tool('erase', { tier: 'destructive', isReadOnly: false }),
      this.#tool('hold', { tier: 'read', isReadOnly: true }),
      this.#shell(),
    ];
  }

  list(): readonly Tool[] {
    return this.#tools;
  }

  find(name: string): Tool | undefined {
    return this.#tools.find(({ wire }) => wire.name === name);
  }

  #tool(name: string, { tier, isReadOnly }: { readonly tier: Tier; readonly isReadOnly: boolean }): Tool {
    return {
      wire: { name, description: name, json_schema: { type: 'object' } },
      isReadOnly,
      preview: async args => this.#preview(name, tier, args),
      run: (args, _preview, context) => this.#run(name, args, context),
    };
  }

  #preview(name: string, tier: Tier, args: Arguments): Preview {
    const path = pathOf(args);
    this.log.push(`preview ${name} ${path}`);
    const basis = this.files.get(path) ?? '';
    return {
      subject: { kind: 'words', words: [path], tier },
      header: `${name} ${path}`,
      ...(name === 'change' ? { basis, diff: `@@ 1 @@\n-${basis}\n+${String(args['text'])}` } : {}),
    };
  }

  async #run(name: string, args: Arguments, { id, signal, progress }: CallContext): Promise<Outcome> {
    const path = pathOf(args);
    this.log.push(`run ${name} ${path}`);
    progress(`${name}…`);
    let outcome: Outcome = { content: `${name} ${path} is done`, isError: false };
    if (name === 'hold')
      outcome = await new Promise<Outcome>(resolve => {
        const go = (more: Partial<Outcome> = {}): void => resolve({ ...outcome, ...more });
        this.held.push({ id, signal, go });
        signal.addEventListener('abort', () => go({ content: 'stopped', isError: true }), { once: true });
      });
    if (name === 'change') this.files.set(path, String(args['text']));
    this.log.push(`end ${name} ${path}`);
    return outcome;
  }

  #shell(): Tool {
    return {
      wire: { name: 'exec_shell', description: 'runs a command', json_schema: { type: 'object' } },
      isReadOnly: false,
      preview: async args => {
        const command = String(args['command']);
        this.log.push(`preview exec_shell ${command}`);
        return { subject: { kind: 'shell', line: classify(command) }, header: command };
      },
      run: async args => {
        this.log.push(`run exec_shell ${String(args['command'])}`);
        return { content: 'ran', isError: false };
      },
    };
  }
}

function pathOf({ path }: Arguments): string {
  if (typeof path === 'string') return path;
  throw new CodedError('usage', 'path: it is missing', 'say which file');
}
