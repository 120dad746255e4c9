import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../data/queries.ts';

/** The pages, in the order of their keys. */
export const PAGES = [
  { to: '/', label: 'Now', key: '1' },
  { to: '/remediations', label: 'Remediations', key: '2' },
  { to: '/machines', label: 'Machines', key: '3' },
  { to: '/workflows', label: 'Workflows', key: '4' },
  { to: '/signals', label: 'Signals', key: '5' },
  { to: '/audit', label: 'Audit', key: '6' },
  { to: '/settings', label: 'Settings', key: '7' },
] as const;

/** The pages to choose from, with the number of things that wait for a person. */
export function Navigation() {
  const { data } = useQuery(queries.summary());
  const waiting = data?.remediations.attention ?? 0;
  return (
    <nav aria-label="Pages">
      {PAGES.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className="nav-link">
          {label}
          {to === '/' && waiting > 0 && (
            <span className="count" title={`${waiting} wait for a person`}>
              {waiting}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
