import { renderedTemplate } from './to-be-rendered.ts';

/** Why a file is no text of UTF-8, as a sentence. */
export function notText(path: string, text: string): string | undefined {
  const isUtf16 = /^\uFFFD\uFFFD|^([^\0]\0){4}/.test(text);
  if (!isUtf16 && isBinary(text)) return `${path} is not text: name a file of YAML or JSON.`;
  const at = isUtf16 ? 0 : text.indexOf(replacementCharacter);
  if (at === -1) return undefined;
  return `${path}:${lineAt(text, at)}: it is not UTF-8 (> of Windows PowerShell writes UTF-16): save it as UTF-8.`;
}

/** What a decoder writes for bytes that are not UTF-8. */
const replacementCharacter = '\uFFFD';

/**
 * Whether it begins as a picture or an archive does, or has a control character that no text has: all but tab, line
 * ends and escape.
 */
const isBinary = (text: string): boolean =>
  /^(\uFFFDPNG|%PDF|GIF8|PK\W)/.test(text) || text.match(/\p{Cc}/gu)?.some((one) => !textControls.has(one)) === true;

const textControls = new Set(['\t', '\n', '\v', '\f', '\r', '\u001B', '\u007F']);

export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/**
 * An action of Go's text/template as charts have them. Manifests may have it in a text, so that it counts only in what
 * cannot be read.
 */
const anyAction = /\{\{-?\s*(\.|\$|\(|\/\*|(end|else)\b|[a-zA-Z]\w*\s+[^|\s}])/;
/** An action that only a chart has, because it names what Helm gives it. */
const chartAction =
  /\{\{[^{}\n]*(?:[\s(.]|\{)\.(?:Values|Release|Chart|Files|Capabilities|Template)\b|\{\{-?\s*include\s/g;

/** Text that stands in the file as it is: a block scalar's, from offset to offset. */
export type Verbatim = readonly [from: number, to: number];

/**
 * Why a text with the actions of a template is none that an API server reads, as a sentence; `isRead`: all of it is
 * YAML, and no field is named by an object.
 */
export function templateMistake(
  path: string,
  text: string,
  { isRead, verbatim }: { readonly isRead: boolean; readonly verbatim: readonly Verbatim[] },
): string | undefined {
  const index = isRead
    ? (text
        .matchAll(chartAction)
        .find(({ index: at }) => !isComment(text, at) && !verbatim.some(([from, to]) => from <= at && at < to))
        ?.index ?? -1)
    : text.search(anyAction);
  return index === -1
    ? undefined
    : `${path}:${lineAt(text, index)}: it is a template of Helm: ${renderedTemplate(path)}`;
}

const isComment = (text: string, at: number): boolean => /(^|\s)#/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));
