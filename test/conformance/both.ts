import { crdOf, kinds, type CustomResourceDefinition } from '../../src/api/index.ts';
import { createMemoryApi, serveApi, type MemoryApi } from '../../src/apiserver/index.ts';
import { after, silent, systemClock, systemRandom } from '../../src/base/index.ts';
import { startControlPlane } from '../../src/testkit/control-plane.ts';
import { wireTo, type Wire, type WireRequest } from './wire.ts';

/** A real kube-apiserver and ours. Neither has controllers, so that only the suite changes objects. */
export interface Both {
  readonly real: Wire;
  readonly ours: Wire;
  close(): Promise<void>;
}

/** Starts both, with our kinds installed. */
export async function startBoth(binaries: string): Promise<Both> {
  const plane = await startControlPlane({ binaries });
  const token = 'conformance';
  const rights = { tokens: [{ token, user: { username: 'admin', uid: 'admin', groups: ['system:masters'] } }] };
  const api = createMemoryApi({ clock: systemClock, random: systemRandom, garbageCollection: 'manual', rights });
  await api.ready;
  const server = await serveApi({ gate: rightsOnly(api), log: silent });
  const real = wireTo({ url: plane.url, token: plane.token, ca: plane.caData });
  const ours = wireTo({ url: server.url, token });
  for (const side of [real, ours]) await installKinds(side);
  const close = async (): Promise<void> => {
    await Promise.all([real.close(), ours.close()]);
    await server.close();
    api.close();
    await plane.stop();
  };
  return { real, ours, close };
}

/** Checks Kubernetes' own rights only: Sickbay's rules about signatures and statuses are not part of an API server. */
const rightsOnly = (api: MemoryApi): MemoryApi['gate'] => ({
  identify: (headers) => api.gate.identify(headers),
  admit: (user, request) => {
    api.gate.admit(user, request);
    return api;
  },
});

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLL_MS = 100;

async function installKinds(side: Wire): Promise<void> {
  for (const kind of kinds) await side.send(json('POST', CRDS, crdOf(kind)));
  for (const kind of kinds) await untilServed(side, crdOf(kind));
}

async function untilServed(side: Wire, { spec }: Pick<CustomResourceDefinition, 'spec'>): Promise<void> {
  for (const { name } of spec.versions) {
    while ((await side.send({ method: 'GET', path: `/apis/${spec.group}/${name}/${spec.names.plural}` })).code !== 200) {
      await systemClock.waitUntil(after(systemClock.now(), POLL_MS), new AbortController().signal);
    }
  }
}

/** A request with a JSON body. */
export const json = (method: string, path: string, body: unknown): WireRequest => ({
  method,
  path,
  type: 'application/json',
  body: JSON.stringify(body),
});
