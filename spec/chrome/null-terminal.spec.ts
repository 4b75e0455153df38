import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nullStreams, nullTerminfo } from '../../lib/chrome/null-terminal.ts';

const test = suite('chrome/null-terminal');

test('the streams claim the size and take any bytes without keeping them', async () => {
  const { output } = nullStreams({ cols: 80, rows: 24 });
  assert.is((output as unknown as { columns: number }).columns, 80);
  for (let i = 0; i < 100; i++) output.write('x'.repeat(1000));
  await new Promise<void>(resolve => output.end(resolve));
  assert.is(output.writableLength, 0);
});

test('every ability can be called and writes nothing', () => {
  const put = nullTerminfo()['put'] as Record<string, () => string>;
  assert.is(put['smcup']!(), '');
  assert.is(put['anything']!(), '');
});

test.run();
