/** A service for the specs of descriptions, read from its text and from the descriptors that a compiler makes of it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { describedServices } from '../../../lib/tools/describe/from-descriptors.ts';
import { readProtos, sourceMethods } from '../../../lib/tools/describe/from-source.ts';
import type { MethodInfo } from '../../../lib/tools/describe/model.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The part of validate.proto that the texts use. */
const VALIDATE = `syntax = "proto2";
package buf.validate;
import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { optional FieldRules field = 1159; }
extend google.protobuf.OneofOptions { optional OneofRules oneof = 1159; }
message OneofRules { optional bool required = 1; }
message FieldRules {
  optional Int32Rules int32 = 3;
  optional StringRules string = 14;
  optional EnumRules enum = 16;
  optional RepeatedRules repeated = 18;
  optional bool required = 25;
}
message Int32Rules { optional int32 lt = 2; optional int32 lte = 3; optional int32 gt = 4; optional int32 gte = 5; }
message StringRules {
  optional uint64 min_len = 2;
  optional uint64 max_len = 3;
  optional string pattern = 6;
  repeated string in = 10;
  optional bool uuid = 22;
}
message EnumRules { repeated int32 in = 3; repeated int32 not_in = 4; }
message RepeatedRules {
  optional uint64 min_items = 1;
  optional uint64 max_items = 2;
  optional FieldRules items = 4;
}
`;

/** A method by both ways. */
export interface Both {
  readonly source: MethodInfo;
  readonly described: MethodInfo;
}

/** Methods of the service `full`, of a file `text` in package `x.v1`. The compiler is the one that lints proto/. */
export function bothWays(text: string, full: string): ReadonlyMap<string, Both> {
  const folder = mkdtempSync(join(tmpdir(), 'mux-protos-'));
  try {
    for (const [file, content] of [
      ['x/v1/x.proto', text],
      ['buf/validate/validate.proto', VALIDATE],
      ['buf.yaml', 'version: v2\n'],
    ] as const) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    cpSync(join(ROOT, 'proto/google'), join(folder, 'google'), { recursive: true });
    execFileSync(join(ROOT, 'node_modules/.bin/buf'), ['build', '-o', 'set.binpb'], { cwd: folder });
    const source = sourceMethods(readProtos(['x/v1/x.proto'], folder), full);
    const described = describedServices(filesOf(readFileSync(join(folder, 'set.binpb')))).get(full)!;
    return new Map(
      [...source].map(([name, one]) => [name, { source: one, described: described.get(name)! }]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** FileDescriptorSet: its files, each as bytes. */
export function filesOf(set: Uint8Array): Uint8Array[] {
  const reader = protobuf.Reader.create(set);
  const files: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === ((1 << 3) | 2)) files.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return files;
}
