import { formatsByName } from '../../core/formats/index.ts'

export const actuatorType = 'application/vnd.app.actuator.v1+json'
export const jsonType = 'application/json'
export const halType = formatsByName.hal.mediaType
