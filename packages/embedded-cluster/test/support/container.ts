import type { Container } from '../../src/machines/containers.ts';

/** An nginx container that starts at 1 s, listens at 1.05 s and is found running at 1.5 s. */
export const container = (over: Partial<Container> = {}): Container => ({
  id: 'c',
  podKey: 'default/p',
  podUid: 'u',
  name: 'nginx',
  image: 'nginx',
  instanceId: 'i',
  address: '10.64.1.1',
  ports: [80],
  restarts: 0,
  createdAt: 0,
  startsAt: 1000,
  listensAt: 1050,
  seenAt: 1500,
  ...over,
});
