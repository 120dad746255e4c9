import { Button, Loader } from '@mantine/core';
import { ApiError } from '../../../src/client/index.ts';

/** Nothing is there: why, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children !== undefined && <div className="dim">{children}</div>}
    </div>
  );
}

/** It could not be read: what happened and what to do. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  return (
    <div className="empty" role="alert">
      <p className="strong">{failureTitle(error)}</p>
      <p className="dim">{failureAdvice(error)}</p>
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Your session has ended',
  403: 'You may not see this',
  404: 'There is no such object',
};

function failureTitle(error: Error): string {
  if (error instanceof SyntaxError) return 'The answer could not be read';
  if (!(error instanceof ApiError)) return 'Sickbay does not answer';
  return TITLES[error.status] ?? 'Sickbay could not answer';
}

function failureAdvice(error: Error): string {
  if (error instanceof SyntaxError) return 'It did not come from Sickbay: a proxy in between may have answered. Reload the page.';
  if (!(error instanceof ApiError)) return 'It may be restarting, or the network may be down. This page tries again by itself.';
  if (error.status !== 404) return error.message;
  return error.problem ? `${error.message}. It may have been deleted.` : 'The server may be older than this page. Reload it.';
}

export const Loading = ({ what }: { readonly what: string }) => (
  <div className="empty">
    <Loader size="sm" aria-label={`Reading ${what}`} />
  </div>
);
