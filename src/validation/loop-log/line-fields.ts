import { type DatedText, type DateForm, dateText } from './date-text.ts';
import { type Meaning, meaningOf, secondsOf, unitOfLabel } from './labels.ts';

/** One column of a line. */
export interface Field {
  readonly kind: 'time' | 'number' | 'word';
  /** Without the brackets and the quotation marks around it. */
  readonly text: string;
  /** What a word before it, or the name of its column, says. */
  readonly meaning?: Meaning | undefined;
  /** Of a number; NaN of all else. */
  readonly value: number;
  /** Of a number: how many stand behind its point. */
  readonly decimals: number;
  /** Seconds in its unit, where it has one; NaN for a unit of something else. */
  readonly unit?: number | undefined;
}

export interface LineFields {
  /** The first time of the line. */
  readonly date: DatedText | undefined;
  readonly fields: readonly Field[];
}

/**
 * Splits a line of any script into its columns: at blanks, commas, semicolons and bars, labels taken off (`code=200`,
 * `Time: 0.012 s`). JSON is read by its names.
 */
export function lineFields(line: string, form: DateForm = {}): LineFields {
  const text = line.includes('{') ? flattened(line) : line;
  const place = datePlace(text, form);
  if (place === undefined) return { date: undefined, fields: fieldsIn(text) };
  const { date, before } = place;
  return { date, fields: [...fieldsIn(before), timeField, ...fieldsIn(date.rest)] };
}

const timeField: Field = { kind: 'time', text: '', value: Number.NaN, decimals: 0 };

/** Where a date may begin. */
const dateBegins =
  /(?<=^|[\s,;|"'[(=:])(?=\d{4}|\d\d?[/.-]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b)/g;

/** The first date of a line, and what stands before it. */
function datePlace(text: string, form: DateForm): { readonly date: DatedText; readonly before: string } | undefined {
  const first = dateText(text, form);
  if (first !== undefined) return { date: first, before: '' };
  for (const { index } of text.matchAll(dateBegins)) {
    const date = dateText(text.slice(index), form);
    if (date !== undefined) return { date, before: text.slice(0, index) };
  }
  return undefined;
}

/** A line that ends with a JSON object, as words `name=value`; any other as it is. */
function flattened(line: string): string {
  const begin = line.indexOf('{"');
  if (begin < 0 || !line.trimEnd().endsWith('}')) return line;
  try {
    return `${line.slice(0, begin)} ${pairsOf(JSON.parse(line.slice(begin))).join(' ')}`;
  } catch {
    return line;
  }
}

function pairsOf(object: object): readonly string[] {
  return Object.entries(object).flatMap(([key, value]): readonly string[] => {
    if (value !== null && typeof value === 'object') return pairsOf(value);
    return [`${key}=${dateText(String(value)) === undefined ? String(value).replaceAll(/\s/g, '_') : value}`];
  });
}

/** `0,012` of a language whose decimal point is a comma; three digits before it are a status and the next column. */
const decimalComma = /(^|[\s;|=:"'])(\d{1,2}|\d{4,7}),(\d{1,9})(?=[\s;|"'a-zµ]|$)/g;

function fieldsIn(text: string): readonly Field[] {
  const fields: Field[] = [];
  let label = noLabel;
  const pointed = text.includes(',') ? text.replace(decimalComma, '$1$2.$3') : text;
  for (const token of pointed.split(/[\s,;|]+/)) {
    if (label === noLabel && isPlainNumber(token)) {
      fields.push(plainNumber(token));
      continue;
    }
    const bare = token.replace(/^["'([{<~≈]+/, '').replace(/["')\]}>.]+$|["']\/>$/, '');
    if (bare === '') continue;
    if (isUnitBehind(fields.at(-1), bare)) {
      fields.push(withUnit(fields.pop() as Field, bare));
      label = noLabel;
    } else label = take(fields, bare, label);
  }
  return fields;
}

const [zero, nine, point] = [48, 57, 46];

/**
 * Nothing but digits, with a point among them or none, as most columns are: they need no pattern, which a large log
 * would try millions of times.
 */
function isPlainNumber(token: string): boolean {
  let points = 0;
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index);
    if (code === point && index > 0 && index < token.length - 1) points += 1;
    else if (code < zero || code > nine) return false;
  }
  return token !== '' && points <= 1;
}

function plainNumber(text: string): Field {
  const at = text.indexOf('.');
  const decimals = at < 0 ? 0 : text.length - at - 1;
  return { kind: 'number', text, meaning: undefined, value: Number.parseFloat(text), decimals, unit: undefined };
}

/** Adds what the token holds, and returns the label of what comes next. */
function take(fields: Field[], token: string, label: Label): Label {
  const [, ended = ''] = /^(.*[^\d:=])["']?[:=]$/.exec(token) ?? [];
  const next = labelOf(ended);
  if (next.meaning !== undefined) return next;
  const pair = /^([A-Za-z][\w.%/()-]*)["']?([=:])["']?(?!\/\/)(.+)$/.exec(token);
  if (pair !== null) return takePair(fields, pair);
  for (const part of parted(token)) fields.push(fieldOf(part, label));
  return fields.at(-1)?.kind === 'word' ? labelOf(token) : noLabel;
}

/** `web-1:200` is a name and a status, `jobs=200` a number of something else. */
function takePair(fields: Field[], [, name = '', mark, rest = '']: RegExpExecArray): Label {
  const { meaning, unit } = labelOf(name);
  const isLabel = meaning !== undefined || mark === '=';
  if (!isLabel) fields.push(wordOf(name));
  const label = isLabel ? { meaning: meaning ?? ('unknown' as const), unit } : noLabel;
  for (const part of parted(rest)) fields.push(fieldOf(part, label));
  return noLabel;
}

/** What a word says of the number behind it. */
type Label = Pick<Field, 'meaning' | 'unit'>;
const noLabel: Label = {};
const labelOf = (word: string): Label => ({ meaning: meaningOf(word), unit: unitOfLabel(word) });

/** `200:0.012`, `200/0.012` and the like are two columns. */
function parted(token: string): readonly string[] {
  const [, status, time] = /^(\d{3})[:/_-](\d+\.\d+\D{0,2})$/.exec(token) ?? [];
  return status === undefined || time === undefined ? [token] : [status, time];
}

const numberPattern = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(e[+-]?\d+)?([a-zA-Zµμ%/]*)$/i;
/** `0m0.012s` of bash, `0:00:00.012` of Python, `00:00:00.0120000` of .NET, `PT0.012S`. */
const durationPattern =
  /^(?:(\d+)m(\d+(?:\.(\d+))?)s|0:(\d\d):(\d\d(?:\.(\d+))?)|00:(\d\d):(\d\d\.(\d+))|PT(?:(\d+)M)?(\d+(?:\.(\d+))?)S)$/;

function fieldOf(written: string, label: Label): Field {
  // Libraries say 0 where curl says 000.
  const text = label.meaning === 'status' && written === '0' ? '000' : written;
  const lasted = durationOf(text);
  if (lasted !== undefined) return { kind: 'number', text, meaning: label.meaning, ...lasted, unit: 1 };
  return numberOf(text, label) ?? wordOf(text);
}

function numberOf(text: string, label: Label): Field | undefined {
  const [whole, behindDigits, alone = '', exponent, unitText = ''] = numberPattern.exec(text) ?? [];
  const isOther = unitText !== '' && secondsOf(unitText) === undefined;
  if (whole === undefined || isOther) return undefined;
  const decimals = behindDigits ?? alone;
  return {
    kind: 'number',
    text,
    meaning: withoutDecimals(label.meaning, decimals),
    value: Number.parseFloat(text),
    decimals: exponent === undefined ? decimals.length : 9,
    unit: unitText === '' ? label.unit : secondsOf(unitText),
  };
}

/** A status has no decimals: the word before such a number is of something else, such as the version of HTTP. */
const withoutDecimals = (meaning: Meaning | undefined, decimals: string): Meaning | undefined =>
  meaning === 'status' && decimals !== '' ? undefined : meaning;

function durationOf(text: string): Pick<Field, 'value' | 'decimals'> | undefined {
  const found = durationPattern.exec(text)?.slice(1);
  if (found === undefined) return undefined;
  const first = [0, 3, 6, 9].find((group) => found[group + 1] !== undefined) ?? 0;
  const [minutes = '0', seconds, decimals = ''] = found.slice(first, first + 3);
  return { value: 60 * Number(minutes) + Number(seconds), decimals: decimals.length };
}

const wordOf = (text: string): Field => ({ kind: 'word', text, value: Number.NaN, decimals: 0 });

const isUnitBehind = (last: Field | undefined, word: string): boolean =>
  last?.kind === 'number' && last.unit === undefined && /^\D+$/.test(word) && secondsOf(word) !== undefined;

const withUnit = (field: Field, unit: string): Field => ({ ...field, unit: secondsOf(unit) });
