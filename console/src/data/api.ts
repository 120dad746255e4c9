import { createApiClient } from '../../../src/client/index.ts';

const KEY = 'sickbay.token';

/** The bearer token of this tab; without one the cookie of the session counts. It is forgotten when the tab closes. */
export const tokenOfTab = {
  read: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  forget: (): void => sessionStorage.removeItem(KEY),
};

/** The HTTP API of the server that this page came from. */
export const api = createApiClient({ token: tokenOfTab.read });
