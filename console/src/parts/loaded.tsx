import { useState } from 'react';
import { Failure, Loading } from './states.tsx';

interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => Promise<unknown> };
  /** What is read, for those who cannot see the mark that turns. */
  readonly what: string;
  readonly children: (data: T) => React.ReactNode;
}

/** What was read, or why there is nothing to show yet. What was read once stays when reading it again fails. */
export function Loaded<T>({ query: { data, error, refetch }, what, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what={what} />;
}

type Settling = { readonly isPending: boolean };

interface TogetherProps {
  readonly of: readonly Settling[];
  readonly what: string;
  readonly children: React.ReactNode;
}

/** Shows its parts once each of them knows what to show, all at once: nothing moves while they are read. From then on they stay. */
export function Together({ of, what, children }: TogetherProps) {
  const [isSettled, setIsSettled] = useState(false);
  if (!isSettled && of.every(({ isPending }) => !isPending)) setIsSettled(true);
  return isSettled ? children : <Loading what={what} />;
}

/** The items of all pages that were read. */
export const itemsOf = <T,>({ pages }: { readonly pages: readonly { readonly items: readonly T[] }[] }): readonly T[] =>
  pages.flatMap(({ items }) => items);
