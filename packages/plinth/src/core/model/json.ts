// JSON values, and pointers into them.

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMembers
/** A JSON object. */
export type JsonMembers = { readonly [member: string]: Json }

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: Json }

/** One reference token of a JSON Pointer (RFC 6901, section 3). */
export const toToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
