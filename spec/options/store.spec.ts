import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultConfig, loadConfig } from '../../lib/config/load.ts';
import { OptionStore, seedFromConfig } from '../../lib/options/store.ts';
import { formatOption, OPTION_NAMES, OPTIONS, parseOption, type OptionRow } from '../../lib/options/table.ts';

const test = suite('option store');

test('set-option wins over config.yaml, which wins over the default', () => {
  const store = new OptionStore({ mouse: false });
  assert.is(new OptionStore().get('mouse'), true);
  assert.is(store.get('mouse'), false);
  store.setText('mouse', 'on');
  assert.is(store.get('mouse'), true);
  store.unset('mouse');
  assert.is(store.get('mouse'), false);
});

test('a flag without a value is turned over, anything else needs one', () => {
  const store = new OptionStore();
  store.setText('mouse', undefined);
  assert.is(store.get('mouse'), false);
  assert.throws(() => store.setText('theme', undefined), /the value is missing/);
});

test('listeners hear of changes, and only of changes', () => {
  const store = new OptionStore();
  const heard: string[] = [];
  const sub = store.onChange(({ name, value }) => heard.push(`${name}=${String(value)}`));
  store.setText('theme', 'light');
  store.setText('theme', 'light');
  store.set('default-size', { cols: 80, rows: 24 });
  store.unset('theme');
  assert.throws(() => store.setText('mouse', 'x'));
  sub.dispose();
  store.setText('theme', 'mono');
  assert.equal(heard, ['theme=light', 'theme=dark']);
});

test('a changed config.yaml moves what set-option has not touched', () => {
  const store = new OptionStore({ theme: 'light', mouse: true });
  store.setText('theme', 'mono');
  const heard: string[] = [];
  store.onChange(({ name }) => heard.push(name));
  store.reseed({ theme: 'high-contrast', mouse: false });
  assert.equal([store.get('theme'), store.get('mouse')], ['mono', false]);
  assert.equal(heard, ['mouse']);
  store.unset('theme');
  assert.is(store.get('theme'), 'high-contrast');
});

test('the list shows every option as text and whether it was set', () => {
  const store = new OptionStore();
  store.setText('escape-time', '10');
  const list = store.list();
  assert.is(list.length, OPTION_NAMES.length);
  assert.equal(
    list.find(row => row.name === 'escape-time'),
    { name: 'escape-time', text: '10', changed: true },
  );
  assert.equal(list.find(row => row.name === 'default-size')?.text, '80x24');
});

test('an option and the key of config.yaml that it mirrors have the same default and the same kind of value', () => {
  const seed = seedFromConfig(defaultConfig());
  for (const name of OPTION_NAMES) {
    if ((OPTIONS[name] as OptionRow).config === undefined) continue;
    assert.equal(seed[name], OPTIONS[name].default, name);
    assert.equal(parseOption(name, formatOption(name, seed[name]!)), seed[name], name);
  }
});

test('the store starts from config.yaml', () => {
  const { config } = loadConfig({
    path: 'c',
    text: 'screen: { hints: off, sidebar: on }\nserver: { history_lines: 77 }',
  });
  const store = new OptionStore(seedFromConfig(config));
  assert.equal(
    [store.get('status-hints'), store.get('sidebar'), store.get('history-limit')],
    [false, 'on', 77],
  );
});

test.run();
