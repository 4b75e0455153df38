/**
 * What reflection tells of the contracts, in the form that every client of it understands. The loader describes files by names
 * that only itself resolves: without dependencies, with relative types, and with entries of maps under names of its own. Clients
 * that check descriptors refuse such files (descriptor.proto: `type_name`, `dependency`, `map_entry`).
 */
import type { PackageDefinition } from '@grpc/proto-loader';
import descriptor from 'protobufjs/ext/descriptor/index.js';

interface FieldProto {
  readonly name: string;
  typeName?: string;
}
interface MessageProto {
  name: string;
  readonly field: readonly FieldProto[];
  readonly nestedType: readonly MessageProto[];
  readonly enumType: readonly { readonly name: string }[];
  readonly options?: { readonly mapEntry?: boolean };
}
interface FileProto {
  readonly name: string;
  readonly package: string;
  dependency: string[];
  readonly messageType: readonly MessageProto[];
  readonly enumType: readonly { readonly name: string }[];
  readonly service: readonly { readonly method: readonly { inputType: string; outputType: string }[] }[];
}

/** The same definition, with descriptors whose types are absolute and whose files name what they need. */
export function withWholeDescriptors(definition: PackageDefinition): PackageDefinition {
  // The loader gives all of its files with every message.
  const [first = []] = Object.values(definition).flatMap(({ fileDescriptorProtos: all }) =>
    Array.isArray(all) ? [all] : [],
  );
  const files = first.map(bytes => descriptor.FileDescriptorProto.decode(bytes) as unknown as FileProto);
  for (const file of files) file.messageType.forEach(nameMapEntries);
  const homes = new Map(files.flatMap(file => declaredIn(file).map(name => [name, file.name] as const)));
  for (const file of files) resolveFile(file, homes);
  const whole = files.map(file => Buffer.from(descriptor.FileDescriptorProto.encode(file as never).finish()));
  const entries = Object.entries(definition).map(([name, entry]) => [
    name,
    Array.isArray(entry.fileDescriptorProtos) ? { ...entry, fileDescriptorProtos: whole } : entry,
  ]);
  return Object.fromEntries(entries) as PackageDefinition;
}

/** `method_names` becomes `MethodNamesEntry`, as compilers name it. */
function nameMapEntries(message: MessageProto): void {
  for (const entry of message.nestedType) {
    nameMapEntries(entry);
    if (!entry.options?.mapEntry) continue;
    const field = message.field.find(({ typeName }) => typeName?.split('.').at(-1) === entry.name);
    if (!field) continue;
    entry.name = `${field.name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
    field.typeName = entry.name;
  }
}

/** Full names of messages and enums. */
function declaredIn({ package: home, messageType, enumType }: FileProto): string[] {
  const inside = (scope: string, { name, nestedType, enumType: enums }: MessageProto): string[] => {
    const own = `${scope}.${name}`;
    return [own, ...enums.map(one => `${own}.${one.name}`), ...nestedType.flatMap(one => inside(own, one))];
  };
  return [...enumType.map(({ name }) => `${home}.${name}`), ...messageType.flatMap(one => inside(home, one))];
}

function resolveFile(file: FileProto, homes: ReadonlyMap<string, string>): void {
  const needed = new Set<string>();
  const absolute = (name: string, scope: string): string => {
    const full = resolved(name, scope, homes);
    needed.add(homes.get(full)!);
    return `.${full}`;
  };
  const resolveMessage = (message: MessageProto, scope: string): void => {
    const own = `${scope}.${message.name}`;
    for (const field of message.field) if (field.typeName) field.typeName = absolute(field.typeName, own);
    for (const nested of message.nestedType) resolveMessage(nested, own);
  };
  for (const message of file.messageType) resolveMessage(message, file.package);
  for (const { method: methods } of file.service)
    for (const method of methods) {
      method.inputType = absolute(method.inputType, file.package);
      method.outputType = absolute(method.outputType, file.package);
    }
  needed.delete(file.name);
  file.dependency = [...needed].sort();
}

/** The innermost scope that knows a name has it. */
function resolved(name: string, scope: string, homes: ReadonlyMap<string, string>): string {
  if (name.startsWith('.')) return name.slice(1);
  const steps = scope.split('.');
  for (let depth = steps.length; depth >= 0; depth--) {
    const full = [...steps.slice(0, depth), name].join('.');
    if (homes.has(full)) return full;
  }
  throw new Error(`proto/: ${scope} speaks of ${name}, which is nowhere`);
}
