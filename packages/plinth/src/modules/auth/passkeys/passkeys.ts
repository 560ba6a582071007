// Passkeys as they are stored: public keys of credentials that the devices of users hold (WebAuthn Level 3).

import { sha256Of } from '../../../core/digest.ts'
import { defineResource } from '../../../core/model/define.ts'
import { boolean, integer, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import { assigned } from '../../../core/model/identifier.ts'
import type { RecordReader } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'

/** The pk is the SHA-256 of the credential's own identifier, which has up to 1,023 bytes. */
export const passkeys = defineResource('passkeys', {
  about: 'Passkeys of users.',
  trash: false,
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    name: text({ required: true, max: 100 }),
    credential: text({ required: true, max: 1400 }),
    publicKey: text({ required: true, max: 4000 }),
    /** Counts the uses, on devices that count. One that does not grow is the sign of a copy. */
    counter: integer({ required: true, min: 0 }),
    transports: textList({ maxItems: 20, max: 50 }),
    /** Is it kept by a service that shares it between the devices of the user? */
    synced: boolean({ required: true }),
    created: timestamp({ required: true }),
    lastUsed: timestamp(),
  },
  access: {},
})

export type Passkey = Row<typeof passkeys>

export const passkeyPkOf = (credential: string): string => sha256Of(credential)

export const maxPasskeys = 20

export const passkeysOf = (records: RecordReader, user: string): Promise<readonly Passkey[]> =>
  records.find(passkeys, { where: { user }, sort: 'created', limit: maxPasskeys })

export const toDescriptor = ({ credential, transports }: Passkey) => ({
  id: credential,
  transports: [...(transports ?? [])],
})

/** Has the device counted on? Devices that do not count send 0. */
export const hasCountedOn = ({ counter }: Passkey, next: number): boolean =>
  (counter === 0 && next === 0) || next > counter
