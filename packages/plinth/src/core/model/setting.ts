// A setting as the option of a field: its value is known when the settings of a service are.

/** A setting in place of a value. Made by `setting`. */
export interface Setting<T> {
  readonly kind: 'setting'
  readonly group: object
  readonly field: string
  /** The default value, until the settings of a service are known. */
  readonly usual: T
}

/** The value of a setting in one service. */
export type ResolveSetting = <T>(setting: Setting<T>) => T

export const isSetting = <T>(value: T | Setting<T>): value is Setting<T> =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'setting' && 'usual' in value

/** What depends on settings, such as the currency of an amount. */
interface Settled {
  readonly withSettings?: (resolve: ResolveSetting) => object
}

/** Makes an object of a value; of a setting, it is made again for each service. */
export const madeOf = <T, F extends object>(from: T | Setting<T>, make: (value: T) => F): F =>
  isSetting(from) ? { ...make(from.usual), withSettings: (resolve: ResolveSetting) => make(resolve(from)) } : make(from)

/** The same change of what settings make of it. */
export const changed = <F extends Settled, G extends object>(of: F, change: (of: F) => G): G => {
  const { withSettings } = of
  return withSettings
    ? { ...change(of), withSettings: (resolve: ResolveSetting) => changed(withSettings(resolve) as F, change) }
    : change(of)
}
