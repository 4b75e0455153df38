/**
 * The graph's thread: walks, parses, watches, searches and renders, so that the thread that draws does none of it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import type { WorkerSettings } from './protocol.ts';
import { GraphHost } from './graph-host.ts';

const port = parentPort;
if (!port) throw new Error('graph-worker runs as a worker thread only');
const host = new GraphHost(systemClock, workerData as WorkerSettings, message => port.postMessage(message));
port.on('message', message => host.receive(message));
