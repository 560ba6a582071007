// The looks. Mantine's own shades are a little too light for text on white; these keep 4.5:1 (WCAG 2.2, 1.4.3).

import { type CSSVariablesResolver, createTheme, DEFAULT_THEME } from '@mantine/core'
import { application } from './application.ts'
import { shadesOf } from './brand-shades.ts'

const { primary } = application.colors ?? {}
const brand = primary === undefined ? DEFAULT_THEME.colors.indigo : shadesOf(primary)

export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: '650' },
  components: {
    // By default it cuts off what exceeds its text, and with it the focus rings of buttons. Long words wrap instead.
    Alert: { styles: { body: { minWidth: 0 }, message: { overflow: 'visible', overflowWrap: 'anywhere' } } },
    // Their words are short and must not be cut where a table is tight.
    Badge: { defaultProps: { miw: 'max-content' } },
    // The focus goes to the first entry: the empty element that takes it by default is no entry of a menu (axe: aria-required-children).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // They name records, and those may have long names.
    Notification: { styles: { description: { overflowWrap: 'anywhere' } } },
    Modal: { styles: { title: { overflowWrap: 'anywhere', minWidth: 0, lineHeight: 1.4, fontWeight: 600 } } },
  },
})

const eachColour = (suffix: string, toValue: (colour: string) => string): Record<string, string> =>
  Object.fromEntries(
    ['brand', ...Object.keys(DEFAULT_THEME.colors)].map(colour => [
      `--mantine-color-${colour}-${suffix}`,
      toValue(colour),
    ]),
  )

const shade =
  (number: number) =>
  (colour: string): string =>
    `var(--mantine-color-${colour}-${number})`

/** Darkens a colour: even the darkest yellow and orange are too light for words on their own light ground. */
const darkened = (colour: string): string => `color-mix(in srgb, ${shade(9)(colour)} 60%, black)`

/** White words on the usual red have 3.9:1. */
const filledRed = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': 'color-mix(in srgb, var(--mantine-color-red-9) 85%, black)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f7f9',
    '--plinth-surface': '#ffffff',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-9)',
    ...filledRed,
    ...eachColour('light-color', darkened),
    ...eachColour('text', shade(9)),
    ...eachColour('outline', shade(9)),
  },
  dark: {
    '--mantine-color-body': '#15171c',
    '--plinth-surface': '#1d2027',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    ...filledRed,
    ...eachColour('light-color', shade(2)),
    ...eachColour('text', shade(3)),
    ...eachColour('outline', shade(3)),
  },
})
