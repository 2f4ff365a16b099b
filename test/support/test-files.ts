import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A test file, with what its text and that of its test support says about running it. Paths are from the root. */
export interface TestFile {
  readonly path: string;
  /**
   * It can share a process with others: it starts no program, opens no port, waits for no timer and sets nothing of its
   * process.
   */
  readonly isPure: boolean;
  /** It plays for long on an embedded cluster: a whole procedure, or a recorded timeline with many seeds. */
  readonly rehearses: boolean;
  /** Words in quotes: among them the programs that it needs. */
  readonly words: ReadonlySet<string>;
}

const ownProcess = [
  /from 'node:(child_process|cluster|dgram|http|http2|https|net|tls)'/,
  /\bnew Worker\(/,
  /\bset(Timeout|Interval|Immediate)\(/,
  /\bprocess\.(argv|chdir|exit|exitCode|kill|umask)\b/,
  /\bprocess\.env\.?\S* = /,
  // What the embedded cluster serves on real sockets, its virtual clock would see in the next test.
  /from '[^']*\/listen\/[^']*'/,
  /\.listen\(/,
];

/**
 * All tests of the parts, such as `deployment`, `validation/judge`, `embedded-cluster` or a file; of everything, if
 * none is named.
 */
export function testFiles(parts: readonly string[]): readonly TestFile[] {
  const paths = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  return paths
    .filter((path) => parts.length === 0 || parts.some((part) => isIn(path, part)))
    .toSorted()
    .map(testFile);
}

/** `test/deployment/…` and `packages/embedded-cluster/test/…` are of the parts `deployment` and `embedded-cluster`. */
function isIn(path: string, part: string): boolean {
  const names = [path, path.replace(/^test\//, ''), path.replace(/^packages\/([^/]+)\/test\//, '$1/')];
  return names.some((name) => name === part || name.startsWith(`${part.replace(/\/$/, '')}/`));
}

/** What one part is called in the output: `deployment`. */
export function partOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'packages' || (first === 'test' && !second.endsWith('.ts')) ? second : first;
}

function testFile(path: string): TestFile {
  const texts = [...withSupport(path)].map(textOf);
  const isPure = !texts.some((text) => ownProcess.some((pattern) => pattern.test(text)));
  const rehearses = texts.some((text) => /\b(rehearsalHost|played)\(/.test(text));
  const words = new Set(
    texts.flatMap((text) => [...text.matchAll(/['"]([\w./-]+)['"]/g)].map(([, word = '']) => word)),
  );
  return { path, isPure, rehearses, words };
}

/** The file and what it imports of other tests and their support. */
function withSupport(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, specifier = ''] of textOf(path).matchAll(/^(?:import|export) (?!type)[^'"]*?'(\.[^']+)';$/gm)) {
    const imported = relative(root, join(root, dirname(path), specifier));
    if (/(^|\/)test\//.test(imported) && imported.endsWith('.ts')) withSupport(imported, seen);
  }
  return seen;
}

const texts = new Map<string, string>();
function textOf(path: string): string {
  const whole = join(root, path);
  const text = texts.get(path) ?? (existsSync(whole) ? readFileSync(whole, 'utf8') : '');
  texts.set(path, text);
  return text;
}
