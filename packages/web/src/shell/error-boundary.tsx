// Keeps a mistake in one page from taking the others along.

import { Button, Code } from '@mantine/core'
import { IconBug, IconRefresh } from '@tabler/icons-react'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { isDevelopment } from '../application.ts'
import { Empty } from '../common/empty.tsx'
import { textOf } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'
import { reportError } from './report.ts'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
}

/** Says whether the client is outdated: after an update of the service, the parts of the old one are gone. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|preload/i.test(error.message)

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    if (!isOutdated(error)) reportError(error, info.componentStack ?? '')
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    const t = textOf(shellTexts)
    const outdated = isOutdated(error)
    return (
      <div role="alert">
        <Empty
          icon={outdated ? IconRefresh : IconBug}
          title={t(outdated ? 'updatedTitle' : 'brokenTitle')}
          text={t(outdated ? 'updatedText' : 'brokenText')}
        >
          <Button onClick={() => location.reload()}>{t('reload')}</Button>
        </Empty>
        {isDevelopment && <Code block>{String(error instanceof Error ? (error.stack ?? error) : error)}</Code>}
      </div>
    )
  }
}
