import type { Clock } from '../base/index.ts';
import type { Transport } from '../kube/client/transport.ts';
import type { Metrics } from './metrics.ts';

/** The same transport, with every call counted and timed. A watch counts until the server accepts it. */
export function meteredTransport(
  transport: Transport,
  { metrics, clock }: { readonly metrics: Pick<Metrics, 'called'>; readonly clock: Clock },
): Transport {
  const meter = async <Answer extends { readonly code: number }>(method: string, call: () => Promise<Answer>): Promise<Answer> => {
    const begun = clock.now();
    let code = 'none';
    try {
      const answer = await call();
      code = String(answer.code);
      return answer;
    } finally {
      metrics.called({ method, code, seconds: (clock.now() - begun) / 1_000 });
    }
  };
  return {
    request: (request, signal) => meter(request.method, () => transport.request(request, signal)),
    watch: (request, signal) => meter('WATCH', () => transport.watch(request, signal)),
  };
}
