// The ten shades of a colour that the application has chosen. White text on the main shade has 4.5:1 (WCAG 2.2, 1.4.3): a lighter
// colour is darkened until it has.

import type { MantineColorsTuple } from '@mantine/core'

type Rgb = readonly [number, number, number]

const channelsOf = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

const toHex = (channels: Rgb): string =>
  `#${channels.map(channel => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

const mix = ([red, green, blue]: Rgb, other: number, share: number): Rgb => {
  const towards = (channel: number): number => channel + (other - channel) * share
  return [towards(red), towards(green), towards(blue)]
}

const lighter = (colour: Rgb, share: number): Rgb => mix(colour, 255, share)
const darker = (colour: Rgb, share: number): Rgb => mix(colour, 0, share)

/** WCAG 2.2, relative luminance. */
const linear = (channel: number): number => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const luminanceOf = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const contrastWithWhite = (colour: Rgb): number => 1.05 / (luminanceOf(colour) + 0.05)

const readable = (colour: Rgb): Rgb => (contrastWithWhite(colour) >= 4.5 ? colour : readable(darker(colour, 0.04)))

/** Returns the shades from light to dark. The theme uses number 7, the colour itself, for buttons, and 9 for links. */
export const shadesOf = (hex: string): MantineColorsTuple => {
  const main = readable(channelsOf(hex))
  const light = (share: number) => toHex(lighter(main, share))
  const dark = (share: number) => toHex(darker(main, share))
  return [
    light(0.92),
    light(0.84),
    light(0.7),
    light(0.55),
    light(0.4),
    light(0.26),
    light(0.12),
    dark(0),
    dark(0.14),
    dark(0.28),
  ]
}
