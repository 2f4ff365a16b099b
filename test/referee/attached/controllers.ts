import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Program, programPath, start } from './programs.ts';
import type { ServedAlone } from './served.ts';

/** The real kube-controller-manager and kube-scheduler, as clients of the embedded API server, with leader election. */
export function startControllers(t: TestContext, { kubeconfig, folder }: Pick<ServedAlone, 'kubeconfig' | 'folder'>) {
  const key = join(folder, 'sa.key');
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  const access = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
  const both = [...access.map((flag) => `--${flag}=${kubeconfig}`), '--secure-port=0'];
  const accounts = ['--use-service-account-credentials=true', `--service-account-private-key-file=${key}`];
  return {
    manager: start(t, programPath('kube-controller-manager'), [...both, ...accounts]),
    scheduler: start(t, programPath('kube-scheduler'), both),
  };
}

/** What they say on a real server too, or of what the embedded one has not. */
const explained = [
  // A ConfigMap that a kube-apiserver makes for itself.
  /legacy-service-account-token-tracking/,
  // Two writes of one object; the controller tries again.
  /the object has been modified/,
  // What the garbage collector was to delete, the namespace controller has deleted already.
  /error syncing item .* not found/,
  // A namespace whose pods are still going.
  /unexpected items still remain in namespace/,
];

export function assertNoComplaints({ refused }: ServedAlone, programs: Readonly<Record<string, Program>>): void {
  const said = Object.values(programs).flatMap((program) => program.complaints());
  assert.deepEqual(
    said.filter((line) => !explained.some((known) => known.test(line))),
    [],
  );
  assert.deepEqual(refused, []);
}
