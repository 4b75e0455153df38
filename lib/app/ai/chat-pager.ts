/** A chat for a person: drawn as Markdown on a terminal, in the pager where it is longer than the screen. */
import { plain } from '../../base/styled.ts';
import { visible } from '../../base/visible.ts';
import type { Config } from '../../config/load.ts';
import { MarkdownStream } from '../../markdown/stream.ts';
import type { AppContext } from '../context.ts';
import { showInPager, takesColors } from '../pager.ts';
import { markdownScreen } from './markdown-screen.ts';

/** Shows texts of Markdown below each other; in a pipe as they are. */
export function showChat(context: AppContext, config: Config, texts: readonly string[]): void {
  const { stdout } = process;
  if (!stdout.isTTY) return void stdout.write(texts.join('\n'));
  const screen = markdownScreen(context, config);
  const rows = stdout.rows || 24;
  if (!screen)
    return page(
      context,
      texts
        .join('\n')
        .replace(/[^\n\t]+/g, visible)
        .split('\n'),
      rows,
    );
  const width = Math.max(1, screen.size().cols - 1);
  const lines = texts.flatMap((text, at) => {
    // Each of its own: a fence that one leaves open ends with it.
    const stream = new MarkdownStream(width);
    return [...(at > 0 ? [[]] : []), ...stream.add(text), ...stream.end()];
  });
  const isPaged = lines.length >= rows;
  page(context, lines.map(isPaged && !takesColors(context.env) ? plain : screen.paint), rows);
}

function page({ env }: AppContext, lines: readonly string[], rows: number): void {
  const text = `${lines.join('\n')}\n`;
  if (lines.length >= rows) showInPager(env, text);
  else process.stdout.write(text);
}
