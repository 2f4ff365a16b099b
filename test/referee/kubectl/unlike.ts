const metrics = 'the embedded API server always has the metrics API, and the recorded one had no metrics-server';
const described = 'no descriptions: the OpenAPI documents of the embedded one have types alone';
const accounts = 'the admission plugins ServiceAccount and Priority: the token’s volume, the account and the priority';

/** The commands of the session that say something else on the embedded API server, each with its reason. */
export const unlike: Readonly<Record<string, string>> = {
  'api-versions': metrics,
  'api-resources --no-headers': metrics,
  'top pods': metrics,
  'describe pods -l app=web': accounts,
  'create -f - --dry-run=server -o yaml < shopPod': accounts,
  'explain deployment.spec.strategy': described,
  'explain nodepool.spec.disruption.budgets': described,
  'apply -f - < wrongType': 'the words of a refusal: `unrecognized type: int32`',
};
