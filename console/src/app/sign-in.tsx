import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../src/client/index.ts';
import { api, tokenOfTab } from '../data/api.ts';
import { Command } from '../parts/command.tsx';

/** Asks for a token, or for the link that Sickbay prints. */
export function SignIn({ hadSession }: { readonly hadSession: boolean }) {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isTrying, setIsTrying] = useState(false);
  const signIn = async () => {
    setIsTrying(true);
    tokenOfTab.keep(token.trim());
    try {
      await api.getSession({});
      await queries.invalidateQueries();
    } catch (error) {
      tokenOfTab.forget();
      setProblem(problemText(error));
    }
    setIsTrying(false);
  };
  return (
    <main className="sign-in">
      <img src="/favicon.svg" alt="" width={40} height={40} />
      <h1>{hadSession ? 'Your session has ended' : 'Sign in to Sickbay'}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <PasswordInput
          label="Bearer token of a Kubernetes user or ServiceAccount"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
        />
        <Button type="submit" loading={isTrying} disabled={token.trim() === ''} fullWidth mt="sm">
          Sign in
        </Button>
      </form>
      <p className="dim">The token stays in this tab. For a ServiceAccount, make one with</p>
      <Command text="kubectl create token NAME --namespace NAMESPACE" />
      <p className="dim">On the machine that Sickbay runs on, open the link that it prints: each link works once.</p>
    </main>
  );
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Sickbay does not answer. Try again in a moment.';
  return error.status === 401 ? 'The Kubernetes API does not know this token, or it has expired.' : error.message;
}
