import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval, DecisionBody } from '../../../../src/server/contract/index.ts';
import { api } from '../../data/api.ts';
import { queries } from '../../data/queries.ts';

/** What the approver wants to run instead. Empty when the plan stays as it is. */
interface Override {
  readonly workflow?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Approves or rejects, with the digest of the plan that is shown: another plan is not decided by accident. */
export function DecisionForm({ of }: { readonly of: Approval }) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [override, setOverride] = useState<Override>({});
  const decide = useMutation({
    mutationFn: (decision: DecisionBody['decision']) =>
      api.decideApproval({ name: of.name, body: bodyOf(of, { decision, reason, override }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['remediations'] }),
  });
  const isRejectable = reason.trim() !== '';
  return (
    <form onSubmit={(event) => event.preventDefault()} aria-label="Decision">
      <TextInput
        label="Reason"
        description="Recorded with your name. Needed to reject."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={1024}
      />
      <details className="override">
        <summary>Run something else</summary>
        <OverrideFields of={of} value={override} onChange={setOverride} />
      </details>
      {decide.error && (
        <p className="problem" role="alert">
          {decide.error.message}
        </p>
      )}
      {decide.data && <p role="status">Recorded: {decide.data.plan}</p>}
      <Group gap="xs" mt="sm">
        <Button
          onClick={() => decide.mutate('Approved')}
          loading={decide.isPending && decide.variables === 'Approved'}
          disabled={decide.isPending}
        >
          Approve
        </Button>
        <Button
          variant="default"
          onClick={() => decide.mutate('Rejected')}
          loading={decide.isPending && decide.variables === 'Rejected'}
          disabled={decide.isPending || !isRejectable}
          title={isRejectable ? undefined : 'Give a reason first'}
        >
          Reject
        </Button>
      </Group>
    </form>
  );
}

interface Choice {
  readonly decision: DecisionBody['decision'];
  readonly reason: string;
  readonly override: Override;
}

function bodyOf({ planDigest }: Approval, { decision, reason, override }: Choice): DecisionBody {
  const { workflow, parameters } = decision === 'Approved' ? override : {};
  return {
    decision,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(planDigest !== undefined && { planDigest }),
    ...(workflow !== undefined && { workflow }),
    ...(parameters && { parameters: { ...parameters } }),
  };
}

interface OverrideProps {
  readonly of: Approval;
  readonly value: Override;
  readonly onChange: (value: Override) => void;
}

function OverrideFields({ of, value, onChange }: OverrideProps) {
  const { data } = useQuery(queries.workflows());
  const active = data?.items.filter(({ status }) => status === 'Active').map(({ name }) => name) ?? [];
  const chosen = data?.items.find(({ name }) => name === (value.workflow ?? of.workflow));
  const parameters = value.parameters ?? of.parameters;
  return (
    <>
      <Select
        label="Workflow"
        data={active}
        value={value.workflow ?? of.workflow}
        onChange={(workflow) => onChange(workflow === null || workflow === of.workflow ? {} : { workflow, parameters: {} })}
      />
      {chosen?.parameters.map(({ name, description, required }) => (
        <TextInput
          key={name}
          label={name}
          description={description}
          required={required}
          value={parameters[name] ?? ''}
          onChange={(event) => onChange({ ...value, parameters: withValue(parameters, name, event.currentTarget.value) })}
        />
      ))}
    </>
  );
}

/** An empty field means that the parameter is not given. */
function withValue(parameters: Readonly<Record<string, string>>, name: string, value: string): Readonly<Record<string, string>> {
  const others = Object.fromEntries(Object.entries(parameters).filter(([each]) => each !== name));
  return value === '' ? others : { ...others, [name]: value };
}
