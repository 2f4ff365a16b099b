import { byId } from './elements.js';

/** @type {Map<string, string>} */
const drawn = new Map();

/**
 * Redraws a part only if its key has changed, so that it keeps its focus and open notes otherwise.
 * @param {string} id
 * @param {string} key
 * @param {() => readonly Node[]} draw
 */
export function redraw(id, key, draw) {
  if (drawn.get(id) === key) return;
  drawn.set(id, key);
  byId(id).replaceChildren(...draw());
}
