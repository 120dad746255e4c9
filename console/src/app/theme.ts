import { createTheme, Modal, type MantineColorsTuple } from '@mantine/core';

/** The colour of the cross in the icon. */
const teal: MantineColorsTuple = [
  '#e6f7f4',
  '#cdebe5',
  '#9bd7ca',
  '#66c2ae',
  '#3bb097',
  '#1fa488',
  '#0f9d80',
  '#00876d',
  '#007860',
  '#006851',
];

export const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: { light: 8, dark: 5 },
  autoContrast: true,
  defaultRadius: 'sm',
  // Its lock of the scroll is a style without the nonce that the page's policy demands.
  components: { Modal: Modal.extend({ defaultProps: { lockScroll: false } }) },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { sizes: { h1: { fontSize: '1.4rem' }, h2: { fontSize: '1.05rem' }, h3: { fontSize: '0.95rem' } } },
});
