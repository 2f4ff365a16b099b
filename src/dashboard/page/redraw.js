import { byId } from './elements.js';

/** @type {Map<string, string>} */
const drawn = new Map();

/**
 * Draws a part anew when what it says has changed: else a focus or an open note would be lost at every moment.
 * @param {string} id
 * @param {string} key
 * @param {() => readonly Node[]} draw
 */
export function redraw(id, key, draw) {
  if (drawn.get(id) === key) return;
  drawn.set(id, key);
  byId(id).replaceChildren(...draw());
}
