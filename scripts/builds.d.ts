/** A part of the repository that is built. */
export interface Build {
  readonly name: string
  /** The package without which it cannot be built. */
  readonly tool: string
  /** Paths from the root of the repository. */
  readonly result: string
  readonly sources: readonly string[]
  readonly command: readonly string[]
}

export declare const root: string
export declare const serviceBuilds: readonly Build[]
export declare const packageBuilds: readonly Build[]
export declare const site: Omit<Build, 'command'> & { readonly needs: readonly Build[] }
export declare const isMissing: (build: Pick<Build, 'result'>) => boolean
export declare const isStale: (build: Pick<Build, 'result' | 'sources'>) => boolean
export declare const canBuild: (build: Pick<Build, 'tool'>) => boolean
export declare const buildStale: (builds: readonly Build[]) => void
