// RSA keys of identity providers. Making one takes a good part of a second, so the tests of a process share two.

import { generateKeyPairSync } from 'node:crypto'

const make = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export const rsaKeys = { own: make(), other: make() }
