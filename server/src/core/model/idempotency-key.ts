/** May a repetition of such a request be told by its Idempotency-Key? `path` is that of the route. */
export const takesIdempotencyKey = (method: string, path: string | null): boolean =>
  method === 'POST' && path !== null && path.startsWith('/api/rest/')
