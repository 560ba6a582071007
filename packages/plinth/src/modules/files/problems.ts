// Problems and faults of files.

import { defineFaults } from '../../core/fault.ts'
import { defineProblems } from '../../core/problem.ts'

export const fileProblem = defineProblems({
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: 'The storage quota of the user is used up; delete files first.',
  },
})

export const fileFault = defineFaults({
  file_name: 'must have 1 to 100 letters, digits, dots, dashes and underscores, and must not be a reserved name',
  picture: 'must be a PNG, JPEG, GIF or WebP image of at most {max} megapixels',
  file_type: 'must be a file of one of these types: {types}',
  file_size: 'must have at most {max} bytes',
  file_field: 'is not a field of files; the fields are {fields}',
  file_unknown: 'is no file that the caller has uploaded for this field in the last day; upload it again',
  one_file: 'takes one file',
})
