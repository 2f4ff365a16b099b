export interface KubeconfigParts {
  readonly server: string;
  /** The certificate of the authority, in PEM. */
  readonly ca: string;
  readonly token: string;
}

/** A kubeconfig with one cluster, one user and one context, all named `holdfast-rehearsal`. */
export function kubeconfigText({ server, ca, token }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: holdfast-rehearsal
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString('base64')}
users:
  - name: holdfast-rehearsal
    user:
      token: ${token}
contexts:
  - name: holdfast-rehearsal
    context:
      cluster: holdfast-rehearsal
      user: holdfast-rehearsal
      namespace: default
current-context: holdfast-rehearsal
`;
}
