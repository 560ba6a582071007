// Faults: what is wrong with one value or one part of a request. Each has a stable code and parameters, from which programs
// make a message in the language of their users, and a message in English.

export type FaultParams = Readonly<Record<string, string | number | readonly string[]>>

/** What is wrong, without where. */
export interface FaultReason {
  readonly code: string
  readonly message: string
  readonly params?: FaultParams
}

/** The codes of faults and their messages. `{name}` stands for a parameter, `{message}` for a message in free form. */
export type FaultTable = Readonly<Record<string, string>>

type ParamNames<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type ParamsOf<Message extends string> = [ParamNames<Message>] extends [never]
  ? []
  : [params: Readonly<Record<ParamNames<Message>, FaultParams[string]>>]

const toMessage = (template: string, params: FaultParams): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    return typeof value === 'object' ? value.join(', ') : String(value)
  })

/** Makes faults of a table; the compiler checks their parameters. */
export interface FaultMaker<Table extends FaultTable> {
  <Code extends keyof Table & string>(code: Code, ...params: ParamsOf<Table[Code]>): FaultReason
  readonly table: Table
}

/** Declares faults; what it returns makes one of them. */
export const defineFaults = <const Table extends FaultTable>(table: Table): FaultMaker<Table> => {
  const make = <Code extends keyof Table & string>(code: Code, ...[params]: ParamsOf<Table[Code]>): FaultReason => {
    const { message, ...named }: FaultParams = { ...params }
    return {
      code,
      message: toMessage(table[code] ?? code, { ...named, ...(message !== undefined && { message }) }),
      ...(Object.keys(named).length > 0 && { params: named }),
    }
  }
  return Object.assign(make, { table })
}

/** The faults of the platform; modules declare further ones. */
export const fault = defineFaults({
  // values
  required: 'is required',
  text: 'must be text',
  characters: 'contains invalid characters',
  not_empty: 'must not be empty',
  min_length: 'must have at least {min} characters',
  max_length: 'must have at most {max} characters',
  pattern: '{message}',
  web_address: 'must be a URL or a path',
  email: 'must be a valid e-mail address',
  telephone: 'must be a valid phone number',
  url: 'must be a URL that begins with http:// or https://',
  duration: 'must be an ISO 8601 duration, such as PT2H26M, without years and months',
  min_duration: 'must be at least {min}',
  max_duration: 'must be at most {max}',
  geo_point: 'must be an object of `lat` (-90 to 90) and `lng` (-180 to 180)',
  boolean: 'must be true or false',
  choice: 'must be one of {choices}',
  first_state: 'must be {states} in a new record',
  next_state: "'{state}' can change to {next} only",
  final_state: "cannot change any more: '{state}' is final",
  number: 'must be a number',
  whole_number: 'must be a whole number',
  whole_number_between: 'must be a whole number from {min} to {max}',
  decimal: 'must be a number with at most {max} decimal places',
  max_decimals: 'must have at most {max} decimal places',
  min: 'must be at least {min}',
  max: 'must be at most {max}',
  too_large: 'is too large',
  date: 'must be a date (yyyy-MM-dd)',
  no_such_day: 'is not a valid date',
  timestamp: 'must be an ISO 8601 timestamp with a time zone',
  years: 'must be in the years 1 to 9999',
  list: 'must be a list',
  list_of_text: 'must be a list of strings',
  map: 'must be an object with string values',
  parts: 'must be an object of {parts}',
  max_entries: 'must have at most {max} entries',
  duplicate_entry: 'must not contain duplicates',
  name: "'{name}' is not a valid name",
  max_json_length: 'must have at most {max} characters as JSON',
  max_depth: 'must not be nested more than {max} levels deep',
  duplicate_key: 'must not be in one object twice',
  reference: 'must be an identifier or an object with `pk`',
  list_of_references: 'must be a list of references',
  // records
  missing: 'does not exist in {resource}',
  no_match: 'matches no record of {resource}',
  several_matches: 'matches several records of {resource}',
  taken: 'is already taken',
  fixed: 'cannot be changed after creation',
  forbidden: 'cannot be changed with your permissions',
  by_relationship: 'must be changed through its relationship endpoint',
  uuid: 'must be a UUID',
  pk_pattern: 'must match the pattern {pattern}',
  pk_of_members: 'does not match the fields that it is derived from',
  check: 'breaks the check {check} of {fields}: {rule}',
  pk_of_path: 'differs from the identifier in the path',
  unknown_attribute: '{resource} has no such attribute',
  unknown_field: 'is not a known field',
  misspelt_field: "is not a known field; did you mean '{nearest}'?",
  not_attribute: 'is not an attribute',
  not_relation: 'is not a relation',
  other_type: "must be '{type}'",
  structure: '{message}',
  lid_taken: "'{lid}' is already used in this request",
  // queries
  encoding: "The parameter '{parameter}' is not percent-encoded UTF-8; encode a percent sign as %25.",
  unknown_parameter: "Unknown parameter '{parameter}'; known parameters are {known}.",
  unknown_filter: "'{parameter}' must be filter[field] or filter[field][]; use filter= for other comparisons.",
  unknown_type: "'{parameter}' must name a type in this response, as in fields[{resource}].",
  unknown_member: "{resource} has no {kind} '{name}'; it has {known}.",
  repeated: "'{parameter}' is given {count} times; it must be given once.",
  repeated_fields: 'The fields of {resource} are given twice; they must be given once.',
  contradiction: "'{first}' and '{second}' cannot be combined; use one of them.",
  bad_value: '{value} {reason}',
  bad_operator: "The operator '{operator}' does not work with {member}; use one of {known}.",
  syntax: '{message}',
  unsearchable: 'is not searchable',
  unsortable: 'Records cannot be sorted by {member}: {reason}.',
  ungroupable: 'Records cannot be grouped by {member}: {reason}.',
  unfit_measure: "'{function}' cannot be computed of {member}: {reason}.",
  unknown_measure:
    "'{name}' is neither a group of this request nor count, sum.…, avg.…, min.…, max.… or distinct.… of a field.",
  nothing_to_compute: 'Name at least one of {known}.',
  not_of_groups: "'{parameter}' has no meaning for aggregates; leave it out.",
  time_zone: 'must be the name of a time zone, such as Europe/Berlin',
  too_deep: "'{path}' follows more than {max} relations.",
  cursor: 'is not a valid cursor; use a next or prev link',
  other_cursor: 'belongs to another resource or sort order; keep the same sort, or start at the first page',
  no_history: "'asOf' cannot be used: {resource} keeps no history.",
  history_start: 'must be {since} or later, where the history begins',
  no_trash: "'trash' cannot be used: {resource} has no trash.",
  limit: '{message}',
  cost: '{message}',
})
