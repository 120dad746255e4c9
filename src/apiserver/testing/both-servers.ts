import { readFileSync } from 'node:fs';
import { seededRandom, systemClock } from '../../base/index.ts';
import { bearer } from '../../kube/http/http-config.ts';
import { httpTransport } from '../../kube/http/http-transport.ts';
import type { Transport } from '../../kube/client/transport.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { createMemoryApi, type MemoryApi } from '../index.ts';

/** A real kube-apiserver and the embedded server, side by side. */
export interface BothServers {
  readonly real: Transport;
  readonly memory: MemoryApi;
  close(): Promise<void>;
}

/** Connects to a real control plane and starts an embedded server beside it. */
export function bothServers({ url, token, caFile }: ControlPlaneAccess): BothServers {
  const real = httpTransport({ server: url, ca: readFileSync(caFile), identity: bearer(token) });
  const memory = createMemoryApi({ clock: systemClock, random: seededRandom(1) });
  const close = async (): Promise<void> => {
    memory.close();
    await real.close();
  };
  return { real, memory, close };
}
