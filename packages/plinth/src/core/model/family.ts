// The generic endpoints of a resource, and the format of their responses when the caller names none.

/** The generic endpoints. `relationship` is at `/{pk}/relationships/{relation}`, `related` at `/{pk}/{relation}`. */
export type GenericOperation =
  | 'create'
  | 'search'
  | 'find'
  | 'replace'
  | 'delete'
  | 'patch'
  | 'relationship'
  | 'related'

/** Families of media types. `json`: JSON and HAL. `jsonApi`: JSON:API. `xml`: XML and JSON, of which JSON is the default. */
export type Family = 'json' | 'jsonApi' | 'xml'

/** The default families of the operations of a resource; `json` where it names none. */
export type Families = { readonly [operation in GenericOperation]?: Family }

/** The family of a response when the caller does not name a format. */
export const familyOf = ({ families }: { readonly families?: Families }, operation: GenericOperation): Family =>
  families?.[operation] ?? 'json'
