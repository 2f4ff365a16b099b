import type { Appender, Files, Host, HttpRequest } from '../../src/host/host.ts';

/** One call to the outside: files, the API server, the cloud, names. `what` is the same in every run of a seed. */
export interface HostCall {
  readonly what: string;
  readonly request?: HttpRequest;
  readonly file?: { readonly path: string; readonly done: 'opened' | 'written' | 'synced'; readonly text?: string };
}
/** Makes the call, or something else instead. */
export type Around = <T>(call: HostCall, make: () => Promise<T>) => Promise<T>;

/** A host that lets each call pass through `around`. Time, signals, probes and load are not calls. */
export function tappedHost<H extends Pick<Host, 'http' | 'resolve' | 'files'>>(host: H, around: Around): H {
  return {
    ...host,
    http: (request, signal) =>
      around({ what: `${request.method} ${request.url}`, request }, () => host.http(request, signal)),
    resolve: (query) => around({ what: `resolve ${query.name} ${query.type}` }, () => host.resolve(query)),
    files: tappedFiles(host.files, around),
  };
}

function tappedFiles(files: Files, around: Around): Files {
  const tap = <T>(what: string, make: () => Promise<T>) => around({ what }, make);
  return {
    read: (path) => tap(`read ${path}`, () => files.read(path)),
    readUntrusted: (path, limits) => tap(`read ${path}`, () => files.readUntrusted(path, limits)),
    chunks: async function* (path, fromByte) {
      await tap(`read ${path}`, async () => undefined);
      yield* files.chunks(path, fromByte);
    },
    open: (path) => tap(`read ${path}`, () => files.open(path)),
    append: async (path, options) => {
      const call = { what: `open ${path}`, file: { path, done: 'opened' } } as const;
      return tappedAppender(await around(call, () => files.append(path, options)), path, around);
    },
    replaceBytes: (path, bytes, options) => tap(`replace ${path}`, () => files.replaceBytes(path, bytes, options)),
    replace: (path, text, options) => tap(`replace ${path}`, () => files.replace(path, text, options)),
    create: (path, text, options) => tap(`create ${path}`, () => files.create(path, text, options)),
    makeFolder: (path, options) => tap(`make ${path}`, () => files.makeFolder(path, options)),
    list: (path) => tap(`list ${path}`, () => files.list(path)),
    stat: (path) => tap(`stat ${path}`, () => files.stat(path)),
    realPath: (path) => tap(`find ${path}`, () => files.realPath(path)),
    freeSpace: (path) => tap(`measure ${path}`, () => files.freeSpace(path)),
    link: (path, target) => tap(`link ${path}`, () => files.link(path, target)),
    rename: (from, to) => tap(`rename ${from}`, () => files.rename(from, to)),
    place: (from, to) => tap(`place ${from}`, () => files.place(from, to)),
    setModifiedAt: (path, at) => tap(`change the time of ${path}`, () => files.setModifiedAt(path, at)),
    setMode: (path, mode) => tap(`change the mode of ${path}`, () => files.setMode(path, mode)),
    truncate: (path, bytes) => tap(`truncate ${path}`, () => files.truncate(path, bytes)),
    remove: (path) => tap(`remove ${path}`, () => files.remove(path)),
  };
}

function tappedAppender(appender: Appender, path: string, around: Around): Appender {
  return {
    write: (text) =>
      around({ what: `append ${path}`, file: { path, done: 'written', text } }, () => appender.write(text)),
    sync: () => around({ what: `sync ${path}`, file: { path, done: 'synced' } }, () => appender.sync()),
    close: () => appender.close(),
  };
}
