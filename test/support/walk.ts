import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The fenced blocks of a walk, each as its lines. */
function blocksOf(page: string): readonly (readonly string[])[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trimEnd().split('\n'));
}

export interface Typed {
  readonly command: string;
  /** What the page shows below it; `…` stands for lines that it leaves out. */
  readonly shown: readonly string[];
}

/** What a reader types after `$`, with what the page shows; a block without `$` is typed whole, and shows nothing. */
function typedIn(block: readonly string[]): readonly Typed[] {
  if (!block.some((line) => line.startsWith('$ '))) return [{ command: block.join('\n'), shown: [] }];
  const typed: { command: string; shown: string[] }[] = [];
  for (const line of block) {
    if (line.startsWith('$ ')) typed.push({ command: line.slice(2), shown: [] });
    else typed.at(-1)?.shown.push(line);
  }
  return typed;
}

/** All that a reader of this page types, in its order. */
export function walkOf(page: string): readonly Typed[] {
  return blocksOf(page).flatMap(typedIn);
}

/** What differs from machine to machine and from run to run is one word of each kind. */
function normal(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\b[0-9a-f]{7}\b/g, 'SHORT')
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/\/\S*\/holdfast-try/g, 'TRY')
    .replaceAll(/(?<=: )(?:\d+ ms|\d+(?:\.\d+)? s)$/gm, 'SECONDS')
    .replaceAll(/(?<=, by )\S+$/gm, 'USER')
    .replaceAll(/\d+ MiB/g, 'MIB')
    .replaceAll(/(?<=program +)\/\S+/g, 'PROGRAM');
}

/** The lines that are shown come in this order in what was printed. */
export function comesIn(shown: readonly string[], printed: string, command: string): void {
  const lines = normal(printed).split('\n');
  let from = 0;
  for (const line of shown.filter((one) => one.trim() !== '' && one.trim() !== '…')) {
    const at = lines.indexOf(normal(line), from);
    assert.ok(at >= 0, `${command}\nshows “${line}”, and printed was\n${printed}`);
    from = at + 1;
  }
}

const isLog = ({ command }: Typed) => command.startsWith('=====');

/** A bash script that types “A first deploy” with its server at this port, without the lines that `isLeftOut` names. */
export function firstDeployScript(port: number, isLeftOut: (typed: Typed) => boolean = () => false): string {
  const marked = walkOf('docs/first-deploy.md')
    .filter((one) => !isLog(one) && !one.command.startsWith('kill '))
    .map((one) => `echo; echo '#next'\n${isLeftOut(one) ? '' : one.command.replaceAll('8765', String(port))}`);
  const ready = `for i in $(seq 50); do curl -s http://127.0.0.1:${port}/ > /dev/null && break; sleep 0.1; done`;
  return ['shopt -s expand_aliases; set -m; exec 2>&1', ...marked, 'cat deploy.log; kill %1']
    .join('\n')
    .replace(/^(python3 -m http\.server.*)$/m, `$1\n${ready}`);
}

/** Demands that what this script printed is what the page shows. */
export function showsFirstDeploy(printed: string): void {
  const typed = walkOf('docs/first-deploy.md');
  const parts = printed.split('#next\n').slice(1);
  for (const [index, { command, shown }] of typed.filter((one) => !isLog(one)).entries())
    comesIn(shown, parts[index] ?? '', command);
  for (const { command } of typed.filter(isLog)) comesIn(command.split('\n'), parts.at(-1) ?? '', 'cat deploy.log');
}
