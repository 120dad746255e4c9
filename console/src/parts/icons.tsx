/** Drawn here, so that no font and no file has to be loaded for them. */
const Icon = ({ children }: { readonly children: React.ReactNode }) => (
  <svg viewBox="0 0 16 16" width={16} height={16} fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden="true">
    {children}
  </svg>
);

export const CopyIcon = () => (
  <Icon>
    <rect x={5.5} y={5.5} width={8} height={8} rx={1.5} />
    <path d="M3.5 10.5h-.5a1 1 0 0 1-1-1v-6a1.5 1.5 0 0 1 1.5-1.5h6a1 1 0 0 1 1 1v.5" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.5 3.2 3.2L13 4.8" />
  </Icon>
);

export const SunIcon = () => (
  <Icon>
    <circle cx={8} cy={8} r={3} />
    <path d="M8 1v2m0 10v2M1 8h2m10 0h2M3 3l1.5 1.5m7 7L13 13M3 13l1.5-1.5m7-7L13 3" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M13.5 9.5a6 6 0 0 1-7-7 6 6 0 1 0 7 7Z" />
  </Icon>
);

export const SystemIcon = () => (
  <Icon>
    <rect x={1.5} y={2.5} width={13} height={9} rx={1} />
    <path d="M5.5 14h5" />
  </Icon>
);
