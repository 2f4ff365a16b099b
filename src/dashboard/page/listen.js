import { byId, setText } from './elements.js';

/**
 * Takes what the dashboard sends of one kind of event, which has the members that are new or changed. The browser
 * reconnects by itself; the first event of a connection has all members.
 * @template T
 * @param {string} address
 * @param {string} name
 * @param {(whole: T, changes: Partial<T>) => void} take
 */
export function listen(address, name, take) {
  /** @type {EventSource | undefined} */
  let source;
  let isOver = false;
  /** @type {T | undefined} */
  let whole;
  const open = () => {
    source = new EventSource(address);
    source.addEventListener('waiting', ({ data }) => wait(`Nothing to show: ${JSON.parse(data).because}`));
    source.addEventListener(name, ({ data }) => {
      const changes = JSON.parse(data);
      whole = /** @type {T} */ ({ ...whole, ...changes });
      byId('waiting').hidden = true;
      byId('content').hidden = false;
      take(whole, changes);
    });
    source.addEventListener('end', () => {
      isOver = true;
      source?.close();
    });
    source.addEventListener('error', () => wait('The dashboard does not answer; this page shows its last state.'));
  };
  open();
  // A browser has six connections to a server: a page that nobody sees keeps none of them.
  document.addEventListener('visibilitychange', () => {
    source?.close();
    if (!isOver && !document.hidden) open();
  });
}

/** @param {string} words */
function wait(words) {
  byId('waiting').hidden = false;
  setText('waiting', words);
}
