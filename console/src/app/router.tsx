import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from '@tanstack/react-router';
import { Failure, Empty } from '../parts/states.tsx';
import { Now } from '../pages/now/now.tsx';
import { filtersIn } from '../pages/remediations/filters.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Empty title="There is no such page">
      <Link to="/">See what is going on now</Link>
    </Empty>
  ),
  errorComponent: ({ error, reset }) => <Failure error={error instanceof Error ? error : new Error(String(error))} retry={reset} />,
});

const now = createRoute({ getParentRoute: () => root, path: '/', component: Now });

const remediations = createRoute({
  getParentRoute: () => root,
  path: '/remediations',
  validateSearch: filtersIn,
  component: lazyRouteComponent(() => import('../pages/remediations/remediations.tsx'), 'Remediations'),
});

const remediation = createRoute({
  getParentRoute: () => root,
  path: '/remediations/$name',
  component: lazyRouteComponent(() => import('../pages/remediation/remediation.tsx'), 'RemediationPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([now, remediations, remediation]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
