// Shows a part of a page that a module brings, with its styles. A mistake in it is shown in its place.

import { type ComponentType, type ReactNode, Suspense, use } from 'react'
import { Loading } from '../common/loading.tsx'
import { ErrorBoundary } from '../shell/error-boundary.tsx'
import { loadStyles } from './load-styles.ts'
import { useModulePages } from './module-pages.ts'

const ready = new Map<string, Promise<unknown>>()

/** All components have their styles before a part is drawn that may use them. */
const whenStyled = (styles: readonly string[]): Promise<unknown> => {
  const key = styles.join(' ')
  const loading =
    ready.get(key) ?? Promise.all([import('../all-styles.ts'), import('../kit-styles.ts'), loadStyles(styles)])
  ready.set(key, loading)
  return loading
}

const Styled = ({ children }: { readonly children: ReactNode }) => {
  use(whenStyled(useModulePages().styles))
  return children
}

interface ModulePartProps<P> {
  readonly content: ComponentType<P>
  readonly props: P
  /** What is shown while it arrives. */
  readonly pending?: ReactNode
}

export const ModulePart = <P extends object>({
  content: Content,
  props,
  pending = <Loading />,
}: ModulePartProps<P>) => (
  // A new version of it starts from its first state, also after a mistake.
  <ErrorBoundary key={versionOf(Content)}>
    <Suspense fallback={pending}>
      <Styled>
        <Content {...props} />
      </Styled>
    </Suspense>
  </ErrorBoundary>
)

const versions = new WeakMap<object, number>()
let last = 0

const versionOf = (content: object): number => {
  const version = versions.get(content) ?? ++last
  versions.set(content, version)
  return version
}
