/**
 * `npm run manual`: brings the manual up to date with the program.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './context.ts';
import { manualPages } from './manual.ts';

for (const { path, text } of manualPages()) {
  writeFileSync(join(PACKAGE_ROOT, path), text);
  console.log(path);
}
