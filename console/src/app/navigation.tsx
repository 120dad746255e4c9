import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../data/queries.ts';

/** The pages, in the order of their keys. */
export const PAGES = [
  { to: '/', label: 'Now', key: '1' },
  { to: '/remediations', label: 'Remediations', key: '2' },
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
