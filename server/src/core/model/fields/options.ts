// The names of options, by which a start finds misspelt ones.

import type { CommonOptions, FieldOptions, OptionNames, WrittenOptions } from '../field.ts'

export const commonOptions: OptionNames<CommonOptions> = { title: true, about: true, readable: true, writable: true }

export const writtenOptions: OptionNames<WrittenOptions> = {
  ...commonOptions,
  required: true,
  serverOwned: true,
  fixed: true,
  writeOnly: true,
  renamedFrom: true,
}

export const fieldOptions: OptionNames<FieldOptions> = {
  ...writtenOptions,
  default: true,
  unique: true,
  indexed: true,
  activity: true,
}
