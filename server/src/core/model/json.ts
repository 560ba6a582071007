export type Json = string | number | boolean | null | readonly Json[] | JsonMembers
export type JsonMembers = { readonly [member: string]: Json }

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: Json }
