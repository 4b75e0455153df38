/**
 * The methods of proto/sgpt/v1/tools.proto, of which the built-in tools are made.
 */
import { readProtos, sourceMethods } from './describe/from-source.ts';
import type { MethodInfo } from './describe/model.ts';

/** Methods by name. */
export type ToolMethods = ReadonlyMap<string, MethodInfo>;

/** Reads them; takes tens of milliseconds, so once for a process. */
export function readToolMethods(): ToolMethods {
  return sourceMethods(readProtos(['sgpt/v1/tools.proto']), 'sgpt.v1.ToolService');
}
