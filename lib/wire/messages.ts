/**
 * Messages on the control channel. Each is an envelope `{type, payload, id?, token?}`; unknown types are refused,
 * unknown keys in a payload are ignored, so that a newer minor version may add some. `attach` and `command` are
 * attributed by their token (since 1.3): without one that the server knows they are refused.
 *
 * Retired names stay here as comments and are never used again. (None yet.)
 */
import {
  isBoolean,
  isCells,
  isInteger,
  isSize,
  isString,
  isStringRecord,
  isStrings,
  parseEnvelope,
  sameMajor,
  type Shape,
} from './envelope.ts';

/** `major.minor`: equal majors understand each other. */
export const PROTOCOL_VERSION = '1.3';

/** Feature of a client that lets the server read its terminal: it knows `read`. */
export const HAND_OVER = 'hand-over';

/** First message of a client, in both roles (terminal and command). */
export interface Handshake {
  readonly version: string;
  readonly client_id: string;
  /** Columns and rows of the terminal, [0, 0] where there is none. */
  readonly size: readonly [number, number];
  readonly cwd: string;
  readonly term: string;
  readonly colorterm: string;
  /** What the client can do beyond its TERM: 'utf8', `HAND_OVER`. */
  readonly features: readonly string[];
}

/** Makes this connection an attached terminal. */
export interface Attach {
  readonly tty: string;
  /** `terminalId` of the terminal that stdout writes to, where that is `tty`; else ''. */
  readonly tty_id?: string;
  readonly pid: number;
  readonly target: string;
  readonly read_only: boolean;
  readonly exclusive: boolean;
  /** `TERM_PROGRAM` of the terminal, '' if unknown. */
  readonly term_program: string;
  /** Directory and environment for the first pane, where the server has none yet. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command; answered by any number of `output` and one `result` with the same id. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** 'on' was asked for, 'auto' is the mode of agents: data stays data then. */
  readonly json: 'on' | 'auto' | 'off';
  /** `%N` of the pane the caller runs in, '' outside. */
  readonly pane: string;
  /** Session id the caller runs in, '' outside. */
  readonly session: string;
  /** Whether the caller's stdout is a terminal (tables) or not (tab-separated). */
  readonly terminal: boolean;
  /** Width of the caller's terminal in cells, 0 if none. */
  readonly columns: number;
  /** Environment of the caller, for programs it starts. */
  readonly env: Readonly<Record<string, string>>;
  /** Names must be whole and words right, else nothing is done or said: the result is `unchecked`. */
  readonly exact?: boolean;
}

export interface ClientMessages {
  handshake: Handshake;
  attach: Attach;
  resize: { readonly cols: number; readonly rows: number };
  /** The last frame has been written to the terminal, or the oldest piece of a stream taken: another may be sent. */
  ack: Record<string, never>;
  /** Nothing more may be drawn: answered by `detached`. */
  leave: Record<string, never>;
  /** The client has stopped reading its terminal, and the server may; answered by one `read`, sooner or later. */
  hand_over: Record<string, never>;
  /** The client is about to stop: the `read` that is due should come now. */
  take_back: Record<string, never>;
  command: Command;
}

export interface ServerMessages {
  handshake_ok: {
    readonly version: string;
    readonly server_version: string;
    readonly instance_id: string;
    readonly pid: number;
  };
  handshake_err: { readonly code: string; readonly reason: string };
  /** Text of a command, in order. */
  output: { readonly stream: 'out' | 'err'; readonly text: string };
  /** `unchecked`: the words are not known by their exact names, or wrong, and nothing was done. */
  result: { readonly exit: number; readonly unchecked?: boolean };
  /**
   * The client is the one that reads the terminal: what the server has read of it, if anything, has been taken. With
   * `may_hand_over` it may let the server read when the next key comes.
   */
  read: { readonly may_hand_over: boolean };
  /**
   * The server lets go of an attached terminal; `message` is shown once the terminal is restored. `again`: the next
   * server is on its way, and takes the terminal over as it is.
   */
  detached: { readonly message: string; readonly exit: number; readonly again?: boolean };
}

export type ClientType = keyof ClientMessages;
export type ServerType = keyof ServerMessages;

export type ClientMessage = {
  [T in ClientType]: {
    readonly type: T;
    readonly payload: ClientMessages[T];
    readonly id?: number;
    readonly token?: string;
  };
}[ClientType];

export type ServerMessage = {
  [T in ServerType]: { readonly type: T; readonly payload: ServerMessages[T]; readonly id?: number };
}[ServerType];

const isJsonMode = (v: unknown): boolean => v === 'on' || v === 'auto' || v === 'off';
const isStream = (v: unknown): boolean => v === 'out' || v === 'err';

const CLIENT_SHAPES: Readonly<Record<ClientType, Shape>> = {
  handshake: {
    version: isString,
    client_id: isString,
    size: isSize,
    cwd: isString,
    term: isString,
    colorterm: isString,
    features: isStrings,
  },
  attach: {
    tty: isString,
    tty_id: v => v === undefined || isString(v),
    pid: isInteger,
    target: isString,
    read_only: isBoolean,
    exclusive: isBoolean,
    term_program: isString,
    env: isStringRecord,
  },
  resize: { cols: isCells, rows: isCells },
  ack: {},
  leave: {},
  hand_over: {},
  take_back: {},
  command: {
    argv: isStrings,
    cwd: isString,
    json: isJsonMode,
    pane: isString,
    session: isString,
    terminal: isBoolean,
    columns: isCells,
    env: isStringRecord,
    exact: v => v === undefined || isBoolean(v),
  },
};

const SERVER_SHAPES: Readonly<Record<ServerType, Shape>> = {
  handshake_ok: { version: isString, server_version: isString, instance_id: isString, pid: isInteger },
  handshake_err: { code: isString, reason: isString },
  output: { stream: isStream, text: isString },
  result: { exit: isInteger, unchecked: v => v === undefined || isBoolean(v) },
  read: { may_hand_over: isBoolean },
  detached: { message: isString, exit: isInteger, again: v => v === undefined || isBoolean(v) },
};

/** Reads an envelope that a client sent. Throws MessageError. */
export function parseClientMessage(payload: Uint8Array): ClientMessage {
  return parseEnvelope(payload, CLIENT_SHAPES) as ClientMessage;
}

/** Reads an envelope that a server sent. Throws MessageError. */
export function parseServerMessage(payload: Uint8Array): ServerMessage {
  return parseEnvelope(payload, SERVER_SHAPES) as ServerMessage;
}

/** Whether a peer of protocol `version` can be talked to. */
export function isCompatible(version: string): boolean {
  return sameMajor(version, PROTOCOL_VERSION);
}
