// The second factor of the current user, and its removal by administrators.

import type { Endpoint } from '../../../core/rest/endpoint.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { underBothPrefixes } from '../prefixes.ts'
import { jwtSettings } from '../settings.ts'
import { renewRecoveryCodes, setUp, showStatus, turnOff, turnOn } from './enrol.ts'
import { removeForUser } from './remove.ts'

export const secondFactorEndpoints = ({ config }: Service, auth: AuthContext): readonly Endpoint[] => [
  ...underBothPrefixes([
    showStatus,
    setUp(auth, config.get(jwtSettings).tokenIssuer),
    turnOn(auth),
    turnOff(auth),
    renewRecoveryCodes(auth),
  ]),
  removeForUser,
]
