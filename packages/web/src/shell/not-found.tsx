import { Button } from '@mantine/core'
import { IconLock, IconMapPinOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Empty } from '../common/empty.tsx'
import { PageHeader } from '../common/page-header.tsx'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

export const NotFound = () => {
  const t = useText(shellTexts)
  return (
    <>
      <PageHeader title={t('notFoundTitle')} />
      <Empty icon={IconMapPinOff} title={t('notFoundText')}>
        <Button component={Link} to="/">
          {t('toStart')}
        </Button>
      </Empty>
    </>
  )
}

export const Forbidden = () => {
  const t = useText(shellTexts)
  return (
    <>
      <PageHeader title={t('forbiddenTitle')} />
      <Empty icon={IconLock} title={t('forbiddenText')}>
        <Button component={Link} to="/">
          {t('toStart')}
        </Button>
      </Empty>
    </>
  )
}
