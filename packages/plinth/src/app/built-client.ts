// The built web client: part of the package, and beside it in a checkout.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The ways from the source, and from the bundle, which has no folders. */
const places = ['../dist/client', '../../../web/dist', '../../web/dist'].map(placeOf)

export const builtClient = places.find(existsSync) ?? placeOf('../../web/dist')
