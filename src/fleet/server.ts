/** A machine that holds a checkout and an installed holdfast. */
export interface Server {
  /** As it was written: `deploy@web1:2222`. */
  readonly name: string;
  readonly user?: string;
  /** A name or an address, or a `Host` of ssh_config(5). IPv6 without brackets. */
  readonly host: string;
  readonly port?: number;
  /** The installed program, and its settings file there. */
  readonly program: readonly string[];
  readonly config?: string;
  /** Options of the remote command, by their names in camel case. */
  readonly options: Readonly<Record<string, string>>;
}
