import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { startMonitor } from '../../../src/validation/monitor/monitor.ts';
import { inShell, json, type Shell } from '../../support/cluster-commands.ts';
import { type Parsed, rowIn } from '../../support/results.ts';
import { secrets } from '../../support/secrets.ts';

/** A terminal wraps what is said. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const folderOf = (shell: Shell): string => join(shell.folder, 'run');
const validate = (shell: Shell, ...words: readonly string[]) =>
  shell.holdfast('validate', '--out', folderOf(shell), ...words);
const reportOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
const leases = ({ cluster }: Shell) => cluster.list('Lease', { namespace: 'default' });
const application = ({ cluster }: Shell) => cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' });

test('validate needs only a kubeconfig, and every disruption is undone', (t) =>
  inShell(t, async (shell) => {
    const ended = await validate(shell, '--scenario', 'node-drain', '--yes');
    assert.equal(ended.exitCode, 0, ended.stderr);
    assert.match(ended.stdout, /Node drain +0\.0 s/);
    assert.match(
      ended.stderr,
      /^phase 3: apply-object: NodePool general-purpose-arm\n.*^node-drain: drain-node: Node ip-/ms,
    );
    const settings = JSON.parse(readFileSync(join(folderOf(shell), 'settings.json'), 'utf8'));
    assert.deepEqual(settings.cluster, {
      server: 'https://kubernetes.default.svc',
      context: 'embedded',
      kubeconfig: shell.kubeconfig,
      uid: (await shell.cluster.get('Namespace', { name: 'kube-system' }))?.metadata.uid,
    });
    assert.ok(!JSON.stringify(settings).includes(secrets.bearerToken));
    const nodes = await shell.cluster.list('Node');
    assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
    assert.deepEqual(await leases(shell), [], 'the lease is given back');
    assert.ok(await application(shell), 'what was applied is kept');
  }));

test('the whole procedure has ten scenarios, each with its prediction, and the findings of the specification', (t) =>
  inShell(t, async (shell) => {
    const ended = await validate(shell, '--yes', '--allow-terminate');
    const { scenarios, findings, run } = reportOf(folderOf(shell));
    assert.equal(run.kind, 'cluster');
    assert.ok(
      scenarios.every(({ verdict }: { verdict: string }) => verdict !== 'not-tested'),
      ended.stdout,
    );
    for (const { name, predicted, findings: found } of scenarios) {
      assert.match(predicted, /^(no downtime|traffic)/, name);
      const comparison = found.find(({ id }: { id: string }) => id === 'prediction');
      assert.doesNotMatch(comparison.observed, /than predicted/, `${name}: ${comparison.expected}`);
    }
    const ids = findings.map(({ id }: { id: string }) => id);
    for (const id of [
      'permissions',
      'pool-fields',
      'expiry-expectation',
      'budget-numbers',
      'image-tag',
      'ingress-annotations',
      'node-requirements',
    ])
      assert.ok(ids.includes(id), id);
    assert.ok(!ids.includes('pool-field'), 'the pool is as in 2.1 and 2.2');
  }));

test('without a terminal and without --yes validate does nothing and exits 2', (t) =>
  inShell(t, async (shell) => {
    const ended = await validate(shell);
    assert.equal(ended.exitCode, 2);
    assert.match(ended.stderr, /add --yes\.\n.*add --allow-terminate\.$/);
    assert.equal(existsSync(folderOf(shell)), false);
    assert.equal(await application(shell), undefined);
  }));

test('validate begins only after a person has typed yes', (t) =>
  inShell(t, async (shell) => {
    shell.types = ['no'];
    const refused = await validate(shell, '--scenario', 'single-replica');
    assert.equal(refused.exitCode, 2);
    assert.match(
      oneLine(refused.stderr),
      /disrupts https:\/\/kubernetes\.default\.svc .*Single replica\. Every disruption is undone\./,
    );
    assert.equal(await application(shell), undefined);
    shell.types = ['yes'];
    const begun = await validate(shell, '--scenario', 'single-replica');
    assert.equal(begun.exitCode, 0, begun.stderr);
  }));

test('an instance is terminated only after its id was typed', (t) =>
  inShell(t, async (shell) => {
    shell.types = ['yes', 'no'];
    const refused = await validate(shell, '--scenario', 'instance-kill');
    assert.equal(refused.exitCode, 4, refused.stdout);
    assert.match(oneLine(refused.stderr), /Every disruption is undone, except the end of an instance\./);
    const [, id] = /Type (i-[0-9a-f]+) to allow it/.exec(refused.stderr) ?? [];
    assert.ok(id, refused.stderr);
    assert.match(oneLine(refused.stderr), /it ends these pods: default\/nginx-test-/);
    assert.match(JSON.stringify(reportOf(folderOf(shell))), /it was not allowed, and nothing was done/);
    let asked = '';
    shell.hears = (text) => {
      asked = /Type (i-[0-9a-f]+) to allow it/.exec(text)?.[1] ?? asked;
      if (asked !== '') shell.types = [asked];
    };
    shell.types = ['yes'];
    const allowed = await shell.holdfast(
      'validate',
      '--scenario',
      'instance-kill',
      '--out',
      join(shell.folder, 'second'),
    );
    assert.equal(allowed.exitCode, 0, allowed.stdout);
    const states = reportOf(join(shell.folder, 'second')).undo.map(({ state }: { state: string }) => state);
    assert.ok(states.includes('irreversible'));
  }));

test('--from begins with the named scenario, and --cleanup deletes every applied object', (t) =>
  inShell(t, async (shell) => {
    const ended = await validate(
      shell,
      '--from',
      'ingress-controller-failure',
      '--scenario',
      'single-replica',
      'ingress-controller-failure',
      '--yes',
      '--cleanup',
    );
    assert.equal(ended.exitCode, 0, ended.stderr);
    const made = reportOf(folderOf(shell)).scenarios.filter(
      ({ verdict }: { verdict: string }) => verdict !== 'not-tested',
    );
    assert.deepEqual(
      made.map(({ name }: { name: string }) => name),
      ['ingress-controller-failure'],
    );
    assert.equal(await application(shell), undefined);
    assert.deepEqual(await shell.cluster.list('NodePool'), []);
  }));

test('--repeat reports median and maximum of its runs', (t) =>
  inShell(t, async (shell) => {
    const ended = await validate(shell, '--scenario', 'single-replica', '--repeat', '3', '--yes', '--json');
    assert.equal(ended.exitCode, 0, ended.stderr);
    const { runs, scenarios } = JSON.parse(ended.stdout);
    assert.deepEqual(
      runs.map(({ folder, verdict }: { folder: string; verdict: string }) => [folder.slice(-2), verdict]),
      [
        ['/1', 'pass'],
        ['/2', 'pass'],
        ['/3', 'pass'],
      ],
    );
    const [single] = scenarios;
    const each = [1, 2, 3]
      .map((n) => rowIn<Parsed>(reportOf(join(folderOf(shell), String(n))), 'single-replica').downtime.seconds)
      .toSorted();
    assert.deepEqual([single.name, single.runs, single.passed], ['single-replica', 3, 3]);
    assert.deepEqual(single.downtimeSeconds, { median: each[1], max: each[2], p99: null });
  }));

test('validate exits 6 and does nothing while another run holds the lease', (t) =>
  inShell(t, async (shell) => {
    const renewTime = new Date(shell.host.clock.wallAt()).toISOString();
    await shell.cluster.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'default', name: 'holdfast' },
      spec: { holderIdentity: 'validate-somewhere', leaseDurationSeconds: 60, renewTime },
    });
    const ended = await validate(shell, '--scenario', 'single-replica', '--yes');
    assert.equal(ended.exitCode, 6, ended.stdout);
    assert.match(ended.stdout, /validate-somewhere holds it/);
    assert.equal(await application(shell), undefined);
    assert.equal((await shell.holdfast('precheck')).exitCode, 6);
  }));

test('an object of somebody else stops the run with exit 3 before any write', (t) =>
  inShell(t, async (shell) => {
    const labels = { app: 'nginx-test' };
    const containers = [{ name: 'shop', image: 'shop:1' }];
    await shell.cluster.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'default', name: 'nginx-test' },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    const ended = await validate(shell, '--scenario', 'single-replica', '--yes');
    assert.equal(ended.exitCode, 3, ended.stdout);
    assert.match(ended.stdout, /Deployment\s+default\/nginx-test: conflict with\s+"bystander"/);
    assert.deepEqual(await shell.cluster.list('NodePool'), [], 'the pool was not applied either');
  }));

test('a change of the pool that would replace nodes is a configuration error: it is not made, and the exit code is 1', (t) =>
  inShell(t, async (shell) => {
    assert.equal((await validate(shell, '--scenario', 'single-replica', '--yes')).exitCode, 0);
    const config = join(shell.folder, 'holdfast.yaml');
    await shell.host.files.replace(config, 'validation: { nodePool: { role: api } }');
    const second = join(shell.folder, 'second');
    const ended = await shell.holdfast(
      'validate',
      '--scenario',
      'single-replica',
      '--yes',
      '--out',
      second,
      '--config',
      config,
    );
    assert.equal(ended.exitCode, 1, ended.stdout);
    const found = reportOf(second).findings.find(({ id }: { id: string }) => id === 'no-disruption');
    assert.match(
      found.observed,
      /^not applied: \/spec\/template\/metadata\/labels\/role would replace general-purpose-arm-/,
    );
    assert.match(found.advice, /configuration error/);
    const pool = await shell.cluster.get('NodePool', { name: 'general-purpose-arm' });
    assert.equal(pool?.spec.template.metadata?.labels?.role, 'web');
  }));

test('more downtime than --abort-after allows undoes everything at once and exits 1', (t) =>
  inShell(t, async (shell) => {
    let broken = false;
    shell.hears = (text) => {
      if (broken || !text.includes('node-drain: predicted')) return;
      broken = true;
      const at = { namespace: 'default', name: 'nginx-test' };
      void shell.host.clock.sleep(45).then(() => shell.cluster.delete('Ingress', at));
    };
    const startedAt = shell.host.clock.monotonicSeconds();
    const ended = await validate(shell, '--scenario', 'node-drain', '--abort-after', '20s', '--yes');
    assert.equal(ended.exitCode, 1, ended.stdout);
    assert.match(
      ended.stderr,
      /Ended early: 2\d s of downtime, of which 0 s were expected\. Undoing every change now\./,
    );
    assert.ok(shell.host.clock.monotonicSeconds() - startedAt < 600);
    const nodes = await shell.cluster.list('Node');
    assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
    assert.deepEqual(await leases(shell), []);
  }));

test('a failed undo is exit 5; `recover` undoes it, and a second `recover` finds nothing', (t) =>
  inShell(t, async (shell) => {
    let drained = false;
    shell.intercept = ({ method, url }) => {
      if (method === 'POST' && url.includes('/eviction')) drained = true;
      const away = drained && method === 'PATCH' && url.includes('/nodes/');
      return away
        ? json(503, { kind: 'Status', reason: 'ServiceUnavailable', code: 503, message: 'etcd is away' })
        : undefined;
    };
    const ended = await validate(shell, '--scenario', 'node-drain', '--yes');
    assert.equal(ended.exitCode, 5, ended.stdout);
    assert.match(ended.stderr, /NOT UNDONE: .*By hand: kubectl uncordon ip-/);
    shell.intercept = () => undefined;
    const recovered = await shell.holdfast('recover', folderOf(shell));
    assert.equal(recovered.exitCode, 0, recovered.stderr);
    assert.match(recovered.stdout, /^undone: drain-node of Node ip-/m);
    const nodes = await shell.cluster.list('Node');
    assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
    assert.match((await shell.holdfast('recover', folderOf(shell))).stdout, /^Nothing to recover/);
    assert.deepEqual(await leases(shell), []);
  }));

test('a second signal stops the waiting, and every change is still undone', (t) =>
  inShell(t, async (shell) => {
    let drained = false;
    shell.intercept = ({ method, url }) => {
      if (method === 'POST' && url.includes('/eviction') && !drained) {
        drained = true;
        shell.send('SIGINT');
        void shell.host.clock.sleep(8).then(() => shell.send('SIGINT'));
      }
      const away = drained && method === 'PATCH' && url.includes('/nodes/');
      return away
        ? json(503, { kind: 'Status', reason: 'ServiceUnavailable', code: 503, message: 'etcd is away' })
        : undefined;
    };
    const ended = await validate(shell, '--scenario', 'node-drain', '--yes');
    assert.equal(ended.exitCode, 5, ended.stdout);
    const journal = readFileSync(join(folderOf(shell), 'journal.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const facts = journal.map((line) => JSON.parse(line));
    const at = (type: string) => Date.parse(facts.findLast((fact) => fact.type === type).at);
    assert.ok(at('run-finished') - at('run-interrupted') < 25_000, 'an undo asks for a minute');
    shell.intercept = () => undefined;
    assert.equal((await shell.holdfast('recover', folderOf(shell))).exitCode, 0);
    const nodes = await shell.cluster.list('Node');
    assert.ok(nodes.every(({ spec }) => spec?.unschedulable !== true));
  }));

/** A run that left a node cordoned, and what its settings say of the cluster. */
async function leftCordoned(shell: Shell) {
  let drained = false;
  shell.intercept = ({ method, url }) => {
    if (method === 'POST' && url.includes('/eviction')) drained = true;
    return drained && method === 'PATCH' && url.includes('/nodes/') ? json(503, { code: 503 }) : undefined;
  };
  assert.equal((await validate(shell, '--scenario', 'node-drain', '--yes')).exitCode, 5);
  const settings = join(folderOf(shell), 'settings.json');
  const recorded = JSON.parse(readFileSync(settings, 'utf8'));
  const rewrite = (cluster: object) => {
    const text = JSON.stringify({ ...recorded, cluster: { ...recorded.cluster, ...cluster } });
    return shell.host.files.replace(settings, text);
  };
  const folder = folderOf(shell);
  // Settings that were rewritten have lost their seal.
  const recover = (...flags: readonly string[]) => shell.holdfast('recover', '--trust', folder, ...flags);
  return { recorded: recorded.cluster, rewrite, recover };
}

test('recover refuses a cluster with another uid, and accepts the same cluster at any address', (t) =>
  inShell(t, async (shell) => {
    const { recorded, rewrite, recover } = await leftCordoned(shell);
    assert.equal(recorded.uid, (await shell.cluster.get('Namespace', { name: 'kube-system' }))?.metadata.uid);
    await rewrite({ uid: 'another' });
    for (const flags of [[], ['--context', 'embedded']]) {
      const ended = await recover(...flags);
      assert.equal(ended.exitCode, 2);
      assert.match(ended.stderr, /another cluster \(its namespace kube-system has uid .*, and had another\)/);
    }
    await rewrite({ server: 'https://elsewhere' });
    shell.intercept = () => undefined;
    assert.equal((await recover()).exitCode, 0);
  }));

test('recover refuses another address if the uid of the cluster cannot be read', (t) =>
  inShell(t, async (shell) => {
    const { rewrite, recover } = await leftCordoned(shell);
    const forbids = ({ url }: { readonly url: string }) =>
      url.endsWith('/namespaces/kube-system') ? json(403, { code: 403, reason: 'Forbidden' }) : undefined;
    for (const [cluster, intercept] of [
      [{ server: 'https://elsewhere', uid: undefined }, () => undefined],
      [{ server: 'https://elsewhere' }, forbids],
    ] as const) {
      await rewrite(cluster);
      shell.intercept = intercept;
      const ended = await recover('--context', 'embedded');
      assert.equal(ended.exitCode, 2);
      assert.match(ended.stderr, /the run was on https:\/\/elsewhere, and context embedded is https:\/\/kubernetes/);
    }
    await rewrite({});
    assert.equal((await recover()).exitCode, 0);
  }));

const bastion = (shell: Shell, log: string) =>
  startMonitor(
    shell.host,
    {
      targets: [{ url: 'http://app.example.com/', body: 'Welcome to nginx!' }],
      intervalSeconds: 1,
      timeoutSeconds: 10,
      slowSeconds: 1,
      expect: 200,
      reused: true,
    },
    log,
  );

test('with --downtime-log the bastion’s log is the evidence, and is copied into the run folder', (t) =>
  inShell(t, async (shell) => {
    const log = join(shell.folder, 'bastion.log');
    const monitor = await bastion(shell, log);
    await shell.host.clock.sleep(20);
    const ended = await validate(shell, '--scenario', 'single-replica', '--yes', '--downtime-log', log);
    await monitor.stop();
    assert.equal(ended.exitCode, 0, ended.stdout);
    const ours = readFileSync(join(folderOf(shell), 'downtime.log'), 'utf8')
      .trim()
      .split('\n');
    const theirs = readFileSync(log, 'utf8').split('\n');
    assert.deepEqual(
      ours.filter((line) => !theirs.includes(line) && !line.startsWith('# clock-offset ')),
      [],
    );
    const { downtime } = rowIn<Parsed>(reportOf(folderOf(shell)), 'single-replica');
    assert.ok(downtime.seconds >= 1 && downtime.seconds <= 5, `${downtime.seconds} s`);
  }));

/** The shell as a monitor sees it that is killed where it is stopped: no line says its end. */
function killing(shell: Shell): Shell {
  const append: Host['files']['append'] = async (path, options) => {
    const appender = await shell.host.files.append(path, options);
    return { ...appender, write: async (text) => (text.startsWith('# end') ? undefined : appender.write(text)) };
  };
  return { ...shell, host: { ...shell.host, files: { ...shell.host.files, append } } };
}

test('if the bastion’s log ends, no further action is made, and every change is undone', (t) =>
  inShell(t, async (shell) => {
    const log = join(shell.folder, 'bastion.log');
    const monitor = await bastion(killing(shell), log);
    shell.hears = (text) => {
      if (text.includes('node-drain: predicted')) void monitor.stop();
    };
    const ended = await validate(shell, '--scenario', 'scale-up', 'node-drain', '--yes', '--downtime-log', log);
    assert.equal(ended.exitCode, 4, ended.stdout);
    const report = reportOf(folderOf(shell));
    assert.equal(rowIn<Parsed>(report, 'node-drain').verdict, 'inconclusive');
    assert.ok(report.undo.every(({ state }: { state: string }) => state !== 'failed'));
    const drained = report.undo.filter(({ action }: { action: string }) => action === 'drain-node');
    assert.deepEqual(drained, [], 'no node was drained without evidence');
  }));

test('a bastion’s log without a new line stops the run within 10 s, and one that ends stops it at once', (t) =>
  inShell(t, async (shell) => {
    assert.equal((await validate(shell, '--scenario', 'single-replica', '--yes')).exitCode, 0);
    const log = join(shell.folder, 'bastion.log');
    const follow = async (out: string, scenario: string) => {
      const startedAt = shell.host.clock.monotonicSeconds();
      const words = ['--manifests', 'none', '--scenario', scenario, '--yes', '--downtime-log', log];
      const ended = await shell.holdfast('validate', '--out', join(shell.folder, out), ...words);
      assert.equal(ended.exitCode, 4, ended.stdout);
      return { ...ended, seconds: shell.host.clock.monotonicSeconds() - startedAt };
    };
    writeFileSync(
      log,
      '# holdfast downtime-log 1 target=http://app.example.com/ interval=1s timeout=10s slow=1s expect=200\n',
    );
    const old = await follow('old', 'node-drain');
    assert.match(old.stdout, /no line of it has come\s+yet/);
    assert.ok(old.seconds < 15, `${old.seconds} s`);
    const monitor = await bastion(shell, log);
    let stoppedAt = 0;
    shell.hears = (text) => {
      if (!text.includes('node-drain: predicted')) return;
      stoppedAt = shell.host.clock.monotonicSeconds();
      void monitor.stop();
    };
    const cut = await follow('cut', 'node-drain');
    assert.match(cut.stdout, /Following the downtime\s+log\s.*bastion\.log:\s+it ended/s);
    assert.ok(stoppedAt > 0 && shell.host.clock.monotonicSeconds() - stoppedAt < 15);
  }));
