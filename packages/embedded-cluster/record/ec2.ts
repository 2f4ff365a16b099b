import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The labels of Karpenter's documentation that the columns of a size hold, in their order. */
const labelColumns = {
  clockMhz: 'cpu-sustained-clock-speed-mhz',
  ebsMbps: 'ebs-bandwidth',
  networkMbps: 'network-bandwidth',
  localNvmeGib: 'local-nvme',
  gpus: 'gpu-count',
  gpuName: 'gpu-name',
  gpuMemoryMib: 'gpu-memory',
  gpuManufacturer: 'gpu-manufacturer',
} as const;
const mostVcpus = 64;

type Labels = ReadonlyMap<string, string>;

interface Family {
  readonly architecture: string;
  readonly manufacturer: string;
  readonly hypervisor?: string;
  readonly encryptsInTransit: boolean;
  readonly flex: boolean;
  readonly category: string;
  readonly generation: number;
  readonly sizes: Record<string, string>;
}

/**
 * The table of EC2's instance types out of a checkout of Karpenter's AWS provider: its reference of instance types, and
 * its on-demand prices of us-east-1. Without bare metal, types of more than 64 virtual CPUs, and types without a price.
 */
export function instanceTypesOf(checkout: string): string {
  const reference = readFileSync(join(checkout, 'website/content/en/preview/reference/instance-types.md'), 'utf8');
  const prices = readFileSync(join(checkout, 'pkg/providers/pricing/zz_generated.pricing_aws.go'), 'utf8');
  const dollars = pricesOf(prices);
  const families: Record<string, Family> = {};
  for (const text of reference.split(/^### `/m).slice(1)) {
    const name = text.slice(0, text.indexOf('`'));
    const price = dollars.get(name);
    const labels = rowsOf(text);
    if (price === undefined || name.includes('metal') || Number(label(labels, 'cpu')) > mostVcpus) continue;
    const family = families[label(labels, 'family')] ?? familyOf(labels);
    families[label(labels, 'family')] = family;
    family.sizes[label(labels, 'size')] = sizeOf(labels, price);
  }
  const written = /generated at (\d{4}-\d{2}-\d{2})/.exec(prices)?.[1] ?? 'an unknown day';
  return `${JSON.stringify(
    {
      source: `the reference of instance types and the on-demand prices of us-east-1 (of ${written}) in Karpenter's AWS provider; up to ${mostVcpus} virtual CPUs, without bare metal`,
      columns: ['vcpus', 'memoryMib', 'pods', 'dollarsAnHour', ...Object.keys(labelColumns)].join(' '),
      families: Object.fromEntries(Object.entries(families).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
    null,
    2,
  )}\n`;
}

/** The part of the price table that is us-east-1's: the first region of the file. */
function pricesOf(text: string): ReadonlyMap<string, number> {
  const [, region = ''] = /"us-east-1": \{([\s\S]*?)\n\t\},/.exec(text) ?? [];
  return new Map([...region.matchAll(/"([^"]+)": ([\d.]+)/g)].map(([, name = '', price]) => [name, Number(price)]));
}

const rowsOf = (text: string): Labels =>
  new Map([...text.matchAll(/^ \|([^|]+)\|([^|]+)\|$/gm)].map(([, name = '', value = '']) => [name, value]));

const label = (labels: Labels, name: string): string => labels.get(`karpenter.k8s.aws/instance-${name}`) ?? '-';

function familyOf(labels: Labels): Family {
  const hypervisor = label(labels, 'hypervisor');
  return {
    architecture: labels.get('kubernetes.io/arch') ?? '-',
    manufacturer: label(labels, 'cpu-manufacturer'),
    ...(hypervisor === '-' ? {} : { hypervisor }),
    encryptsInTransit: label(labels, 'encryption-in-transit-supported') === 'true',
    flex: label(labels, 'capability-flex') === 'true',
    category: label(labels, 'category'),
    generation: Number(label(labels, 'generation')),
    sizes: {},
  };
}

/** The values of the columns; what ends the row with no value is left out. */
function sizeOf(labels: Labels, dollarsAnHour: number): string {
  const values = [
    label(labels, 'cpu'),
    label(labels, 'memory'),
    labels.get('pods') ?? '-',
    String(dollarsAnHour),
    ...Object.values(labelColumns).map((name) => label(labels, name)),
  ];
  return values.join(' ').replace(/( -)+$/, '');
}
