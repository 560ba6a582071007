/** JSON that was read, or a record in it. What a test expects of it, it asserts. */
// biome-ignore lint/suspicious/noExplicitAny: a type for every body would say again what the assertions say
export type Parsed = any
