import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  branchName,
  includeVariable,
  isWithin,
  repositoryFolder,
  repositoryName,
  slug,
} from '../../lib/git/places.ts';

const test = suite('places');

test('a folder holds what is below it, and no folder whose name only begins the same', () => {
  assert.ok(isWithin('/a/foo', '/a/foo'));
  assert.ok(isWithin('/a/foo', '/a/foo/b'));
  assert.ok(isWithin('/a/foo', '/a/foo/..b'), 'a name that begins with dots');
  assert.not.ok(isWithin('/a/foo', '/a/foobar'));
  assert.not.ok(isWithin('/a/foo', '/a'));
  assert.not.ok(isWithin('/a/foo', '/a/foo/../bar'));
});

test('a repository is named by its folder, and told from others of the name by a hash', () => {
  assert.is(repositoryName('/home/a/api'), 'api');
  assert.is(repositoryName('/srv/git/api.git'), 'api');
  assert.is(repositoryName('/home/a/api/.git'), 'api');
  assert.is(repositoryName('/home/a/Ünï cödé'), 'Uni-code');
  assert.is(repositoryName('/'), 'repository');
  assert.match(repositoryFolder('/w', '/home/a/api'), /^\/w\/api-[0-9a-f]{12}$/);
  assert.is.not(repositoryFolder('/w', '/home/a/api'), repositoryFolder('/w', '/home/b/api'));
});

test('a branch is made of prefix, name and id, and is one that git takes', () => {
  assert.is(branchName('{user}/mux', 'ada', 'fix login', '0a1b2c3d'), 'ada/mux/fix-login-0a1b2c3d');
  assert.is(branchName('', 'ada', '...', '0a1b2c3d'), 'session-0a1b2c3d');
  assert.is(branchName('/{user}/', 'A. D.', 'x.lock', '0a1b2c3d'), 'A.-D/x-0a1b2c3d');
  for (const bad of ['a b', 'a..b', '-x', 'a~', 'a//b', 'x/.y', 'x.lock', 'a\nb', 'a.'])
    assert.throws(
      () => branchName(bad, 'ada', 'x', '1'),
      (error: Error) => /git\.branch_prefix/.test(error.message),
      bad,
    );
});

test('a text of nothing but signs has a name all the same', () => {
  assert.is(slug('///', 'x'), 'x');
  assert.is(slug('$(rm -rf ~)', 'x'), 'rm-rf');
  assert.is(slug('a'.repeat(500), 'x').length, 60);
});

test('an include is told by a variable that a shell can read', () => {
  assert.is(includeVariable('web-app.v2'), 'MUX_INCLUDE_WEB_APP_V2_PATH');
});

test.run();
