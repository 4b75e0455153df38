/**
 * The short way to `mux hook`: an entry of its own, so that nothing else of the program is loaded. Hook files call it,
 * and the launcher does.
 */
import { hookCommand } from './hook.ts';

const words = process.argv.slice(2);
process.exitCode = await hookCommand(process.env, words[0] === 'hook' ? words.slice(1) : words);
