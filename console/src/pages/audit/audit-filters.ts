/** The filters of the list as they stand in the address. */
export interface AuditSearch {
  readonly remediation?: string | undefined;
  readonly type?: string | undefined;
}

export function auditFiltersIn({ remediation, type }: Readonly<Record<string, unknown>>): AuditSearch {
  return {
    ...(typeof remediation === 'string' && remediation !== '' && { remediation: remediation.slice(0, 253) }),
    ...(typeof type === 'string' && type !== '' && { type: type.slice(0, 2048) }),
  };
}
