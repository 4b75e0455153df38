/**
 * What a sed script does beyond editing what it prints: files it writes (`w`, `W`, the `w` of `s`), commands it runs (`e`, the
 * `e` of `s`). POSIX.1-2017 sed, and GNU sed's manual for `e`, `F`, `Q`, `R`, `W`, `z`.
 */

/** What was found. */
export interface SedEffects {
  readonly files: readonly string[];
  readonly commands: readonly string[];
  /** `e` alone, or of `s`: lines of the input are run. */
  readonly runsInput: boolean;
  /** Something that this reader does not know. */
  readonly isOdd: boolean;
}

/** Reads a script from its beginning to its end, or to what it does not know. */
export function sedEffects(script: string): SedEffects {
  const reader = new SedReader(script);
  const isOdd = !reader.read();
  return { files: reader.files, commands: reader.commands, runsInput: reader.runsInput, isOdd };
}

/** Commands that take text to the end of the line, and those that take nothing. */
const TO_LINE_END = new Set('aicrRb:tTv#');
const ALONE = new Set('dDgGhHnNpPxzF=');

class SedReader {
  readonly files: string[] = [];
  readonly commands: string[] = [];
  runsInput = false;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): boolean {
    while (this.#at < this.#text.length) {
      this.#skip(/[\s;{}]/);
      if (this.#at >= this.#text.length) return true;
      if (!this.#address()) return false;
      this.#skip(/[\s!]/);
      if (!this.#command()) return false;
    }
    return true;
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.#text.length && pattern.test(this.#text[this.#at]!)) this.#at++;
  }

  /** `1,5`, `$`, `/re/I`, `\,re,`, `2~3`, `+4`. */
  #address(): boolean {
    for (;;) {
      const letter = this.#text[this.#at];
      if (letter === '/') {
        this.#at++;
        if (this.#until('/') === undefined) return false;
        this.#skip(/[IM]/);
      } else if (letter === '\\') {
        const delimiter = this.#text[this.#at + 1] ?? '';
        this.#at += 2;
        if (this.#until(delimiter) === undefined) return false;
        this.#skip(/[IM]/);
      } else if (letter !== undefined && /[\d$~+]/.test(letter)) this.#skip(/[\d$~+]/);
      this.#skip(/[ \t]/);
      if (this.#text[this.#at] !== ',') return true;
      this.#at++;
      this.#skip(/[ \t]/);
    }
  }

  /** Text up to an unescaped delimiter; brackets keep it (`[/]`). */
  #until(delimiter: string): string | undefined {
    const from = this.#at;
    for (let isSet = false; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text[this.#at]!;
      if (letter === '\\') this.#at++;
      else if (isSet) isSet = letter !== ']' || this.#at === from;
      else if (letter === delimiter) return this.#text.slice(from, this.#at++);
    }
    return undefined;
  }

  #command(): boolean {
    const letter = this.#text[this.#at++];
    if (letter === undefined || letter === '{' || letter === '}' || letter === '\n' || letter === ';')
      return true;
    if (letter === 's') return this.#substitute();
    if (letter === 'y') return this.#twoTexts() !== undefined;
    if (letter === 'w' || letter === 'W') return this.#file();
    if (letter === 'e') return this.#run();
    if (TO_LINE_END.has(letter)) {
      this.#lineEnd(letter);
      return true;
    }
    if (letter === 'q' || letter === 'Q' || letter === 'l' || letter === 'L') {
      this.#skip(/[ \t\d]/);
      return true;
    }
    return ALONE.has(letter);
  }

  /** Labels end at a semicolon in GNU sed; text of a, i, c goes on behind a backslash. */
  #lineEnd(letter: string): void {
    const rest = this.#text.slice(this.#at);
    const pattern = /[bTt:]/.test(letter) ? /^[^\n;}]*/ : /^(?:\\\n|\\.|[^\n\\])*/s;
    this.#at += pattern.exec(rest)![0].length;
  }

  #rest(): string {
    const text = /^[^\n]*/.exec(this.#text.slice(this.#at))![0];
    this.#at += text.length;
    return text.trim();
  }

  #file(): boolean {
    this.files.push(this.#rest());
    return true;
  }

  #run(): boolean {
    const text = this.#rest();
    if (text === '' || text.startsWith(';') || text.startsWith('}')) this.runsInput = true;
    else this.commands.push(text);
    return true;
  }

  #twoTexts(): readonly [string, string] | undefined {
    const delimiter = this.#text[this.#at++];
    if (delimiter === undefined || delimiter === '\n') return undefined;
    const first = this.#until(delimiter);
    const second = first === undefined ? undefined : this.#until(delimiter);
    return second === undefined ? undefined : [first!, second];
  }

  #substitute(): boolean {
    const texts = this.#twoTexts();
    if (!texts) return false;
    for (;;) {
      const flag = this.#text[this.#at];
      if (flag === 'w') {
        this.#at++;
        return this.#file();
      }
      if (flag === 'e') {
        this.runsInput = true;
        // The text that is run is what stands there after the exchange.
        this.commands.push(texts[1]);
      }
      if (flag === undefined || !/[gpiImMe\d]/.test(flag)) return true;
      this.#at++;
    }
  }
}
