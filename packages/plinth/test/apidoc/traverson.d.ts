// Traverson has no types of its own: as much of them as the tests use.

declare module 'traverson' {
  interface Builder {
    from(address: string): Builder
    jsonHal(): Builder
    withRequestOptions(options: { readonly headers: Readonly<Record<string, string>> }): Builder
    withTemplateParameters(parameters: Readonly<Record<string, string>>): Builder
    follow(...rels: string[]): Builder
    getResource(done: (error: Error | null, resource: Record<string, unknown>) => void): void
  }
  interface Traverson extends Builder {
    registerMediaType(mediaType: string, adapter: unknown): void
  }
  const traverson: Traverson
  export default traverson
}

declare module 'traverson-hal' {
  const adapter: { readonly mediaType: string }
  export default adapter
}
