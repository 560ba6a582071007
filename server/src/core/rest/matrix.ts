// The family that each operation answers in when the caller does not say: the interface's matrix, and nothing else.

import type { Format } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'

/** J: JSON and HAL. A: JSON:API. X: XML and JSON, of which JSON is the default. */
export type Family = 'J' | 'A' | 'X'

/** C create, S search, F find, U replace, D delete, P patch, R1 and R2 relations. */
export const matrixColumns = ['C', 'S', 'F', 'U', 'D', 'P', 'R1', 'R2'] as const
export type OperationCode = (typeof matrixColumns)[number]

const matrix: Readonly<Record<string, string>> = {
  //                       C S F U D P R1 R2
  clientErrors: /*      */ 'J J A J J J J J',
  contactDetails: /*    */ 'A J A J A J J J',
  continents: /*        */ 'J A A J J J A J',
  countries: /*         */ 'J A J J A A A J',
  errorLogs: /*         */ 'J J A J A J A J',
  allErrors: /*         */ 'J J A J A A A J',
  friendships: /*       */ 'A A J J A J J J',
  hosts: /*             */ 'J J A J A A A A',
  localities: /*        */ 'A A J J A A A J',
  personalDetails: /*   */ 'A J A J A J J J',
  postalCodes: /*       */ 'A J J J J A J J',
  registrationCodeBatches: 'A X X X X X A X',
  roles: /*             */ 'A A J J J J A A',
  stompSessions: /*     */ 'J J A J J A A J',
  systemErrors: /*      */ 'J A A J J A A A',
  userAgents: /*        */ 'A J A J J A J J',
  userCredentials: /*   */ 'A A J J J A A J',
  userRegistrationCodes: ' A J A J A A A A',
  users: /*             */ 'J A A J J J A A',
}

/** Resources that the interface does not list speak plain JSON. */
export const familyOf = (resource: string, code: OperationCode): Family => {
  const row = Object.hasOwn(matrix, resource) ? matrix[resource]?.trim().split(' ') : undefined
  return (row?.[matrixColumns.indexOf(code)] as Family | undefined) ?? 'J'
}

const json = formatsByName.json
const jsonApi = formatsByName['json-api']

export const defaultFormat = (resource: string, code: OperationCode): Format =>
  familyOf(resource, code) === 'A' ? jsonApi : json
