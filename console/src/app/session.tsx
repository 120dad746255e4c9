import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Session } from '../../../src/server/contract/index.ts';
import { ApiError } from '../../../src/client/index.ts';
import { queries } from '../data/queries.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { SignIn } from './sign-in.tsx';

const SessionContext = createContext<Session | undefined>(undefined);

/** Shows its children to a user who is signed in, and the sign-in to everybody else. */
export function SignedIn({ children }: { readonly children: React.ReactNode }) {
  const { data, error, refetch } = useQuery(queries.session());
  if (error instanceof ApiError && error.status === 401) return <SignIn hadSession={data !== undefined} />;
  if (data) return <SessionContext value={data}>{children}</SessionContext>;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="who you are" />;
}

/** Who uses the page, and what this user may do. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('this part is shown to users who are signed in');
  return session;
}
