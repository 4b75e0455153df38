/** A method of a host as a tool: what a call would send, and what came back. */
import { createHash } from 'node:crypto';
import type { Arguments, CallContext, Outcome, Preview, Tool } from '../../agent/tool.ts';
import { OUTCOME_MAX } from '../../agent/tool.ts';
import type { Json } from '../../ai/provider.ts';
import { toValue } from '../../ai/values.ts';
import type { Tool as WireTool } from '../../ai/wire.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import { decodeArguments } from '../describe/decode.ts';
import { READ_MASK, SUMMARY, TITLE } from '../describe/describe.ts';
import { failed, failedBy, told } from '../outcome.ts';
import { argumentsBlock, checkSize, isDeeper, wordsOf } from '../shown-arguments.ts';
import { cutText } from '../text.ts';
import { ANSWER_MAX, type EngineConnection, type StreamBounds } from './connection.ts';
import { decodeMessage } from './decode.ts';
import type { TypeTable } from './descriptors.ts';
import { encodeMessage } from './encode.ts';
import { masked, maskPaths } from './read-mask.ts';
import type { EngineMethod } from './tool-set.ts';

/** A call takes no longer, in ms: a service that works for longer gives its callers a name to ask by (AIP-151). */
const CALL_MS = 60_000;
/** What is read of a stream: more than a model can be given. */
const STREAM: StreamBounds = { messages: 1000, bytes: ANSWER_MAX };
/** The header in which hosts take a read mask (AIP-157 has it in the request). */
const MASK_HEADER = 'x-read-mask-strict';
/** Levels of an answer that is kept as a value. */
const DEPTH_MAX = 32;
const TITLE_MAX = 200;

/** Where the method is. */
export interface Host {
  /** Told to people. */
  readonly name: string;
  readonly connection: EngineConnection;
  readonly types: TypeTable;
  /** What a call came to, for the marks of health. */
  onCall(error: CodedError | undefined): void;
}

/** A call in the forms that are needed of it. */
interface Prepared {
  readonly request: Buffer;
  readonly paths: readonly string[];
  readonly title: string;
}

export function methodTool(host: Host, wire: WireTool, one: EngineMethod): Tool {
  const { method } = one;
  const name = wire.name ?? method.name;
  // A host that describes the method otherwise has another method.
  const basis = createHash('sha256')
    .update(JSON.stringify([host.name, wire]))
    .digest('hex');
  const prepare = (args: Arguments): Prepared => prepared(host, name, one, args);
  return {
    wire,
    isReadOnly: method.isReadOnly,
    preview: async args => {
      checkSize(name, args);
      const { title } = prepare(args);
      return previewOf(host, one, args, title, basis);
    },
    run: async (args, preview, context) => {
      if (preview.basis !== basis) return failed(`${name}: the host changed what it is; look again`);
      try {
        const outcome = await called(host, one, prepare(args), context);
        host.onCall(undefined);
        return outcome;
      } catch (error) {
        const coded = toCoded(error);
        host.onCall(coded);
        return failedBy(coded);
      }
    },
  };
}

function previewOf(
  host: Host,
  { method }: EngineMethod,
  args: Arguments,
  title: string,
  basis: string,
): Preview {
  const call = `${host.name}: ${method.service.split('.').at(-1)}/${method.name}`;
  const body = argumentsBlock(args);
  return {
    subject: { kind: 'words', words: wordsOf(args), tier: method.isReadOnly ? 'read' : 'write' },
    header: title === '' ? call : `${call} · ${title}`,
    basis,
    ...(body === undefined ? {} : { body }),
  };
}

function prepared(
  host: Host,
  name: string,
  { method, configuration }: EngineMethod,
  args: Arguments,
): Prepared {
  const own = new Set(method.request.fields.map(field => field.name));
  // What the schema asks for beside the request; a field of the same name is the request's.
  const { [READ_MASK]: mask, [TITLE]: title, [SUMMARY]: _, ...rest } = { ...args };
  const extras = { [READ_MASK]: mask, [TITLE]: title, [SUMMARY]: _ };
  const returned = Object.entries(extras).filter(([key, value]) => own.has(key) && value !== undefined);
  const given = masked({ ...rest, ...Object.fromEntries(returned) }, configuration.field_mask) as Arguments;
  const decoded = decodeArguments(method.request, given, { tool: name, isLenient: true });
  return {
    request: encodeMessage(host.types, method.request.fullName, decoded),
    paths: configuration.with_response_read_mask && !own.has(READ_MASK) ? maskPaths(name, mask) : [],
    title: typeof title === 'string' && !own.has(TITLE) ? cutText(revealed(title), TITLE_MAX) : '',
  };
}

async function called(
  { connection, types }: Host,
  { method }: EngineMethod,
  { request, paths }: Prepared,
  { signal, progress }: CallContext,
): Promise<Outcome> {
  const path = `/${method.service}/${method.name}`;
  const headers = paths.length > 0 ? { [MASK_HEADER]: paths.join(',') } : {};
  const options = { signal, deadline: CALL_MS, headers };
  const shown = (bytes: Buffer): Json => {
    const answer = decodeMessage(types, method.response.fullName, bytes);
    return cut(
      answer,
      paths,
      method.response.fields.map(field => field.name),
    ) as Json;
  };
  if (!method.streamsResponse) return answered(shown(await connection.unary(path, request, options)), '');
  const { messages, cut: why } = await connection.stream(path, request, options, STREAM);
  progress(`${messages.length} messages`);
  return answered(messages.map(shown), why);
}

/**
 * Hosts that know the header have left out the rest already, whatever the paths are relative to; of those that do not, it is
 * left out here, where the paths are those of the answer.
 */
function cut(answer: unknown, paths: readonly string[], fields: readonly string[]): unknown {
  const isOurs = paths.every(path => fields.includes(path.split('.', 1)[0] ?? ''));
  return isOurs ? masked(answer, paths) : answer;
}

function answered(answer: Json, why: string): Outcome {
  const text = JSON.stringify(answer);
  const isSmall = text.length <= OUTCOME_MAX && !isDeeper(answer, DEPTH_MAX);
  if (why !== '') return told(`${text}\n(the stream was ended: ${why})`);
  return told(text, isSmall ? { structured: toValue(answer) } : {});
}
