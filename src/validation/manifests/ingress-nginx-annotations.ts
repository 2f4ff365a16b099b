type Annotations = Readonly<Record<string, string>>;

/** An annotation of ingress-nginx by its name in the user guide (kubernetes.github.io/ingress-nginx, "Annotations"). */
export const nginxAnnotation = (name: string): string => `nginx.ingress.kubernetes.io/${name}`;

/** An Ingress that takes a part of the visitors of another one with the same host and path. */
export const isCanary = (annotations: Annotations = {}): boolean => annotations[nginxAnnotation('canary')] === 'true';
