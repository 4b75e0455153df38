/**
 * The manual: pages written by hand around tables that are made from the program.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { muxVersion, PACKAGE_ROOT } from './context.ts';
import { fillParts } from './manual-markdown.ts';
import { MANUAL_PARTS, README_PARTS } from './manual-parts.ts';
import { tidyRoff, withoutTables } from './manual-roff.ts';

/** A file of the manual. */
export interface Page {
  /** Below the package's folder. */
  readonly path: string;
  readonly text: string;
}

/** Pages with their generated parts. */
const SOURCES: readonly { readonly path: string; readonly parts: Readonly<Record<string, () => string>> }[] =
  [
    { path: 'README.md', parts: README_PARTS },
    { path: 'man/mux.1.md', parts: MANUAL_PARTS },
    { path: 'man/mux-internals.7.md', parts: {} },
  ];

/** The converter from Markdown to roff: a tool of development, so it is run and never loaded. */
const CONVERTER = 'node_modules/marked-man/bin/marked-man.js';

/** Every file of the manual as it should be: from its source as it is now, and the tables of the program. */
export function manualPages(): Page[] {
  return SOURCES.flatMap(({ path, parts }) => {
    const text = fillParts(readPage(path), parts);
    const isManual = path.startsWith('man/');
    return [{ path, text }, ...(isManual ? [{ path: path.replace(/\.md$/, ''), text: toRoff(text) }] : [])];
  });
}

/** A file of the manual as it is. */
export function readPage(path: string): string {
  return readFileSync(join(PACKAGE_ROOT, path), 'utf8');
}

/** Throws where the converter is not installed or fails. */
function toRoff(markdown: string): string {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      join(PACKAGE_ROOT, CONVERTER),
      '--no-breaks',
      '--version',
      `mux ${muxVersion()}`,
      '--manual',
      'mux',
      '--date',
      '2000-01-01',
    ],
    { input: withoutTables(markdown), encoding: 'utf8', maxBuffer: MAX_PAGE },
  );
  if (error ?? status !== 0) throw new Error(`marked-man: ${error?.message ?? stderr}`);
  return tidyRoff(stdout);
}

/** 4 MiB: some forty times the manual. */
const MAX_PAGE = 4 * 1024 * 1024;
