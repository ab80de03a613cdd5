/** Draws lines on two logarithmic axes as SVG: what grows as its input does is a straight line beside the dashed one. */

export interface Line {
  name: string;
  points: readonly { x: number; y: number }[];
}

export interface Plot {
  title: string;
  x: string;
  y: string;
  lines: readonly Line[];
}

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 70;
const RIGHT = 170;
const TOP = 50;
const BOTTOM = 50;
const COLOURS = ['#0b62a4', '#c2410c', '#15803d', '#7c3aed', '#be123c', '#0e7490', '#a16207', '#475569'];
const LABEL_HEIGHT = 15;

interface Scale {
  place: (value: number) => number;
  ticks: number[];
}

export function drawPlot({ title, x, y, lines }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const xScale = scaleOf(
    points.map((point) => point.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const heights = points.map((point) => point.y);
  const ground = 2 ** Math.floor(Math.log2(Math.min(...heights)));
  const yScale = scaleOf([ground, ...heights], HEIGHT - BOTTOM, TOP);
  const labels = labelHeights(lines.map((line) => yScale.place(line.points.at(-1)?.y ?? 1)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 24, title, 'font-size="15" font-weight="bold"'),
    ...xScale.ticks.map(
      (tick) => vertical(xScale.place(tick)) + text(xScale.place(tick), HEIGHT - 32, label(tick), CENTRE),
    ),
    ...yScale.ticks.map(
      (tick) => horizontal(yScale.place(tick)) + text(LEFT - 8, yScale.place(tick) + 4, label(tick), END),
    ),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, CENTRE),
    text(LEFT - 8, TOP - 12, y, END),
    guide(points, xScale, yScale),
    ...lines.map((line, index) => drawLine(line, index, xScale, yScale)),
    ...lines.map(({ name }, index) => text(WIDTH - RIGHT + 10, labels[index] ?? 0, name, `fill="${colour(index)}"`)),
    '</svg>\n',
  ].join('\n');
}

const CENTRE = 'text-anchor="middle"';
const END = 'text-anchor="end"';

/** Powers of two along the input, which is doubled; along time too, so that both axes read alike. */
function scaleOf(values: readonly number[], from: number, to: number): Scale {
  const low = Math.log2(Math.min(...values));
  const high = Math.log2(Math.max(...values));
  const place = (value: number): number => from + ((Math.log2(value) - low) / (high - low || 1)) * (to - from);
  const steps = Math.floor(high - low + 1e-9);
  return { place, ticks: Array.from({ length: steps + 1 }, (_, step) => 2 ** (low + step)) };
}

/** Slope one, from the lowest first point. */
function guide(points: Line['points'], xScale: Scale, yScale: Scale): string {
  const x = Math.min(...points.map((point) => point.x));
  const y = Math.min(...points.filter((point) => point.x === x).map((point) => point.y));
  const factor = Math.min(
    Math.max(...points.map((point) => point.x)) / x,
    Math.max(...points.map((point) => point.y)) / y,
  );
  return path(
    [
      { x, y },
      { x: x * factor, y: y * factor },
    ],
    xScale,
    yScale,
    'stroke="#9ca3af" stroke-dasharray="5 4"',
  );
}

function drawLine({ points }: Line, index: number, xScale: Scale, yScale: Scale): string {
  const dots = points.map(
    ({ x, y }) =>
      `<circle cx="${fixed(xScale.place(x))}" cy="${fixed(yScale.place(y))}" r="3" fill="${colour(index)}"/>`,
  );
  return path(points, xScale, yScale, `stroke="${colour(index)}" stroke-width="2"`) + dots.join('');
}

function path(points: Line['points'], xScale: Scale, yScale: Scale, style: string): string {
  const places = points.map(({ x, y }) => `${fixed(xScale.place(x))},${fixed(yScale.place(y))}`);
  return `<polyline points="${places.join(' ')}" fill="none" ${style}/>`;
}

/** Beside the ends of their lines, moved down where two would overlap. */
function labelHeights(ends: readonly number[]): number[] {
  const heights: number[] = [];
  let free = TOP;
  for (const index of [...ends.keys()].sort((one, other) => (ends[one] ?? 0) - (ends[other] ?? 0))) {
    heights[index] = Math.max(free, (ends[index] ?? 0) + 4);
    free = heights[index] + LABEL_HEIGHT;
  }
  return heights;
}

function vertical(x: number): string {
  return `<line x1="${fixed(x)}" x2="${fixed(x)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#e5e7eb"/>`;
}

function horizontal(y: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y)}" y2="${fixed(y)}" stroke="#e5e7eb"/>`;
}

function text(x: number, y: number, words: string, style: string): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${style}>${escaped}</text>`;
}

function label(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(3))) : String(Math.round(value));
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '#000000';
}
