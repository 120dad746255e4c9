import { readFile } from 'node:fs/promises';
import { CustomResourceDefinition } from '../../../src/api/builtin/index.ts';
import { crdOf } from '../../../src/api/crd-of.ts';
import { kinds } from '../../../src/api/kinds.ts';
import { createMemoryApi, kubeconfigText, loopbackTls, serveApi, type LogsOf } from '../../../src/apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../../../src/base/index.ts';
import { bearer, createClient, httpTransport, type Transport } from '../../../src/kube/index.ts';
import { startControlPlane } from '../../../src/testkit/control-plane.ts';
import { kubectlFor, type Kubectl } from './run-kubectl.ts';

/** A server that has our kinds, with kubectl for it. */
export interface KubectlServer {
  readonly kubectl: Kubectl;
  close(): Promise<void>;
}

const TOKEN = 'open-sesame';

/** Ours, in this process. */
export async function startOurs(program: string, logsOf?: LogsOf): Promise<KubectlServer> {
  const api = createMemoryApi({ clock: systemClock, random: systemRandom, ...(logsOf && { logsOf }) });
  const server = await serveApi({ api, token: TOKEN, log: silent, tls: loopbackTls(systemClock.now()) });
  await installCrds(api);
  const kubectl = await kubectlFor({ program, kubeconfig: kubeconfigText({ server: server.url, trust: server.trust, token: TOKEN }) });
  const close = async (): Promise<void> => {
    await kubectl.close();
    await server.close();
    api.close();
  };
  return { kubectl, close };
}

/** A real one without controllers, so that only kubectl changes objects. */
export async function startReal(program: string, binaries: string): Promise<KubectlServer> {
  const plane = await startControlPlane({ binaries });
  const transport = httpTransport({ server: plane.url, ca: plane.caData, identity: bearer(plane.token) });
  await installCrds(transport);
  await transport.close();
  const kubectl = await kubectlFor({ program, kubeconfig: await readFile(plane.kubeconfig, 'utf8') });
  await kubectl.run({ run: 'wait --for=condition=Established crd --all' });
  const close = async (): Promise<void> => {
    await kubectl.close();
    await plane.stop();
  };
  return { kubectl, close };
}

async function installCrds(transport: Transport): Promise<void> {
  const client = createClient(transport);
  for (const kind of kinds) await client.create(CustomResourceDefinition, crdOf(kind));
}
