/** What a deed costs of the processor, in seconds: it is the same however many others are at it. */
export async function processorSeconds(deed: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await deed();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
