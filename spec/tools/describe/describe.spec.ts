import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../../lib/base/errors.ts';
import type { Schema } from '../../../lib/ai/wire.ts';
import { describeMethod, NO_SIDE_EFFECT, toolName } from '../../../lib/tools/describe/describe.ts';
import { describedServices } from '../../../lib/tools/describe/from-descriptors.ts';
import { bothWays } from './protos.ts';

const test = suite('tools described from protobuf');

const TEXT = `syntax = "proto3";
package x.v1;
import "buf/validate/validate.proto";
import "google/api/field_behavior.proto";
import "google/protobuf/descriptor.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
extend google.protobuf.MethodOptions { string standard = 93000; }
service Boats {
  //   Finds boats.
  //     Fast.
  rpc FindBoats(FindBoatsRequest) returns (Boat) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc CreateBoat(CreateBoatRequest) returns (Boat) { option (standard) = "create"; }
  // @comment(x.v1.Boat) Changed.
  rpc UpdateBoat(Boat) returns (Boat) { option (standard) = "update"; }
  // Marked as nothing.
  rpc CreatePlainBoat(Boat) returns (Boat);
}
// A boat.
message Boat {
  // Its name.
  string name = 1 [(google.api.field_behavior) = IDENTIFIER];
  // The yard.
  string yard = 2 [(google.api.field_behavior) = REQUIRED, (google.api.field_behavior) = IMMUTABLE];
  google.protobuf.Timestamp seen = 3 [(google.api.field_behavior) = OUTPUT_ONLY]; // When it was seen.
  // Boats in tow.
  repeated Boat tow = 4;
}
message CreateBoatRequest {
  // Which.
  Boat boat = 1 [(google.api.field_behavior) = REQUIRED];
}
enum Rig { RIG_UNSPECIFIED = 0; RIG_SLOOP = 1; RIG_KETCH = 2; }
// What to find.
message FindBoatsRequest {
  // An id.
  string id = 1 [(buf.validate.field).string = {min_len: 2, max_len: 9}];
  string token = 2 [(buf.validate.field).required = true, (buf.validate.field).string.uuid = true];
  Rig rig = 3 [(buf.validate.field).enum = {not_in: [0]}];
  int32 length = 4 [(buf.validate.field).int32 = {gt: 0, lte: 400}];
  repeated string ports = 5 [(buf.validate.field).repeated = {min_items: 1, items: {string: {in: ["oslo", "bergen"]}}}];
  map<string, Boat> by_name = 6;
  google.protobuf.Duration within = 7;
  google.protobuf.Struct more = 8;
  oneof where {
    option (buf.validate.oneof).required = true;
    string harbour = 9;
    string sea = 10;
  }
  optional double speed = 11;
  bytes photo = 12;
  int64 mass = 13;
  bool old = 14;
}
`;

const methods = bothWays(TEXT, 'x.v1.Boats');
const schemaOf = (name: string, telling = {}): Schema =>
  describeMethod(methods.get(name)!.source, telling).json_schema!;

test('what a file says and what its descriptors say come to the same tools', () => {
  assert.is(methods.size, 4);
  for (const { source, described } of methods.values())
    assert.equal(
      describeMethod(described, { responseDepth: 2 }),
      describeMethod(source, { responseDepth: 2 }),
      source.name,
    );
});

test('the description is the comment in front of the method with its lines trimmed', () => {
  assert.is(describeMethod(methods.get('FindBoats')!.source).description, 'Finds boats.\nFast.');
  assert.is(describeMethod(methods.get('CreateBoat')!.source).description, '');
});

test('a comment behind a field counts where none is in front of it', () => {
  const { properties = {} } = schemaOf('CreateBoat', { mask: ['boat.seen'] });
  assert.ok(properties.boat!.properties!.seen!.description!.startsWith('When it was seen. ('));
});

test('a comment can stand for that of something else', () => {
  assert.is(describeMethod(methods.get('UpdateBoat')!.source).description, 'A boat. Changed.');
});

test('a method without side effects is marked, and no other', () => {
  assert.equal(describeMethod(methods.get('FindBoats')!.source).annotations, { [NO_SIDE_EFFECT]: 'true' });
  assert.equal(describeMethod(methods.get('CreateBoat')!.source).annotations, {});
});

test('every kind of field has its type', () => {
  const { properties = {}, required } = schemaOf('FindBoats');
  const types = Object.entries(properties).map(([name, { type }]) => `${name} ${type}`);
  assert.equal(types, [
    'id string',
    'token string',
    'rig string',
    'length integer',
    'ports array',
    'by_name object',
    'within string',
    'more object',
    'harbour string',
    'sea string',
    'speed number',
    'photo string',
    'mass integer',
    'old boolean',
  ]);
  assert.equal(required, ['token']);
  assert.is(properties.by_name!.additional_properties!.type, 'object');
  assert.ok(properties.within!.description!.includes('1h30m'));
});

test('constraints are keywords, and words where providers ignore the keywords', () => {
  const { properties = {} } = schemaOf('FindBoats');
  assert.is(properties.id!.min_length, 2);
  assert.is(properties.id!.description, 'An id. Constraints: at least 2 characters, at most 9 characters.');
  assert.is(properties.token!.format, 'uuid');
  assert.equal(properties.rig!.enum, ['RIG_SLOOP', 'RIG_KETCH']);
  assert.is(properties.length!.exclusive_minimum, 0);
  assert.is(properties.length!.maximum, 400);
  assert.is(properties.ports!.min_items, 1);
  assert.equal(properties.ports!.items!.enum, ['oslo', 'bergen']);
});

test('of a choice it is said how many may be set, and not of an optional field', () => {
  assert.is(schemaOf('FindBoats').description, 'What to find. Set exactly one of harbour, sea.');
});

test('output is left out, and what standard methods do not take', () => {
  const boat = schemaOf('CreateBoat').properties!.boat!;
  assert.equal(Object.keys(boat.properties!), ['yard', 'tow']);
  assert.equal(boat.required, ['yard']);
  assert.is(boat.description, 'Which. (A boat.)');
  const update = schemaOf('UpdateBoat');
  assert.equal(Object.keys(update.properties!), ['name', 'tow']);
  assert.equal(update.required, ['name']);
  assert.equal(Object.keys(schemaOf('CreatePlainBoat').properties!), ['name', 'yard', 'tow']);
});

test('fields deeper than the limit vanish, and a message within itself ends', () => {
  const depth = (schema: Schema | undefined): number =>
    schema?.properties?.tow ? 1 + depth(schema.properties.tow.items) : 0;
  assert.is(depth(schemaOf('CreatePlainBoat')), 5);
  assert.is(depth(schemaOf('CreatePlainBoat', { depth: 2 })), 2);
  assert.is(depth(schemaOf('CreatePlainBoat', { depth: 99 })), 10);
});

test('a mask shows its paths alone, output too', () => {
  const { properties } = schemaOf('CreateBoat', { mask: ['boat.seen', 'boat.tow.name'] });
  assert.equal(Object.keys(properties!.boat!.properties!), ['seen', 'tow']);
  assert.equal(Object.keys(properties!.boat!.properties!.tow!.items!.properties!), ['name']);
});

test('a title and a read mask are asked for before all else, and required', () => {
  const { properties, required } = schemaOf('CreateBoat', { withTitle: 'A title.', withReadMask: true });
  assert.equal(Object.keys(properties!), ['tool_call_title', 'response_read_mask', 'boat']);
  assert.equal(required, ['tool_call_title', 'response_read_mask', 'boat']);
  assert.ok(
    properties!.response_read_mask!.description!.includes('relative to Boat, such as name,yard,seen'),
  );
});

test('messages that branch out at every level end in a schema of bounded size', () => {
  const fields = Array.from({ length: 60 }, (_, at) => `Wide f${at} = ${at + 1};`).join(' ');
  const wide = bothWays(
    `syntax = "proto3"; package x.v1; message Wide { ${fields} } service S { rpc Do(Wide) returns (Wide); }`,
    'x.v1.S',
  );
  const text = JSON.stringify(describeMethod(wide.get('Do')!.described, { depth: 10 }).json_schema);
  assert.ok(text.length < 200_000, `${text.length} characters`);
});

test('bytes that are no descriptors are an error of one line', () => {
  for (const bytes of [Buffer.from('hello'), Buffer.from([0x22, 0xff, 0xff, 0xff, 0xff, 0x0f])])
    assert.throws(
      () => describedServices([bytes]),
      (error: unknown) => error instanceof CodedError,
    );
});

test('names of methods become names of tools', () => {
  assert.equal(['ReadFiles', 'GetHTTPHead', 'A', 'ListDir2'].map(toolName), [
    'read_files',
    'get_http_head',
    'a',
    'list_dir2',
  ]);
});

test.run();
