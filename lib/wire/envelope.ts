/**
 * The envelope of control messages, `{type, payload, id?, token?}`, and the checks that read one from a peer.
 */

/** A message as it goes over the wire. */
export interface Envelope {
  readonly type: string;
  readonly payload: object;
  readonly id?: number;
  readonly token?: string;
}

/** Guards by hand, since the attach path must not load a schema library: field → test. */
export type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

export const isString = (v: unknown): boolean => typeof v === 'string';
export const isBoolean = (v: unknown): boolean => typeof v === 'boolean';
/** Cells: no terminal is wider than 65,535, the limit of the kernel's winsize. */
export const isCells = (v: unknown): boolean =>
  Number.isInteger(v) && (v as number) >= 0 && (v as number) <= 0xffff;
export const isInteger = (v: unknown): boolean => Number.isSafeInteger(v);
export const isStrings = (v: unknown): boolean => Array.isArray(v) && v.every(isString);
export const isStringRecord = (v: unknown): boolean =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && Object.values(v).every(isString);
export const isSize = (v: unknown): boolean => Array.isArray(v) && v.length === 2 && v.every(isCells);

/** What is wrong with an envelope. */
export class MessageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MessageError';
  }
}

/** A message as the payload of a control frame. */
export function encodeMessage(message: Envelope): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** Whether two versions `major.minor` understand each other: their majors are equal. */
export function sameMajor(a: string, b: string): boolean {
  return a.split('.')[0] === b.split('.')[0];
}

/**
 * Reads a message whose type is one of `shapes` and whose payload has its keys. Throws MessageError; unknown keys are
 * ignored.
 */
export function parseEnvelope(bytes: Uint8Array, shapes: Readonly<Record<string, Shape>>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    throw new MessageError('not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MessageError('not an object');
  const { type, payload, id, token } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type))
    throw new MessageError(`unknown type ${String(type).slice(0, 40)}`);
  if (typeof payload !== 'object' || payload === null) throw new MessageError(`${type}: no payload`);
  if (id !== undefined && !isInteger(id)) throw new MessageError(`${type}: id is not a number`);
  if (token !== undefined && typeof token !== 'string')
    throw new MessageError(`${type}: token is not a string`);
  for (const [key, test] of Object.entries(shapes[type]!)) {
    if (!test((payload as Record<string, unknown>)[key])) throw new MessageError(`${type}: bad ${key}`);
  }
  return value;
}
