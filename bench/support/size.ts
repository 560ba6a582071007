// How much a benchmark measures.

/** Says whether the size is so small that a benchmark only shows that it runs: its figures mean nothing. */
export const isSmall = process.env.BENCH_SIZE === 'small'

/** A number of the benchmark. Its variable, such as `BENCH_SECONDS`, overrides both sizes. */
export const size = (variable: string, usual: number, small: number): number =>
  Number(process.env[variable] ?? (isSmall ? small : usual))
