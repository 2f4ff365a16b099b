import type { Observed } from '../record/observed.ts';

/** Passes on what is not the same as the last one of its source. */
export function onlyNew<O extends Observed>(
  see: (observed: O) => void,
  textOf: (observed: O) => string,
  sourceOf: (observed: O) => string = () => '',
): (observed: O) => void {
  const told = new Map<string, string>();
  return (observed) => {
    const [source, text] = [sourceOf(observed), textOf(observed)];
    if (told.get(source) !== text) see(observed);
    told.set(source, text);
  };
}
