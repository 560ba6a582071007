// The format of a response when the caller does not name one.

import type { Format } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import { familyOf, type GenericOperation, type ResourceDefinition } from '../model/define.ts'

export const defaultFormat = (definition: ResourceDefinition, operation: GenericOperation): Format =>
  familyOf(definition, operation) === 'A' ? formatsByName['json-api'] : formatsByName.json
