import type { Finding } from '../finding.ts';
import type { LogView } from './log-view.ts';

/** A monitor elsewhere may reach the application by another address, and may watch something else: that is for people to say. A curl loop's log names none. */
export function otherTarget({ target }: LogView, url: string): readonly Finding[] {
  if (!target || hrefOf(target) === hrefOf(url)) return [];
  return [
    {
      id: 'log-target',
      severity: 'warning',
      subject: 'downtime log',
      expected: `it is of ${url}`,
      observed: `the first address that its monitor watches is ${target}`,
      advice: 'nothing is wrong if that leads to the application too; else run again with the log of a monitor of it',
    },
  ];
}

const hrefOf = (url: string): string => URL.parse(url)?.href ?? url;
