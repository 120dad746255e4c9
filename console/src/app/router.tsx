import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from '@tanstack/react-router';
import { Failure, Empty } from '../parts/states.tsx';
import { Now } from '../pages/now/now.tsx';
import { auditFiltersIn } from '../pages/audit/audit-filters.ts';
import { machineFiltersIn } from '../pages/machines/machine-filters.ts';
import { filtersIn } from '../pages/remediations/filters.ts';
import { signalFiltersIn } from '../pages/signals/signal-filters.ts';
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

const machines = createRoute({
  getParentRoute: () => root,
  path: '/machines',
  validateSearch: machineFiltersIn,
  component: lazyRouteComponent(() => import('../pages/machines/machines.tsx'), 'Machines'),
});

const machine = createRoute({
  getParentRoute: () => root,
  path: '/machines/$namespace/$name',
  component: lazyRouteComponent(() => import('../pages/machines/machine.tsx'), 'MachinePage'),
});

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../pages/workflows/workflows.tsx'), 'Workflows'),
});

const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$name',
  component: lazyRouteComponent(() => import('../pages/workflows/workflow.tsx'), 'WorkflowPage'),
});

const signals = createRoute({
  getParentRoute: () => root,
  path: '/signals',
  validateSearch: signalFiltersIn,
  component: lazyRouteComponent(() => import('../pages/signals/signals.tsx'), 'Signals'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditFiltersIn,
  component: lazyRouteComponent(() => import('../pages/audit/audit.tsx'), 'Audit'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/settings.tsx'), 'Settings'),
});

export const router = createRouter({
  routeTree: root.addChildren([now, remediations, remediation, machines, machine, workflows, workflow, signals, audit, settings]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
