// The package that reads images. It is large, most services never need it, and it may not be installed.

import { installMessage, isInstalled, isMissingPackage } from '../../core/config/optional-packages.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'

const name = 'sharp'

/** The error of loading the package: a problem that says what to install, if it is missing. */
export const toLoadingError = (cause: unknown): unknown =>
  isMissingPackage(cause, [name])
    ? new Problem('unavailable', { detail: `Reading images ${installMessage([name])}, and restart.`, cause })
    : cause

/** The image fields of all resources, such as `damages.photo`. */
export const imageFieldsOf = ({ platform: { registry } }: Pick<Service, 'platform'>): readonly string[] =>
  registry.resources.flatMap(resource =>
    [...resource.fields.values()]
      .filter(({ definition }) => definition.role === 'value' && definition.type.file?.areImages)
      .map(field => `${resource.name}.${field.name}`),
  )

export interface MissingImagePackage {
  readonly explanation: string
  readonly remedy: string
}

/** What is wrong if there are image fields and no package that reads images; null otherwise. */
export const findMissingImagePackage = (service: Pick<Service, 'platform'>): MissingImagePackage | null => {
  const fields = imageFieldsOf(service)
  if (fields.length === 0 || isInstalled(name)) return null
  return {
    explanation: `Images cannot be uploaded to ${fields.join(', ')}: the package ${name} is not installed.`,
    remedy: `Run \`npm install ${name}\`, and restart.`,
  }
}
