/**
 * Do these credentials wait for the address of their registration to be confirmed? Who was turned away has a date of that,
 * and waits for nothing.
 */
export const isUnconfirmed = (credentials: Readonly<Record<string, unknown>> | null): boolean =>
  credentials?.active === false && credentials.inactivationDate === null
