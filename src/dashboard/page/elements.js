/**
 * @typedef {string | number | Node | null} Child A string becomes a text node, so nothing from a run becomes markup.
 */

/**
 * An HTML element.
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {...Child} children
 */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {...Child} children
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/**
 * The page's element with that id.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

/**
 * Sets an element's text if it has changed, so that nothing is drawn or read aloud again.
 * @param {string} id
 * @param {string} text
 */
export function setText(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A word with a sign, so that it does not need colour.
 * @param {string} word
 * @param {string} [label]
 */
export function badge(word, label = word.replace('-', ' ')) {
  return html('span', { class: `badge ${word}` }, `${signs[word] ?? '–'} ${label}`);
}

/** @type {Readonly<Record<string, string>>} */
const signs = {
  pass: '✓',
  met: '✓',
  undone: '✓',
  fail: '✗',
  'not-met': '✗',
  error: '✗',
  failed: '✗',
  inconclusive: '?',
  warning: '!',
  running: '▶',
  live: '●',
  verified: '✓',
  updated: '✓',
  unchanged: '=',
  bad: '✗',
  'rolled-back': '↩',
  'rolled-back-unhealthy': '✗',
  'rollback-failed': '✗',
  aborted: '!',
  killed: '!',
  silent: '!',
  unreadable: '!',
  open: '◐',
};

/**
 * @template {Element} E
 * @param {E} element
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {readonly Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) if (child !== null) element.append(child instanceof Node ? child : String(child));
  return element;
}
