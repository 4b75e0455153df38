/**
 * Runs inside a sandbox: `bridge-main SOCKET PORT`. Says `ready` once programs may begin, and stays until the sandbox ends.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { startBridge } from '../sandbox/bridge.ts';

const [socket = '', port = ''] = process.argv.slice(2);
await startBridge(socket, Number(port));
writeSync(1, 'ready\n');
// Whoever started us reads to the end.
closeSync(1);
// The lowest free number is taken, so this is stdout again: without one Node ends at the first connection.
openSync('/dev/null', 'w');
