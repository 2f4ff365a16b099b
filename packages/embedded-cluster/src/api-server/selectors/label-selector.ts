import { formatCauses, formats, qualifiedNameCauses } from '../validation/formats.ts';

type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

/**
 * A label selector as text, such as `a=b,c!=d,e in (f,g),!h,i>1`, as a test; for invalid text the error message
 * (Kubernetes documentation, "Labels and Selectors"; the words are those of apimachinery, pkg/labels, Parser).
 */
export function labelSelector(text: string): LabelTest | string {
  const words: Words = { left: text.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? [] };
  const tests: LabelTest[] = [];
  try {
    while (words.left.length > 0) tests.push(nextRequirement(words));
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return (labels) => tests.every((test) => test(labels));
}

/** The text that is still to be read. */
interface Words {
  left: readonly string[];
}

class Unreadable extends Error {}

const isIdentifier = (word: string): boolean => word !== '' && !/^[=!<>(),]/.test(word);

function take(words: Words): string {
  const [first = '', ...rest] = words.left;
  words.left = rest;
  return first;
}

const ahead = ({ left }: Words): string => left[0] ?? '';

/** One requirement, and the comma after it. */
function nextRequirement(words: Words): LabelTest {
  const first = ahead(words);
  if (!isIdentifier(first) && first !== '!')
    throw new Unreadable(`found '${first}', expected: !, identifier, or 'end of string'`);
  const test = requirement(words);
  const after = take(words);
  if (after === '') return test;
  if (after !== ',') throw new Unreadable(`found '${after}', expected: ',' or 'end of string'`);
  if (!isIdentifier(ahead(words)) && ahead(words) !== '!')
    throw new Unreadable(`found '${ahead(words)}', expected: identifier after ','`);
  return test;
}

function requirement(words: Words): LabelTest {
  const isNegated = ahead(words) === '!' && take(words) === '!';
  const key = take(words);
  if (!isIdentifier(key)) throw wrong(`found '${key}', expected: identifier`);
  refuse(qualifiedNameCauses('<nil>', key));
  if (isNegated) return (labels) => labels[key] === undefined;
  if (ahead(words) === '' || ahead(words) === ',') return (labels) => labels[key] !== undefined;
  return comparison(words, key);
}

/** The operator after a key, with its values. */
function comparison(words: Words, key: string): LabelTest {
  const operator = take(words);
  const test = tests.get(operator);
  if (test === undefined) throw wrong(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  const values = operator.endsWith('in') ? listed(words) : exact(words);
  const causesOf = operator === '<' || operator === '>' ? orderCauses : formatCauses;
  for (const [index, value] of values.entries())
    refuse(causesOf(`values[${index}]${causesOf === formatCauses ? `[${key}]` : ''}`, value, formats.labelValue));
  return (labels) => test(labels[key], values);
}

const isOneOf = (label: string | undefined, values: readonly string[]) => label !== undefined && values.includes(label);
const isNoneOf = (label: string | undefined, values: readonly string[]) => !isOneOf(label, values);

type Test = (label: string | undefined, values: readonly string[]) => boolean;
const tests: ReadonlyMap<string, Test> = new Map(
  Object.entries<Test>({
    in: isOneOf,
    notin: isNoneOf,
    '=': isOneOf,
    '==': isOneOf,
    '!=': isNoneOf,
    '>': (label, [limit]) => isNumber(label) && Number(label) > Number(limit),
    '<': (label, [limit]) => isNumber(label) && Number(label) < Number(limit),
  }),
);

const isNumber = (label: string | undefined): boolean => label !== undefined && /^[-+]?[0-9]+$/.test(label);

function orderCauses(field: string, value: string): readonly { readonly field: string; readonly message: string }[] {
  const message = `Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`;
  return isNumber(value) ? [] : [{ field, message }];
}

/** The value after `=`; none is the empty one. */
function exact(words: Words): readonly string[] {
  if (ahead(words) === '' || ahead(words) === ',') return [''];
  const value = take(words);
  if (!isIdentifier(value)) throw wrong(`found '${value}', expected: identifier`);
  return [value];
}

/** The values in parentheses. */
function listed(words: Words): readonly string[] {
  const opening = take(words);
  if (opening !== '(') throw wrong(`found '${opening}' expected: '('`);
  if (ahead(words) === '') throw wrong("found '', expected: ',', ')' or identifier");
  const values: string[] = [];
  do values.push(isIdentifier(ahead(words)) ? take(words) : '');
  while (hasMore(words));
  return values;
}

/** Whether a comma, and not the end of the list, comes next. */
function hasMore(words: Words): boolean {
  const after = take(words);
  if (after === ')') return false;
  if (after !== ',') throw wrong(`found '${after}', expected: ',' or ')'`);
  if (ahead(words) === '') throw wrong("found '', expected: ',', or identifier");
  return true;
}

const wrong = (why: string): Unreadable => new Unreadable(`unable to parse requirement: ${why}`);

function refuse([first]: readonly { readonly field: string; readonly message: string }[]): void {
  if (first !== undefined) throw wrong(`${first.field}: ${first.message.replace(/ bytes$/, ' characters')}`);
}
