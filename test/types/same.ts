// Compares types exactly: `same<string>().as(value)` compiles if the value has that type and no other.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

export const same = <Expected>() => ({
  as: <Actual>(_: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : [never]) => {},
})
