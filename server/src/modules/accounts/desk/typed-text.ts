import { text } from '../../../core/model/fields.ts'

/** Longer than any that could be right: it is the comparison that refuses, and that looks the same for all. */
export const typedText = <const O extends { readonly required?: true }>(options: O) => text({ max: 1000, ...options })
