/** How often and how long ingress-nginx tries to get an answer for a request. */
export interface Tries {
  readonly most: number;
  /** Whether it tries again after an endpoint that refused, and after one that said nothing. */
  readonly afterError: boolean;
  readonly afterTimeout: boolean;
  /** Undefined: the controller's own. */
  readonly connectTimeoutSeconds: number | undefined;
  readonly readTimeoutSeconds: number;
}

/** docs/facts/ingress-nginx.md, "Tries and time limits". */
const usual: Tries = {
  most: 3,
  afterError: true,
  afterTimeout: true,
  connectTimeoutSeconds: undefined,
  readTimeoutSeconds: 60,
};

const known = new WeakMap<Readonly<Record<string, string>>, Tries>();

/** By the annotations of the Ingress (kubernetes.github.io/ingress-nginx, "Annotations", "Custom timeouts"). */
export function triesOf(annotations: Readonly<Record<string, string>> | undefined): Tries {
  if (annotations === undefined) return usual;
  const found = known.get(annotations) ?? read(annotations);
  known.set(annotations, found);
  return found;
}

function read(annotations: Readonly<Record<string, string>>): Tries {
  const of = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
  const number = (name: string) => {
    const value = Number.parseInt(of(name) ?? '', 10);
    return Number.isNaN(value) ? undefined : value;
  };
  const causes = of('proxy-next-upstream')?.split(/\s+/);
  return {
    most: numberOfTries(number('proxy-next-upstream-tries')),
    afterError: causes?.includes('error') ?? usual.afterError,
    afterTimeout: causes?.includes('timeout') ?? usual.afterTimeout,
    connectTimeoutSeconds: number('proxy-connect-timeout'),
    readTimeoutSeconds: number('proxy-read-timeout') ?? usual.readTimeoutSeconds,
  };
}

/** 0 is without a limit in nginx, which ends when a client has gone. */
const numberOfTries = (given: number | undefined): number => (given === 0 ? 100 : (given ?? usual.most));
