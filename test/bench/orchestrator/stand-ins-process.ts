/** Everybody else: the controllers of all children, who are done with everything at once. */
import { systemClock } from '../../../src/base/index.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import { Ledger, playStandIns, wellAfter } from '../../../src/testkit/orchestrator/index.ts';
import { servePart } from './part.ts';

servePart((transport, { namespace }) => {
  const world = { client: createClient(transport), clock: systemClock, namespace, fates: wellAfter(0), ledger: new Ledger() };
  void playStandIns(world, new AbortController().signal);
  return Promise.resolve();
});
