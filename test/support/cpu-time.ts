import { appendFileSync, readFileSync } from 'node:fs';

/** CPU of this process and of all that it has waited for, in seconds; 0 where there is no /proc. */
export function cpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    // utime, stime, cutime and cstime (proc_pid_stat(5)), in ticks of 10 ms.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

// `test/run.ts` starts each process of tests with this module, and reads there what it took.
const list = process.env.TEST_CPU_LIST;
if (list !== undefined)
  process.once('exit', () => appendFileSync(list, `${cpuSeconds().toFixed(1)} ${process.argv[1] ?? ''}\n`));
