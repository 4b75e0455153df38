import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emitter } from '../../lib/base/event.ts';
import { EMPTY_GRAPH, type Graph } from '../../lib/graph/types.ts';
import { GraphFocus } from '../../lib/server/graph-focus.ts';
import type { GraphHandle, GraphService } from '../../lib/watch/graph-service.ts';

const test = suite('graph focus');

/** A service whose graphs change when the spec says so. */
function play(): {
  service: GraphService;
  opened: string[];
  closed: string[];
  change: (dir: string) => void;
} {
  const opened: string[] = [];
  const closed: string[] = [];
  const emitters = new Map<string, Emitter<Graph>>();
  const open = (dir: string): GraphHandle => {
    opened.push(dir);
    const emitter = new Emitter<Graph>();
    emitters.set(dir, emitter);
    return {
      dir,
      graph: EMPTY_GRAPH,
      ready: new Promise<Graph>(() => undefined),
      onChange: emitter.event,
      dispose: () => void closed.push(dir),
    } as GraphHandle;
  };
  const change = (dir: string): void => emitters.get(dir)!.fire(EMPTY_GRAPH);
  return { service: { open } as GraphService, opened, closed, change };
}

test('the graph of another directory is opened before the old one is closed', () => {
  const { service, opened, closed } = play();
  let changes = 0;
  const focus = new GraphFocus(service, '/a', () => changes++);
  focus.setDirectory('/b');
  assert.equal([opened, closed, changes], [['/a', '/b'], ['/a'], 1]);
  assert.is(focus.handle.dir, '/b');
  focus.dispose();
  assert.equal(closed, ['/a', '/b']);
});

test('the same directory, and one that is not known, change nothing', () => {
  const { service, opened } = play();
  const focus = new GraphFocus(service, '/a', assert.unreachable);
  focus.setDirectory('/a');
  focus.setDirectory('');
  assert.equal(opened, ['/a']);
});

test('changes of the graph that is shown are told, those of an earlier one are not', () => {
  const { service, change } = play();
  let changes = 0;
  const focus = new GraphFocus(service, '/a', () => changes++);
  change('/a');
  assert.is(changes, 1);
  focus.setDirectory('/b');
  change('/a');
  assert.is(changes, 2, 'the move alone');
  change('/b');
  assert.is(changes, 3);
});

test.run();
