// node test/referee/kubectl/record.ts KUBECONFIG: records the session on a real API server beside which no controller
// runs. The kit's controller manager and scheduler are started for it, and kubelets are played.

import { connect } from '../../../src/cluster/client.ts';
import { readCredentials } from '../../../src/cluster/credentials.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startControllers } from '../attached/controllers.ts';
import { addNode, keepReady, playKubelets } from '../attached/kubelets.ts';
import { programPath } from '../attached/programs.ts';
import { record } from './fixture.ts';
import { session } from './session.ts';

const [kubeconfig = ''] = process.argv.slice(2);
const host = nodeHost();
const { access } = await readCredentials(host, { kubeconfig, environment: {} });
const cluster = connect(host, access);
const ends: (() => unknown)[] = [];
const after = (end: () => unknown): void => void ends.push(end);
const ended = new AbortController();
try {
  const folder = temporaryFolder({ after } as unknown as Parameters<typeof temporaryFolder>[0]);
  startControllers({ after } as unknown as Parameters<typeof startControllers>[0], { kubeconfig, folder });
  const nodes = ['node-a', 'node-b'];
  for (const name of nodes) await addNode(cluster, name);
  const played = [playKubelets(cluster, ended.signal), keepReady(cluster, nodes, ended.signal)];
  record(await session(programPath('kubectl'), kubeconfig, folder));
  ended.abort();
  await Promise.all(played);
  for (const name of nodes) await cluster.delete('Node', { name });
} finally {
  ended.abort();
  for (const end of ends) await end();
}
