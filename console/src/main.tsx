import './styles/mantine.css';
import './styles/base.css';
import './styles/bar.css';
import './styles/panels.css';
import './styles/now.css';
import './styles/list.css';
import './styles/lists.css';
import './styles/remediation.css';
import './styles/narrow.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../../src/client/index.ts';
import { router } from './app/router.tsx';
import { theme } from './app/theme.ts';

/** A refusal stays one however often it is asked again, and so does an answer that cannot be read. */
function isWorthRetrying(count: number, error: Error): boolean {
  if (error instanceof ApiError) return error.status >= 500 && count < 2;
  return !(error instanceof SyntaxError) && count < 5;
}

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5000, refetchOnWindowFocus: true } },
});

/** The styles that Mantine makes carry it; the page's policy allows no others. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

const rootElement = document.getElementById('root');
if (rootElement)
  createRoot(rootElement).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
