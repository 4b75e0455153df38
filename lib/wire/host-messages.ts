/**
 * What the server and its PTY host say to each other: the frames of framing.ts, with these messages on the control
 * channel and the bytes of terminals on the other. Terminals are named by numbers that the server chooses.
 *
 * Retired names stay here as comments and are never used again. (None yet.)
 */
import { MAX_PAYLOAD } from './framing.ts';
import {
  isInteger,
  isSize,
  isString,
  isStringRecord,
  isStrings,
  parseEnvelope,
  type Shape,
} from './envelope.ts';

/** `major.minor`: a server adopts a running host of an equal major. */
export const HOST_PROTOCOL_VERSION = '1.0';

/** Starts a program. Answered by `spawned` or `spawn_failed`. */
export interface HostSpawn {
  readonly pty: number;
  /** Names the folder of its log. */
  readonly session: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: readonly [number, number];
  /** Bytes of log kept. */
  readonly log_limit: number;
}

/** A terminal that the host holds, as a new server finds it. */
export interface HostPty {
  readonly pty: number;
  readonly session: string;
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly size: readonly [number, number];
  /** Offset in the session's log of the program's first byte. */
  readonly start: number;
  /** Set once the program has ended. */
  readonly exit?: { readonly code: number; readonly signal: number };
}

export interface HostRequests {
  hello: { readonly version: string };
  spawn: HostSpawn;
  resize: { readonly pty: number; readonly size: readonly [number, number] };
  signal: { readonly pty: number; readonly name: string };
  /** Sends the output from offset `from` on, also what comes from now on; without it none is sent. */
  follow: { readonly pty: number; readonly from: number };
  /** Output up to `offset` has been taken in. */
  ack: { readonly pty: number; readonly offset: number };
  /** Its end has been noted: the host need not keep it. */
  forget: { readonly pty: number };
  /** Ends every program, then the host. */
  shutdown: Record<string, never>;
}

export interface HostReports {
  welcome: { readonly version: string; readonly pid: number; readonly ptys: readonly HostPty[] };
  /** Another version, or another server is being served. */
  refused: { readonly reason: string };
  spawned: { readonly pty: number; readonly pid: number; readonly start: number };
  spawn_failed: {
    readonly pty: number;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  };
  /** Input taken by the terminal so far, in bytes. */
  taken: { readonly pty: number; readonly bytes: number };
  /** After the last of its output. */
  exit: { readonly pty: number; readonly code: number; readonly signal: number };
  /** The output cannot be kept (`problem`), or can be again (''). */
  log: { readonly pty: number; readonly problem: string };
}

export type HostRequest = {
  [T in keyof HostRequests]: { readonly type: T; readonly payload: HostRequests[T] };
}[keyof HostRequests];
export type HostReport = {
  [T in keyof HostReports]: { readonly type: T; readonly payload: HostReports[T] };
}[keyof HostReports];

/** It becomes the name of a folder. */
const isSession = (v: unknown): boolean => typeof v === 'string' && /^[\w-]{1,64}$/.test(v);
const isPtys = (v: unknown): boolean => Array.isArray(v) && v.every(one => isPty(one));

const REQUEST_SHAPES: Readonly<Record<keyof HostRequests, Shape>> = {
  hello: { version: isString },
  spawn: {
    pty: isInteger,
    session: isSession,
    argv: isStrings,
    cwd: isString,
    env: isStringRecord,
    size: isSize,
    log_limit: isInteger,
  },
  resize: { pty: isInteger, size: isSize },
  signal: { pty: isInteger, name: isString },
  follow: { pty: isInteger, from: isInteger },
  ack: { pty: isInteger, offset: isInteger },
  forget: { pty: isInteger },
  shutdown: {},
};

const REPORT_SHAPES: Readonly<Record<keyof HostReports, Shape>> = {
  welcome: { version: isString, pid: isInteger, ptys: isPtys },
  refused: { reason: isString },
  spawned: { pty: isInteger, pid: isInteger, start: isInteger },
  spawn_failed: { pty: isInteger, code: isString, message: isString, hint: isString },
  taken: { pty: isInteger, bytes: isInteger },
  exit: { pty: isInteger, code: isInteger, signal: isInteger },
  log: { pty: isInteger, problem: isString },
};

/** Reads what a server sent. Throws MessageError. */
export function parseHostRequest(payload: Uint8Array): HostRequest {
  return parseEnvelope(payload, REQUEST_SHAPES) as HostRequest;
}

/** Reads what a host sent. Throws MessageError. */
export function parseHostReport(payload: Uint8Array): HostReport {
  return parseEnvelope(payload, REPORT_SHAPES) as HostReport;
}

/** Output of one terminal, or input for it. */
export interface PtyBytes {
  readonly pty: number;
  /** Offset of the first byte in the session's log; 0 for input. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Terminal's number, and an offset of 48 bits: 256 TB of output. */
const PTY_BYTES = 4;
const OFFSET_BYTES = 6;
const BYTES_HEADER = PTY_BYTES + OFFSET_BYTES;

/** Bytes of a terminal that fit in one frame. */
export const MAX_PTY_BYTES = MAX_PAYLOAD - BYTES_HEADER;

/** As the payload of a frame; `bytes` at most MAX_PTY_BYTES long. */
export function encodePtyBytes({ pty, offset, bytes }: PtyBytes): Buffer {
  const payload = Buffer.allocUnsafe(BYTES_HEADER + bytes.length);
  payload.writeUInt32BE(pty, 0);
  payload.writeUIntBE(offset, PTY_BYTES, OFFSET_BYTES);
  payload.set(bytes, BYTES_HEADER);
  return payload;
}

/** Reads a payload; undefined where it is too short to be one. The bytes are a view of it. */
export function parsePtyBytes(payload: Buffer): PtyBytes | undefined {
  if (payload.length < BYTES_HEADER) return undefined;
  return {
    pty: payload.readUInt32BE(0),
    offset: payload.readUIntBE(PTY_BYTES, OFFSET_BYTES),
    bytes: payload.subarray(BYTES_HEADER),
  };
}

function isPty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { pty, session, pid, start, argv, cwd, size, exit } = value as Record<string, unknown>;
  return (
    [pty, pid, start].every(isInteger) &&
    [session, cwd].every(isString) &&
    isStrings(argv) &&
    isSize(size) &&
    (exit === undefined || isExit(exit))
  );
}

function isExit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { code, signal } = value as Record<string, unknown>;
  return isInteger(code) && isInteger(signal);
}
