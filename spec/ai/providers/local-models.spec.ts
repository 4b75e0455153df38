/** Models of this machine: listed, fetched and removed. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFailure } from '../../../lib/ai/failure.ts';
import { installedModels, pullModel, removeModel } from '../../../lib/ai/providers/local-models.ts';
import { ModelServer } from '../../support/ai/model-server.ts';

const test = suite('local models');
let server: ModelServer;
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(() => server.end());

async function kindOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ProviderFailure);
  return (error as ProviderFailure).kind;
}

async function pulled(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const progress of pullModel(server.url, 'm')) found.push(progress);
  return found;
}

test('a fetch tells how far it is, and that it was cut', async () => {
  const lines = ['{"status":"pulling a","completed":1,"total":2}\n', '\n{"status":', '"success"}'];
  server.answers({ pieces: lines }, { pieces: lines.slice(0, 1) });
  assert.equal(await pulled(), [
    { status: 'pulling a', done: 1, total: 2 },
    { status: 'success', done: 0, total: 0 },
  ]);
  assert.is(await kindOf(pulled()), 'cut_off');
});

test('a model that is not there is told as such, by a status and in the middle', async () => {
  server.answers(
    { pieces: ['{"error":"pull model manifest: file does not exist"}\n'] },
    { status: 404, pieces: ['{"error":"model \'m\' not found"}'] },
  );
  assert.is(await kindOf(pulled()), 'model_unknown');
  assert.is(await kindOf(removeModel(server.url, 'm')), 'model_unknown');
});

test('a list is empty where nobody answers, and where no Ollama does', async () => {
  server.answers(
    { pieces: [JSON.stringify({ models: [{ name: 'a:1' }, null, { name: 'b\u001b[m' }] })] },
    { pieces: ['<html>'] },
    { status: 500 },
  );
  assert.equal(await installedModels(server.url), ['a:1']);
  assert.equal(await installedModels(server.url), []);
  assert.equal(await installedModels(server.url), []);
  assert.equal(await installedModels('http://127.0.0.1:1'), []);
});

test.run();
