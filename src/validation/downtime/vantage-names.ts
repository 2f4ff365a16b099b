const ending = /(\.log)?(\.(gz|zst))?$/;

/**
 * What the probers are called by the names of their logs: `frankfurt` for `logs/frankfurt.log`; the whole path where
 * two would be called the same.
 */
export function vantageNames(logs: readonly string[]): readonly string[] {
  const short = logs.map((log) =>
    log === '-' ? 'standard input' : (log.split('/').at(-1) ?? log).replace(ending, ''),
  );
  return logs.map((log, index) => {
    const name = short[index] ?? '';
    return name !== '' && short.indexOf(name) === short.lastIndexOf(name) ? name : log;
  });
}
