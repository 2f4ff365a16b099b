import type { Alias, Document, Node, Pair } from 'yaml';

/** The parser, which a command that reads no YAML does not load. */
type Yaml = Pick<typeof import('yaml'), 'isAlias' | 'isMap' | 'isScalar' | 'isSeq'>;

/**
 * What all aliases of a file may add to it: as many values as go-yaml, which kubectl reads with, unfolds before it
 * suspects them (decode.go, alias_ratio_range_low).
 */
export const mostUnfolded = 400_000;
/**
 * The parser compares each alias with all before it, so that their number is bounded too: 10,000 take 1.5 s, 60,000 30
 * s.
 */
const leastOfAlias = 40;
/**
 * The YAML parser's own bound lies near 900 levels and depends on the stack; 40 levels are deep for a
 * CustomResourceDefinition.
 */
export const deepest = 500;

/** Why a document cannot be unfolded to a plain value: a sentence, and the offset in the text where it is so. */
export interface Fault {
  readonly offset: number;
  readonly sentence: string;
}

interface Extent {
  readonly values: number;
  readonly levels: number;
}

/**
 * Its aliases that stand for nothing, for themselves or for too much, and values within too many others; the first of
 * them. `unfolded` counts over a file.
 */
export function unfoldingFault(yaml: Yaml, document: Document, unfolded: { values: number }): Fault | undefined {
  const anchors = new Map<string, Extent | 'open'>();
  let fault: Fault | undefined;
  return visit(document.contents, 1) === undefined ? fault : undefined;

  function stop(node: unknown, sentence: string): undefined {
    fault = { offset: Object(node).range?.[0] ?? 0, sentence };
  }

  /** Undefined: a fault was found. */
  function visit(node: unknown, depth: number): Extent | undefined {
    if (depth > deepest) return stop(node, tooDeep);
    if (yaml.isAlias(node)) return visitAlias(node, depth);
    const { anchor } = Object(node);
    if (anchor !== undefined) anchors.set(anchor, 'open');
    const extent = visitChildren(node, depth);
    if (anchor !== undefined && extent !== undefined) anchors.set(anchor, extent);
    return extent;
  }

  function visitChildren(node: unknown, depth: number): Extent | undefined {
    const wrong = mergeFault(yaml, document, node);
    if (wrong !== undefined) return stop(wrong, 'what << merges must be a map, or a list of maps');
    let [values, levels] = [1, 1];
    for (const child of childrenOf(yaml, node)) {
      const inner = visit(child, depth + 1);
      if (inner === undefined) return undefined;
      values += inner.values;
      levels = Math.max(levels, inner.levels + 1);
    }
    return { values, levels };
  }

  function visitAlias(alias: Alias, depth: number): Extent | undefined {
    const name = alias.source;
    const extent = anchors.get(name);
    if (extent === undefined)
      return stop(
        alias,
        `no anchor &${name} stands before *${name} in this document: write the anchor first, or put text that begins with * in quotes`,
      );
    if (extent === 'open') return stop(alias, `*${name} stands within its own anchor: write the value itself`);
    unfolded.values += Math.max(extent.values, leastOfAlias);
    if (unfolded.values > mostUnfolded) return stop(alias, tooMuch);
    return depth + extent.levels - 1 > deepest ? stop(alias, tooDeep) : extent;
  }
}

const tooMuch = `this file has more than ${mostUnfolded / leastOfAlias} aliases, or they unfold to more than ${mostUnfolded} values: write them out, or in several files`;
export const tooDeep = `it stands within more than ${deepest} others: write it flatter`;

/** The nodes right within a node. */
export function childrenOf(yaml: Yaml, node: unknown): readonly unknown[] {
  if (yaml.isSeq(node)) return node.items;
  return yaml.isMap(node) ? node.items.flatMap(({ key, value }: Pair) => [key, value]) : [];
}

/** The first source of a merge (`<<`) that is no map. */
function mergeFault(yaml: Yaml, document: Document, node: unknown): Node | undefined {
  if (!yaml.isMap(node)) return undefined;
  const resolved = (one: unknown) => (yaml.isAlias(one) ? one.resolve(document) : one);
  for (const { key, value } of node.items) {
    const isMerge = yaml.isScalar(key) && typeof key.value === 'symbol';
    const source = isMerge ? resolved(value) : undefined;
    const sources: readonly unknown[] = yaml.isSeq(source) ? source.items.map(resolved) : [source];
    if (isMerge && !sources.every((one) => one === undefined || yaml.isMap(one))) return value as Node;
  }
  return undefined;
}
