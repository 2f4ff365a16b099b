import type { Observed } from '../record/observed.ts';

/** Passes an observation on only if its text differs from that of the last one of the same source. */
export function onlyChanges<O extends Observed>(
  onObserved: (observed: O) => void,
  textOf: (observed: O) => string,
  sourceOf: (observed: O) => string = () => '',
): (observed: O) => void {
  const latest = new Map<string, string>();
  return (observed) => {
    const [source, text] = [sourceOf(observed), textOf(observed)];
    if (latest.get(source) !== text) onObserved(observed);
    latest.set(source, text);
  };
}
