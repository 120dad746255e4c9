import type { ApiRequest, ApiResponse, Transport, WatchStream } from '../client/transport.ts';

/** Counts what goes through, and may change a watch before it leaves. */
export class ObservedTransport implements Transport {
  lists = 0;
  watches = 0;
  changeWatch: (request: ApiRequest) => ApiRequest = (request) => request;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    this.lists++;
    return this.#transport.request(request, signal);
  }

  watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    this.watches++;
    return this.#transport.watch(this.changeWatch(request), signal);
  }
}
