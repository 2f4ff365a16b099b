import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './exchanges.ts';
import type { Replayed } from './replay.ts';

/** The recorded requests that the embedded cluster answers otherwise: the number of each, with its causes. */
export interface Listed {
  /** What a cause means, by its name. */
  readonly causes: Readonly<Record<string, string>>;
  /** Names of causes, with a space between them, by the number of the request. */
  readonly requests: Readonly<Record<string, string>>;
}

const files: Readonly<Record<Recording, string>> = {
  cluster: join(import.meta.dirname, 'unlike.json'),
  alone: join(import.meta.dirname, 'unlike-alone.json'),
  further: join(import.meta.dirname, 'unlike-further.json'),
  infra: join(import.meta.dirname, 'unlike-infra.json'),
  blog: join(import.meta.dirname, 'unlike-blog.json'),
  forum: join(import.meta.dirname, 'unlike-forum.json'),
  wiki: join(import.meta.dirname, 'unlike-wiki.json'),
  fields: join(import.meta.dirname, 'unlike-fields.json'),
  desk: join(import.meta.dirname, 'unlike-desk.json'),
};

export function listed(recording: Recording = 'cluster'): Listed {
  return JSON.parse(readFileSync(files[recording], 'utf8')) as Listed;
}

/** Takes off the list the requests that are answered alike again, and the causes that no request has any more. */
export function shrink(replayed: readonly Replayed[], recording: Recording = 'cluster'): void {
  const { causes, requests } = listed(recording);
  const left = Object.entries(requests).filter(([number]) => (replayed[Number(number)]?.differences.length ?? 0) > 0);
  const used = new Set(left.flatMap(([, names]) => names.split(' ')));
  const shorter: Listed = {
    causes: Object.fromEntries(Object.entries(causes).filter(([name]) => used.has(name))),
    requests: Object.fromEntries(left),
  };
  writeFileSync(files[recording], `${JSON.stringify(shorter, undefined, 2)}\n`);
}

/** How many requests have each cause, and how many of them have no other. */
export function countsByCause({ causes, requests }: Listed): readonly string[] {
  const all = Object.values(requests).map((names) => names.split(' '));
  return Object.entries(causes).map(([name, meaning]) => {
    const having = all.filter((names) => names.includes(name));
    const alone = having.filter((names) => names.length === 1);
    return `${String(having.length).padStart(4)} ${String(alone.length).padStart(4)} alone  ${name}: ${meaning}`;
  });
}
