// Points on the earth.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions } from '../field-options.ts'
import { ValueFault } from '../value-fault.ts'
import { fieldOptions, value } from './value.ts'

/** A point by its latitude and longitude in degrees (WGS 84). */
export interface GeoPoint {
  readonly lat: number
  readonly lng: number
}

/** Seven places are a centimetre. More would be noise, and differ between databases. */
const rounded = (degrees: number): number => Number(degrees.toFixed(7))

const isWithin = (degrees: unknown, limit: number): degrees is number =>
  typeof degrees === 'number' && Math.abs(degrees) <= limit

const written = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/

/** `{ lat, lng }`, or the text `47.3769, 8.5417`. */
const readPoint = (input: unknown): GeoPoint => {
  const [, south, east] = (typeof input === 'string' && written.exec(input)) || []
  const { lat, lng }: { readonly lat?: unknown; readonly lng?: unknown } =
    south === undefined ? Object(input ?? {}) : { lat: Number(south), lng: Number(east) }
  if (!isWithin(lat, 90) || !isWithin(lng, 180)) throw new ValueFault(fault('geo_point'))
  return { lat: rounded(lat), lng: rounded(lng) }
}

const degrees = (limit: number) => ({ type: 'number', minimum: -limit, maximum: limit }) as const

/**
 * A point on the earth: `{ lat: 47.3769, lng: 8.5417 }`. Not searchable.
 *
 * @example geo()
 */
export const geo = <const O extends FieldOptions<GeoPoint>>(options?: Exactly<O, FieldOptions>) =>
  value<GeoPoint, O>(
    {
      name: 'geo',
      column: 'json',
      schema: { type: 'object', properties: { lat: degrees(90), lng: degrees(180) }, required: ['lat', 'lng'] },
      widget: 'geo',
      read: readPoint,
      readText: () => {
        throw new ValueFault(fault('unsearchable'))
      },
      show: ({ lat, lng }) => ({ lat, lng }),
      wildcards: false,
    },
    options ?? {},
    fieldOptions,
  )
