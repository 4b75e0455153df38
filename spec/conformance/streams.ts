/**
 * Streams of our own, in the manner of vttest: what is sent, and the screen and cursor it must leave by the standards
 * named. 20×6 cells unless said otherwise; `screen` lists rows without blanks at their end, empty ones at the bottom
 * left out.
 */

/** One stream. */
export interface Stream {
  readonly name: string;
  readonly send: string;
  readonly screen: readonly string[];
  /** Row and column of the cursor, one-based, as CPR has them. */
  readonly cursor?: readonly [row: number, column: number];
  readonly cols?: number;
  readonly rows?: number;
}

const CSI = '\x1b[';
/** Six rows of letters, each a row of its own. */
const ROWS = 'aa\r\nbb\r\ncc\r\ndd\r\nee\r\nff';

export const STREAMS: readonly Stream[] = [
  // Cursor and margins: VT100 manual, DEC STD 070.
  {
    name: 'CUP beyond the screen stops at its corner',
    send: `${CSI}99;99Hx${CSI}Hy`,
    screen: ['y', '', '', '', '', '                   x'],
  },
  {
    name: 'in origin mode the cursor stays inside the margins',
    send: `${CSI}2;4r${CSI}?6h${CSI}Ha${CSI}99;1Hb${CSI}?6l${CSI}Hc`,
    screen: ['c', 'a', '', 'b'],
  },
  {
    name: 'in origin mode columns are moved along the row, not down',
    send: `${CSI}3;5r${CSI}?6h${CSI}2;1H${CSI}4Ga${CSI}2Cb${CSI}5Dc${CSI}2\`d`,
    screen: ['', '', '', ' dca  b'],
    cursor: [2, 3],
  },
  {
    name: 'CUU and CUD stop at the margins from inside, and pass them from outside',
    send: `${CSI}2;4r${CSI}3;1H${CSI}9Aa${CSI}3;2H${CSI}9Bb${CSI}6;3H${CSI}9Ac`,
    screen: ['', 'a c', '', ' b'],
  },
  {
    name: 'line feeds scroll the margins only',
    send: `${ROWS}${CSI}2;4r${CSI}4;1H\n\nx`,
    screen: ['aa', 'dd', '', 'x', 'ee', 'ff'],
  },
  {
    name: 'RI at the top margin scrolls down',
    send: `${ROWS}${CSI}2;4r${CSI}2;1H\x1bMx`,
    screen: ['aa', 'x', 'bb', 'cc', 'ee', 'ff'],
  },
  { name: 'NEL, IND and HTS', send: `ab\x1bEcd\x1bDef`, screen: ['ab', 'cd', '  ef'] },
  {
    name: 'a character in the last column does not wrap before the next one',
    send: `${CSI}1;19Hxy${CSI}K${CSI}Hz`,
    screen: ['z                 xy'],
  },
  {
    name: 'without autowrap the last column is written over',
    send: `${CSI}?7l${CSI}1;19Habcd`,
    screen: ['                  ad'],
  },
  {
    name: 'BS at a pending wrap goes one left of the last column',
    send: `${CSI}1;19Hab\bX`,
    screen: ['                  Xb'],
  },
  // Saving: VT510 manual, DECSC.
  {
    name: 'DECRC goes back to the row of the screen, however much was scrolled',
    send: `${CSI}3;5H\x1b7${CSI}6;1H\n\n\x1b8x`,
    screen: ['', '', '    x'],
  },
  {
    name: 'DECRC brings back attributes, character set and origin mode',
    send: `${CSI}2;5r${CSI}?6h\x1b(0\x1b7\x1b(B${CSI}?6l${CSI}H\x1b8${CSI}Hq`,
    screen: ['', '─'],
  },
  { name: 'DECRC with nothing saved goes home', send: `${CSI}4;4H\x1b8x`, screen: ['x'] },
  {
    name: 'each screen has a saved cursor of its own',
    send: `${CSI}2;2H\x1b7${CSI}?47h${CSI}5;5H\x1b7${CSI}?47l\x1b8m`,
    screen: ['', ' m'],
  },
  {
    name: 'the alternate screen leaves the text under it as it was, wrap and all',
    send: `${CSI}1;17Habcd${CSI}?1049h${CSI}Hzzz${CSI}?1049le`,
    screen: ['                abcd', 'e'],
  },
  // Erasing, inserting, deleting: ECMA-48.
  {
    name: 'ED 1 erases to the cursor, the last cell of the screen too',
    send: `${ROWS}${CSI}6;20Hx${CSI}1Jy`,
    screen: ['', '', '', '', '', '                   y'],
  },
  {
    name: 'ICH, DCH and ECH',
    send: `abcdef${CSI}3G${CSI}2@${CSI}6G${CSI}P${CSI}1G${CSI}X`,
    screen: [' b  cef'],
  },
  {
    name: 'IL and DL keep to the margins',
    send: `${ROWS}${CSI}2;5r${CSI}3;1H${CSI}L${CSI}2;1H${CSI}M`,
    screen: ['aa', '', 'cc', 'dd', '', 'ff'],
  },
  { name: 'SU and SD', send: `${ROWS}${CSI}2S${CSI}T`, screen: ['', 'cc', 'dd', 'ee', 'ff'] },
  { name: 'SU within margins', send: `${ROWS}${CSI}2;4r${CSI}S`, screen: ['aa', 'cc', 'dd', '', 'ee', 'ff'] },
  { name: 'insert mode pushes to the right', send: `abc${CSI}2G${CSI}4hXY${CSI}4lZ`, screen: ['aXYZc'] },
  {
    name: 'REP repeats what was printed last, wrapping',
    send: `${CSI}1;18Hx${CSI}4b`,
    screen: ['                 xxx', 'xx'],
  },
  // Protection: VT510 manual, DECSCA, DECSED, DECSEL, DECSERA.
  { name: 'DECSED leaves protected characters', send: `a${CSI}1"qb${CSI}0"qc${CSI}?2J`, screen: [' b'] },
  { name: 'DECSEL leaves protected characters', send: `a${CSI}1"qb${CSI}2"qcd${CSI}?1K`, screen: [' b'] },
  {
    name: 'SGR 0 does not end protection',
    send: `${CSI}1"q${CSI}1ma${CSI}mb${CSI}0"qc${CSI}?2J`,
    screen: ['ab'],
  },
  { name: 'ED and ECH take protected characters too', send: `${CSI}1"qab${CSI}H${CSI}X`, screen: [' b'] },
  { name: 'DECSTR ends protection', send: `${CSI}1"qa${CSI}!pb${CSI}?2J`, screen: ['a'] },
  // Rectangles: VT510 manual.
  { name: 'DECFRA fills', send: `${CSI}35;2;2;3;4$x`, screen: ['', ' ###', ' ###'] },
  { name: 'DECERA erases', send: `${CSI}69;1;1;3;5$x${CSI}2;2;2;4$z`, screen: ['EEEEE', 'E   E', 'EEEEE'] },
  {
    name: 'DECSERA leaves protected characters',
    send: `a${CSI}1"qb${CSI}"qc${CSI}1;1;1;3\${`,
    screen: [' b'],
  },
  { name: 'DECCRA copies over itself', send: `abcdef${CSI}1;1;1;4;1;1;2;1$v`, screen: ['aabcdf'] },
  {
    name: 'DECCRA copies down over itself',
    send: `ab\r\ncd\r\nef${CSI}1;1;2;2;1;2;1;1$v`,
    screen: ['ab', 'ab', 'cd'],
  },
  {
    name: 'a rectangle in origin mode counts from the margin',
    send: `${CSI}3;5r${CSI}?6h${CSI}42;1;1;1;3$x`,
    screen: ['', '', '***'],
  },
  { name: 'a rectangle upside down is none', send: `ab${CSI}35;3;3;1;1$x`, screen: ['ab'] },
  // Tabs: VT100 manual; DECST8C of VT510.
  {
    name: 'tab stops every eight columns, set, cleared and set again',
    send: `\ta\r${CSI}5G\x1bH\r\tb\r${CSI}3g\tc${CSI}?5W\r\n\td`,
    screen: ['    b   a          c', '        d'],
  },
  {
    name: 'CBT from a pending wrap goes to the stop before',
    send: `${CSI}1;20Hx${CSI}Zy`,
    screen: ['                y  x'],
  },
  // Whole screen: VT510 manual.
  {
    name: 'DECALN fills, takes margins away and goes home',
    send: `${CSI}2;3r${CSI}2;2H\x1b#8x\r${CSI}6;1H\ny`,
    rows: 3,
    cols: 4,
    screen: ['EEEE', 'EEEE', 'y'],
  },
  {
    name: 'DECCOLM empties the screen, takes margins away and goes home',
    send: `${ROWS}${CSI}2;3r${CSI}?3hx${CSI}6;1Hy${CSI}?3l${CSI}2;2Hz`,
    screen: ['', ' z'],
  },
  {
    name: 'DECBI and DECFI move the text at an edge',
    send: `abc${CSI}H\x1b6x${CSI}1;20H\x1b9y`,
    screen: ['abc                y'],
  },
  // Characters: VT100 manual (special graphics), UAX #11, UAX #29.
  { name: 'special graphics', send: '\x1b(0lqk_x\x1b(Bx', screen: ['┌─┐ │x'] },
  { name: 'G1 by SO and SI', send: '\x1b)0a\x0eq\x0fq', screen: ['a─q'] },
  { name: 'a wide character that does not fit wraps whole', send: `${CSI}1;20H漢x`, screen: ['', '漢x'] },
  {
    name: 'half of a wide character written over blanks the other',
    send: `漢字${CSI}2Gx${CSI}3Gy`,
    screen: [' xy'],
  },
  {
    name: 'deleting half of a wide character blanks the other',
    send: `漢字${CSI}2G${CSI}P`,
    screen: [' 字'],
  },
  {
    name: 'clusters take the cells of one character',
    send: '👩‍👩‍👧|🇳🇴|1️⃣|❤️|é|한|',
    screen: ['👩‍👩‍👧|🇳🇴|1️⃣|❤️|é|한|'],
    cursor: [1, 18],
  },
  { name: 'a cluster that grows at the edge wraps whole', send: `${CSI}1;20H❤\ufe0fx`, screen: ['', '❤️x'] },
  // Strings: ECMA-48.
  {
    name: 'strings that nobody knows leave nothing',
    send: 'a\x1b]7501;x\x07b\x1bPzz\x1b\\c\x1b^p\x1b\\d\x1b_q\x1b\\e\x1bXs\x1b\\f',
    screen: ['abcdef'],
  },
  { name: 'CAN and SUB end a sequence', send: `a${CSI}3\x18b${CSI}3\x1ac`, screen: ['abc'] },
  { name: 'controls inside a sequence act at once', send: `ab${CSI}\r1Cc`, screen: ['ac'] },
  {
    name: 'C1 controls in UTF-8 are controls',
    send: `ab\u0085c\u009b1Ad`,
    screen: ['ad', 'c'],
  },
];
