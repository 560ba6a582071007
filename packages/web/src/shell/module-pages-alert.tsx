// Says which pages of modules are missing, and shows developers the mistake in their newest version.

import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

interface ModulePagesAlertProps {
  /** The modules that could not be loaded. */
  readonly failed: readonly string[]
  /** Why the newest version could not be built. */
  readonly buildError: string | undefined
}

const ModulePagesAlert = ({ failed, buildError }: ModulePagesAlertProps) => {
  const t = useText(shellTexts)
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden />}
      title={t(buildError === undefined ? 'pagesMissing' : 'pagesBroken')}
    >
      {buildError === undefined ? (
        <Group justify="space-between">
          <Text size="sm">{t('pagesMissingText', { modules: failed.join(', ') })}</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        </Group>
      ) : (
        <Code block>{buildError}</Code>
      )}
    </Alert>
  )
}

export default ModulePagesAlert
