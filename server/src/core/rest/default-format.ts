// The format of a response when the caller does not name one.

import type { Format } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import { familyOf, type GenericOperation } from '../model/define.ts'
import type { Resource } from '../model/resource.ts'

export const defaultFormat = ({ definition }: Resource, operation: GenericOperation): Format =>
  familyOf(definition, operation) === 'A' ? formatsByName['json-api'] : formatsByName.json
