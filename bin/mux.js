#!/usr/bin/env node
// The launcher: says in one line when this Node is too old or mux has not been compiled, then hands over.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// Agents' hooks are called many times a minute: they have an entry that loads nothing else.
const isHook = process.argv[2] === 'hook' && /^\w/.test(process.argv[3] ?? '');
const main = new URL(`../dist/lib/app/${isHook ? 'hook-main' : 'main'}.js`, import.meta.url);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`mux: Node ${process.versions.node} is too old: mux needs 20.19 or newer`);
  process.exitCode = 1;
} else if (!existsSync(main)) {
  console.error("mux: it has not been compiled yet: run 'npm install' in its directory");
  process.exitCode = 1;
} else {
  await import(main.href);
}
