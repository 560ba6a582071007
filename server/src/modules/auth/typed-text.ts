import { text } from '../../core/model/fields.ts'

/** Longer than any that could be right: it is the comparison that refuses, and that looks the same for all. */
const max = 1000

export const typedText = text({ max })
export const neededText = text({ max, required: true })
