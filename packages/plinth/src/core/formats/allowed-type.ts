// Lists of media types that are allowed: whole ones such as `application/pdf`, and kinds such as `image/*`.

/** Is the type one of these, or of one of these kinds? */
export const isAllowedType = (type: string, allowed: readonly string[]): boolean =>
  allowed.some(one => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
