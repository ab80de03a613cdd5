/** Where a command tells what it sees: text that stays, and below it, on a terminal, a board that is drawn over. NO_COLOR is honoured. */
import { styleText } from 'node:util';
import { printable } from './log.ts';
import { writeStdout } from './output.ts';

export type Tone = 'green' | 'yellow' | 'red' | 'cyan' | 'bold' | 'dim';

export interface Span {
  text: string;
  tone?: Tone | undefined;
}

/** One line of the terminal. */
export type Line = readonly Span[];

export interface Screen {
  /** A board can be drawn over. */
  readonly isInteractive: boolean;
  /** Lines that a board may have, so that it can be drawn over. */
  readonly tallest: number;
  /** Text that stays, behind `lead`, wrapped between words; further lines begin where what follows the first of `lead` does. */
  say(text: string, lead?: Line): void;
  /** Takes the place of the last board. */
  draw(board: readonly Line[]): void;
  /** The board stays as it is. */
  keep(): void;
}

const WIDEST = 110;
const TALLEST_BOARD = 18;
const NARROWEST_BOARD = 60;
const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}F\u001b[J`;

export function createScreen(): Screen {
  const { stdout } = process;
  const width = (): number => Math.min(stdout.isTTY ? stdout.columns : WIDEST, WIDEST);
  let board: readonly Line[] = [];
  const erasing = (): string => (board.length === 0 ? '' : UP_AND_CLEAR(board.length));
  return {
    get tallest() {
      return stdout.isTTY ? stdout.rows - 1 : Infinity;
    },
    isInteractive:
      stdout.isTTY && process.env.TERM !== 'dumb' && stdout.rows > TALLEST_BOARD && width() >= NARROWEST_BOARD,
    say(text, lead = []) {
      void writeStdout(`${erasing()}${paragraph(text, lead, width())}${drawn(board, width())}`);
    },
    draw(next) {
      const over = erasing();
      board = next;
      void writeStdout(`${over}${drawn(board, width())}`);
    },
    keep() {
      board = [];
    },
  };
}

function drawn(board: readonly Line[], width: number): string {
  return board.map((line) => `${fitting(line, width).map(paint).join('')}\n`).join('');
}

function paint({ text, tone }: Span): string {
  return tone === undefined ? printable(text) : styleText(tone, printable(text), { stream: process.stdout });
}

/** A line that wraps could not be drawn over. */
function fitting(line: Line, width: number): Span[] {
  let left = width - 1;
  return line.map(({ text, tone }) => {
    const cut = text.length <= left ? text : `${text.slice(0, Math.max(0, left - 1))}${left > 0 ? '…' : ''}`;
    left -= cut.length;
    return { text: cut, tone };
  });
}

function paragraph(text: string, lead: Line, width: number): string {
  const spans = lead.map(({ text: word, tone }) => ({ text: `${word}  `, tone }));
  const indent = ' '.repeat(spans[0]?.text.length ?? /^ */.exec(text)?.[0].length ?? 0);
  const start = spans.length === 0 ? indent : spans.map(paint).join('');
  const taken = spans.slice(1).reduce((sum, span) => sum + span.text.length, 0);
  const lines = wrapped(text.trim(), width - 1 - indent.length, taken);
  return lines.map((line, index) => `${index === 0 ? start : indent}${printable(line)}\n`).join('');
}

/** Lines of at most `width` where words allow it; the first one is shorter by `taken`. */
function wrapped(text: string, width: number, taken: number): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    const room = width - (lines.length === 1 ? taken : 0);
    if (last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
